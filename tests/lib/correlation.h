/* The convolution of convolve.h in double precision, computed by its definition and without the
 * engine's code: slow, but the reference for the engine. Values are as in reference.h. */
#pragma once

#include "convolve.h"

/* The allowed range of a sample: value is the unrounded result of exact arithmetic; low and high
 * are the lowest and highest values that rounding to single precision can produce before the sample
 * is stored. */
typedef struct {
  double value, low, high;
} Correlation;

/* Highlights as in lens.h, with the threshold in the filter's light; stops of 0: none. */
typedef struct {
  double stops, threshold;
} CorrelationHighlights;

/* Returns f (m). */
double correlation_expand (const CorrelationHighlights *highlights, double m);

/* Replaces the light of a pixel's colours by what is summed. */
void correlation_expand_pixel (const CorrelationHighlights *highlights, double *light, int colors);

/* The convolution of an image of width x height pixels of format. */
typedef struct _CorrelationSums CorrelationSums;

/* All but source must outlive it. */
CorrelationSums *correlation_sums_new (const ConvolveParams *params, const FxFormat *format,
                                       int width, int height,
                                       const CorrelationHighlights *highlights,
                                       const double *source);
void correlation_sums_free (CorrelationSums *sums);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CorrelationSums, correlation_sums_free)

/* Sets pixel to the samples of a pixel, as if all channels were written. */
void correlation_sums_get (const CorrelationSums *sums, int x, int y, Correlation *pixel);

/* Returns the values of the whole image, not clamped but for integer formats. Channels that are not
 * written keep theirs. Free them with g_free. */
double *correlation_get_values (const ConvolveParams *params, const FxFormat *format, int width,
                                int height, const double *source);

/* Returns the sum of |values / divisor|, at least 1: the factor by which errors of floats may
 * grow. */
double correlation_get_gain (const ConvolveParams *params);
