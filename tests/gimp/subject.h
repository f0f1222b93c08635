/* The subjects of the tests inside GIMP: images, layers, masks and channels with pixels of the
 * tests' choice, read and written in the drawable's own format, and the call of the procedure
 * itself. */
#pragma once

#include <libgimp/gimp.h>

#include "filters.h"
#include "raster.h"

#define PROCEDURE "plug-in-cuda-gaussian-blur"

/* One of the twelve precisions of GIMP 2.10. */
typedef struct {
  GimpPrecision precision;
  FxSample sample;
  gboolean gamma;
  const char *name;
} Precision;

#define N_PRECISIONS 12
extern const Precision precisions[N_PRECISIONS];

/* The procedure's arguments after the drawable. */
typedef struct {
  double sigma_x, sigma_y;
  gint kernel_size, abyss, light, grow, device;
} Args;

typedef struct {
  gint32 image, drawable;
} Subject;

/* An image of one layer of that size, its pixels still to be written. type is one of
 * GIMP_RGB_IMAGE, GIMP_RGBA_IMAGE, GIMP_GRAY_IMAGE, GIMP_GRAYA_IMAGE. Delete it with
 * gimp_image_delete. */
Subject subject_new_empty (GimpPrecision precision, GimpImageType type, int width, int height);

/* The same, its pixels drawn from rand. */
Subject subject_new (GimpPrecision precision, GimpImageType type, int width, int height,
                     GRand *rand, gboolean wild);

/* New pixels for any drawable, drawn from rand. */
void subject_fill (gint32 drawable, GRand *rand, gboolean wild);

FxFormat subject_format (gint32 drawable);

/* The drawable's pixels as they are stored; free with raster_free. */
Raster *subject_read (gint32 drawable);

/* Replaces them; the raster must have the drawable's format and size. */
void subject_write (gint32 drawable, const Raster *raster);

/* args as the engine understands them for this drawable. */
BlurParams subject_params (gint32 drawable, const Args *args);

/* args as settings of the procedure's filter. */
FilterSettings *subject_settings (const Args *args);

/* Makes settings of args the last ones. */
void subject_set_last_values (const Args *args);

/* The selection over the drawable, 0 to 1; g_free it. */
double *subject_selection (Subject subject);

/* A procedure's arguments after the drawable. */
#define SUBJECT_ARGS_MAX     12
#define SUBJECT_INT(value)   ((GimpParam) { GIMP_PDB_INT32, { .d_int32 = (value) } })
#define SUBJECT_FLOAT(value) ((GimpParam) { GIMP_PDB_FLOAT, { .d_float = (value) } })

/* Calls a filter's procedure; without args as GIMP does from its menus. Returns FALSE with the
 * status and GIMP's words in message, to be freed with g_free. */
gboolean subject_call (Subject subject, const char *procedure, GimpRunMode mode,
                       const GimpParam *args, int n_args, GimpPDBStatusType *status,
                       char **message);

/* Calls the blur's. args may be NULL. */
gboolean subject_blur (Subject subject, GimpRunMode mode, const Args *args,
                       GimpPDBStatusType *status, char **message);

/* Returns whether the procedure is to use a GPU for that device argument: whether there is one,
 * found by trying it. */
gboolean subject_on_gpu (int device);

/* Compares what the procedure has made with what the engine makes: its bytes, or where one of them
 * may be a GPU's its pixels, as raster_compare. */
char *subject_differs (const Raster *actual, const Raster *expected, int device, double range,
                       double factor);
