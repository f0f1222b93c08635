/* What Python needs of the engine in addition to functions that have a symbol (../fx.py): settings
 * and plans, whose functions are members of structs, and inline functions. Shared libraries are
 * made of this with the engine, with the stand-in for CUDA, and with that and NVRTC's programs
 * (../faults/). */
#pragma once

#include "filter.h"
#if HAVE_CUDA
#include "gpu-run.h"
#endif

FX_BEGIN_API

/* The sizes of the structs that Python declares, too, by their names. The last name is NULL. */
typedef struct {
  const char *name;
  gsize size;
} DoorSize;

extern const DoorSize door_sizes[];

/* How often the convolution on the CPU has transformed a tile and summed a row; atomic. Only in
 * fx-test. */
extern gint door_transforms, door_sums;

#if HAVE_CUDA
/* The GPU's programs of the Gaussian, the view and the convolution. The last one is NULL. */
extern const FxProgram *const door_programs[];
#endif

/* Makes GLib's warnings end the program, and a failure of the GPU that the CPU makes up for. Call
 * this first. */
void door_open (void);

/* Returns the best FxVectorUnit that this processor has. */
int door_get_vector_unit (void);

/* Returns the settings of the filter with that procedure that n words describe (filter-words.h), or
 * NULL with FX_ERROR_ARGUMENT. Free them with filter_settings_free. */
FilterSettings *door_settings_new (const char *procedure, char *const *words, int n,
                                   GError **error);

/* Set one property: a number, the index of a choice or a switch, which is not checked; or a matrix.
 * Return FALSE with FX_ERROR_ARGUMENT if there is no such property. */
gboolean door_settings_set (FilterSettings *settings, const char *name, double value,
                            GError **error);
gboolean door_settings_set_matrix (FilterSettings *settings, const char *name, int rows,
                                   int columns, const double *values, GError **error);

/* Sets the map of a filter that has one to a copy of values. */
void door_settings_set_map (FilterSettings *settings, const float *values, int x, int y, int width,
                            int height);

/* Calls the function of the settings' filter. The settings must have passed
 * filter_settings_check. */
FxPlan *door_plan_new (const FilterSettings *settings, const FxFormat *format,
                       const FxGeometry *geometry, gboolean coverage);

/* Changes plan, which nobody else has yet: a GPU computes its convolution as a ConvolveChoice
 * says. */
void door_plan_choose (FxPlan *plan, int path, int columns, int rows, gsize scratch);

FX_END_API
