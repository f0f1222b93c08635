/* Finds the engine's form of a tone curve, from samples of it. */
#pragma once

#include "format.h"

#define FIT_SAMPLES 256

/* A tone curve: sets light to the light of n stored values from 0 to 1, FIT_SAMPLES at the most. */
typedef struct {
  void (*get_light) (gconstpointer data, const double *stored, double *light, int n);
  gconstpointer data;
} FitCurve;

/* Returns whether two curves are the same, to the accuracy of 16-bit tables. */
gboolean fit_is_same (const FitCurve *a, const FitCurve *b);

/* Sets trc to the curve: to sRGB's, to a power, or to a power with a straight toe, whichever is the
 * first that is as accurate as 16-bit tables; if none is, to a table. Returns FALSE with
 * FX_ERROR_ARGUMENT if the curve falls; trc is then sRGB's. Thread safe. */
gboolean fit_trc (const FitCurve *curve, FxTrc *trc, GError **error);

/* Sets the curve of a format whose gamma tells whether its samples are stored through a curve: if
 * trc is a straight line, through none. Linear samples become perceptual through trc, or through
 * sRGB's curve if trc is a straight line. */
void fit_set_trc (FxFormat *format, const FxTrc *trc);
