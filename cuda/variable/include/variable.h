/* A Gaussian or a lens blur whose strength at each pixel a second picture gives, the map: its
 * parameters and its plans. These are the focus blur's plans of a map; focus.h has the definition,
 * with strength for radius, and the bounds. */
#pragma once

#include "focus.h"
#include "plan.h"

FX_BEGIN_API

typedef struct {
  FocusKind kind;
  double radius;     /* the largest sigma or radius of the lens: pixels, 0 to FOCUS_STRENGTH_MAX, or
                        with a lens to FOCUS_LENS_MAX */
  double focal;      /* the map's value that is sharp, 0 to 1 */
  gboolean invert;   /* 1 - value in place of each value of the map */
  double keep_sharp; /* 0 to FOCUS_KEEP_MAX */

  /* The lens's settings, as in focus.h. */
  int blades;
  double blade_rotation, roundness, squeeze, highlights, threshold;

  FxAbyss abyss;
  FxLight light;
} VariableParams;

typedef struct {
  GBytes *values;    /* floats in rows of width, without padding; a plan keeps a reference */
  int width, height; /* 1 to FX_SIZE_MAX each */
  int x, y;          /* the place of the first value, in the plane of FxGeometry, -FX_PLACE_MAX to
                        FX_PLACE_MAX */
} VariableMap;

/* Checks params; returns FALSE with FX_ERROR_ARGUMENT if a member is out of range, NaN or infinite.
 */
gboolean variable_params_check (const VariableParams *params, GError **error);

/* Sets x and y to the pixels by which a layer grows on each side if it is to contain the blur:
 * those of the Gaussian blur of the largest sigma, or of the lens blur. params must be valid. */
void variable_params_get_growth (const VariableParams *params, int *x, int *y);

/* Creates a plan for pictures stored in format; free it with fx_plan_free. With NULL for map, the
 * strength is the largest everywhere: such a plan costs and reaches as much as any. Returns NULL
 * with FX_ERROR_ARGUMENT if params, map or format is invalid. */
FxPlan *variable_plan_new (const VariableParams *params, const VariableMap *map,
                           const FxFormat *format, GError **error);

FX_END_API
