/* Median blur: takes away dust, scratches and hot pixels. Its parameters and its plans.
 *
 * Each sample of the result is a sample of the window around it, chosen by its rank. With r the
 * magnitude of the radius, the window has the pixels i columns and j rows away for which
 *     square    |i| <= r and |j| <= r
 *     circle    i^2 + j^2 <= (r + 1/2)^2
 *     diamond   |i| + |j| <= r
 * Beyond the edge is the nearest pixel, or nothing: a transparent pixel, a black one if there is no
 * alpha. Those count, too.
 *
 * Colour. Each channel by itself is the least sample v of the window for which the samples up to v
 * have a weight of at least
 *     max (1, ceil (p W))     p = percentile / 100, the product in double precision
 * where W is the weight of all of them. A pixel without alpha has the weight 1. One whose alpha is
 * a has the weight of 8-bit samples, 0 to 255, and otherwise
 *     floor (1024 a + 1/2)    for a between 0 and 1; 0 below and of NaN, 1024 above
 * where the sum is computed in the precision of floats and doubles, and exactly for other samples.
 * If W is 0, the result is 0.
 *
 * Alpha is chosen likewise by alpha_percentile, each pixel with the weight 1.
 *
 * A negative radius stands for its magnitude and 1 - p instead of p, for both.
 *
 * Samples are compared as they are stored, so the result is exact, and light and curves do not
 * matter to it. NaN counts as infinity, and becomes it. -0 is less than 0.
 *
 * With a threshold above 0, the colour of a pixel changes only if one of its channels differs from
 * the result by more than the threshold, in perceptual values; otherwise, all stay. Differences are
 * compared
 *     of integers that are stored with a curve, or are coverage: with floor (threshold * maximum)
 *     of floats that are, in single precision: with threshold
 *     of linear samples: by codes (light-codes.h), with floor (threshold * 65535)
 * so every device decides alike. Alpha does not depend on the threshold.
 *
 * In 8-bit layers with a curve the bytes are those of gegl:median-blur, but in a picture that is
 * one pixel wide, where its own are none of the window's. Other formats have those of its high
 * precision, but for 32-bit integers and doubles, which lose digits there in perceptual floats, and
 * 16 bits with alpha, of which two values have another weight there. Without high precision it cuts
 * them, and 8-bit linear layers, whose own bytes count here, to 256 perceptual levels.
 *
 * A radius of 0 changes nothing, and leaves every byte as it is. */
#pragma once

#include "plan.h"

FX_BEGIN_API

#define MEDIAN_RADIUS_MAX 400

typedef enum { MEDIAN_SQUARE, MEDIAN_CIRCLE, MEDIAN_DIAMOND } MedianNeighborhood;

typedef struct {
  MedianNeighborhood neighborhood;
  int radius;              /* pixels, -MEDIAN_RADIUS_MAX to MEDIAN_RADIUS_MAX */
  double percentile;       /* 0 to 100 */
  double alpha_percentile; /* 0 to 100 */
  double threshold;        /* 0 to 1 */
  FxAbyss abyss;           /* FX_ABYSS_CLAMP or FX_ABYSS_NONE */
  gboolean coverage;       /* a mask or a channel: the threshold is of values as they are stored */
} MedianParams;

/* Checks params; returns FALSE with FX_ERROR_ARGUMENT if a member is out of range or NaN. */
gboolean median_params_check (const MedianParams *params, GError **error);

/* Creates a plan for images stored in format; free it with fx_plan_free. Returns NULL with
 * FX_ERROR_ARGUMENT if params or format is invalid, and with FX_ERROR_MEMORY if memory
 * runs out. */
FxPlan *median_plan_new (const MedianParams *params, const FxFormat *format, GError **error);

FX_END_API
