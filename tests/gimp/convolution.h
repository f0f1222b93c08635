/* The convolution matrix within GIMP: the procedure's call, and its expected result. */
#pragma once

#include "convolve.h"
#include "subject.h"

#define CONVOLVE "plug-in-cuda-convolve"

/* The procedure's arguments after the drawable. */
typedef struct {
  gint rows, columns, count;
  const double *values;
  double divisor, offset;
  gint channels, weighting, abyss, light, device;
} Convolution;

/* Calls the procedure, as subject_blur. convolution may be NULL. */
gboolean convolution_apply (Subject subject, GimpRunMode mode, const Convolution *convolution,
                            GimpPDBStatusType *status, char **message);

/* Returns the engine's parameters for this drawable. */
ConvolveParams convolution_params (gint32 drawable, const Convolution *convolution);

/* Returns the engine's result for the raster, on the CPU. NULL with error if it refuses. */
Raster *convolution_run (const Raster *raster, const ConvolveParams *params, GError **error);

/* Returns the stored values by the definition, clamped in integer formats; free them with
 * g_free. */
double *convolution_define (const Raster *raster, const ConvolveParams *params);
