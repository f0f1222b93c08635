/* Selective blur: smooths skin and noise, and keeps edges sharp. Its parameters and its plans.
 *
 * Each pixel p of the result is a weighted mean of the pixels q of the square window around it,
 * those at most radius columns and radius rows away. The weight of q is
 *     exp (-|q - p|^2 / (2 sigma^2)) alpha (q) S
 * where S says how similar the two pixels' colours are, in perceptual values, straight:
 *     Hard   of each channel by itself: 1 if the values differ by at most delta, else 0
 *     Soft   of all channels: exp (-|d|^2 / (2 delta^2)), the bilateral filter, where |d| is the
 *            Euclidean distance of the colours
 * The mean is of straight colour in the light given by SelectiveParams. Alpha stays. Beyond
 * the edge is the nearest pixel, or nothing, which has no weight.
 *
 * Hard compares
 *     integers that are stored with a curve, or are coverage: with floor (delta * their maximum)
 *     floats that are, in single precision: with delta
 *     linear samples: by codes (light-codes.h), with floor (delta * 65535)
 * so a pixel of the window counts or not alike on every device, in every view and strip.
 *
 * A pixel whose alpha is 0, negative or not finite stays as it is, and has no weight. A channel
 * that is infinite or NaN does the same; of Soft, so do all channels of its pixel. To Soft, a value
 * is infinite if dividing it by delta overflows single precision.
 *
 * The error has the bounds of blur.h on the GPU and on the CPU, with what is said there of curves
 * and of small alpha.
 *
 * A plan that changes nothing leaves every byte as it is. */
#pragma once

#include "plan.h"

FX_BEGIN_API

#define SELECTIVE_SIGMA_MAX  50.0
#define SELECTIVE_RADIUS_MAX 200

typedef enum { SELECTIVE_HARD, SELECTIVE_SOFT } SelectiveEdges;

typedef struct {
  double sigma; /* pixels, 0 to SELECTIVE_SIGMA_MAX; 0 changes nothing */
  int radius;   /* of the window, 0 to SELECTIVE_RADIUS_MAX; 0 changes nothing */
  double delta; /* 0 to 1; Soft below 1e-7 changes nothing */
  SelectiveEdges edges;
  FxAbyss abyss; /* FX_ABYSS_CLAMP or FX_ABYSS_NONE */
  FxLight light;
  gboolean coverage; /* a mask or a channel: values are compared as they are stored */
} SelectiveParams;

/* Returns the radius that goes with sigma: 3 sigma, rounded up; 0 if sigma is no number. */
int selective_params_get_radius (double sigma);

/* Checks params; returns FALSE with FX_ERROR_ARGUMENT if a member is out of range or NaN. */
gboolean selective_params_check (const SelectiveParams *params, GError **error);

/* Creates a plan for images stored in format; free it with fx_plan_free. Returns NULL with
 * FX_ERROR_ARGUMENT if params or format is invalid, and with FX_ERROR_MEMORY if memory
 * runs out. */
FxPlan *selective_plan_new (const SelectiveParams *params, const FxFormat *format, GError **error);

FX_END_API
