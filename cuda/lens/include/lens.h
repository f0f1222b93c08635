/* The lens blur: its parameters and its plans.
 *
 * A lens that is out of focus spreads each point of light over the shape of its aperture. The
 * result is the image convolved with that shape,
 *     r[y][x] = sum over j, i of w[j][i] p[y - j][x - i]
 * with premultiplied alpha, in the light given by LensParams. Each point becomes the aperture as it
 * is described here: neither mirrored nor rotated.
 *
 * The weight w[j][i] of a pixel is the integral of the aperture's brightness over it,
 *     b (q) = 1 + ring (2 q^2 - 1)
 * where q is the distance from the middle, 1 at the radius, divided by the sum of the weights. The
 * brightness is 0 outside of the shape, so a pixel that the shape covers in part counts in part.
 * The error of a weight is at most 1e-4 of the brightest whole pixel. A shape inside one pixel
 * changes nothing: smaller radii lead to that without a jump.
 *
 * 2 q^2 - 1 is the defocus among the circle polynomials (Born and Wolf, Principles of Optics, 9.2):
 * its mean over a disc is 0. To first order, it describes a lens with primary spherical aberration,
 * in which rays from the rim converge on one side of the focus and diverge on the other. At a ring
 * of 1 the middle is dark, and at -1 the rim.
 *
 * Highlights. A camera cuts off light at white, but a lens spreads the light of the scene, in which
 * lamps are far brighter. So bright colour is expanded before the sum, and the result is compressed
 * by the inverse, as in Spitzak's blur (spitzak.github.io/conversion/blur.html), where any
 * increasing curve will do. All channels of a pixel are multiplied by f (m) / m,
 * where m is the brightest of them in the filter's light, so that a lamp keeps its colour. With the
 * threshold t in that light, but at most that of 254/255,
 *     f (m) = m                                                if m <= t
 *     f (m) = m + (2^highlights - 1) ((m - t) / (1 - t))^2     if t < m < 1
 *     f (m) = 2^highlights m                                   if m >= 1
 * The sum, whose brightest channel is f (m), is multiplied by m / f (m). So an even area is
 * unchanged, and the shape that a white lamp becomes is exactly 2^highlights times as bright, if
 * that is not brighter than t. Light below t is unchanged, and f and its slope are continuous at t,
 * so that no edge appears in a smooth sky. From white on, the factor is the same, for HDR pictures.
 * White is always above t; at a threshold of 1, it is the only level of 8 bits that is. No slope is
 * below 1, so the inverse magnifies no error. A pixel without a channel above 0 is unchanged. A NaN
 * is never the brightest, and an infinity has the factor of white. f applies before colour is
 * multiplied by alpha. A channel or a mask is no colour: for these, highlights should be 0.
 *
 * The error against the sum in double precision has these bounds on the GPU and on the CPU, with
 * f (1), which is 2^highlights:
 *     8-bit          at most 1 level, 99% of the samples equal
 *     16-bit         at most 2 levels times f (1), without highlights half of the samples equal
 *     half           1 ulp, or 1e-5 of the range if that is larger
 *     float, double, 32-bit   1e-5 of the range
 * If t is nearly 1, f is steep below white, where its slope is s = 1 + 2 (f (1) - 1) / (1 - t): all
 * but the first are multiplied by 0.03 s / f (1) if that is above 1.
 * The range is the largest magnitude in the expanded source, at least f (1). The bounds apply to
 * colour if alpha is at least 8/255, otherwise to colour times alpha. What convolve.h says of sums,
 * curves, infinities and NaN applies here, too.
 *
 * A plan that changes nothing, as with a radius of 0, preserves every byte. */
#pragma once

#include "plan.h"

FX_BEGIN_API

#define LENS_RADIUS_MAX     500.0 /* pixels */
#define LENS_BLADES_MIN     3
#define LENS_BLADES_MAX     12
#define LENS_HIGHLIGHTS_MAX 6.0 /* stops */

typedef struct {
  double radius;    /* of the circle around the aperture, in pixels, 0 to LENS_RADIUS_MAX; 0 changes
                       nothing */
  int blades;       /* LENS_BLADES_MIN to LENS_BLADES_MAX, each an edge of a regular polygon; 0: a
                       disc */
  double rotation;  /* degrees clockwise, -180 to 180; at 0 a corner points up */
  double roundness; /* of the edges, 0 to 1: straight, to arcs of the circle, which make a disc; the
                       curvature is in proportion */
  double ring;      /* -1 to 1: how much brighter the rim is than the middle; negative: darker */
  double squeeze;   /* of an anamorphic lens, -1 to 1: if positive, the aperture is 2^-squeeze times
                       as wide; if negative, it is 2^squeeze times as high */
  double highlights; /* stops, 0 to LENS_HIGHLIGHTS_MAX: how much white is expanded before the blur,
                        and compressed after it */
  double threshold;  /* expansion begins above this light, 0 to 1 in sRGB's perceptual values */
  FxAbyss abyss;
  FxLight light;
} LensParams;

/* Checks params; returns FALSE with FX_ERROR_ARGUMENT if a member is out of range, NaN or
 * infinite. */
gboolean lens_params_check (const LensParams *params, GError **error);

/* Sets x and y to the pixels by which a layer grows on each side if it is to contain the blur.
 * params must be valid. */
void lens_params_get_growth (const LensParams *params, int *x, int *y);

/* Draws the aperture, as a point of light looks behind it: fills values with the weight of each
 * pixel of a square picture of size rows, so that the largest is 1. size is odd and at least 5; the
 * aperture stands in the middle, with a radius of (size - 3) / 2. params must be valid; their
 * radius is not used. If memory runs out, all is 0. */
void lens_params_draw_aperture (const LensParams *params, int size, float *values);

/* Creates a plan for images stored in format; free it with fx_plan_free. Returns NULL with
 * FX_ERROR_ARGUMENT if params or format is invalid, and with FX_ERROR_MEMORY if memory runs out. */
FxPlan *lens_plan_new (const LensParams *params, const FxFormat *format, GError **error);

FX_END_API
