/* A Gaussian or a lens blur whose strength varies over the picture: its parameters and its plans.
 *
 * v(x), 0 to 1, is the strength at pixel x as a share of the largest one, and sigma(x) = strength
 * v(x). With a for alpha and c for colour in the filter's light, and sums over all pixels y,
 *     alpha(x)  = sum K w a / sum K w
 *     colour(x) = sum K w a c / sum K w a
 *     K = exp (-|y - x|^2 / (2 sigma(x)^2))
 * out to 6 sigma along each axis. A pixel with a sigma below 0.2 is left as it is, byte for byte.
 * Where sigma is constant and w is 1, this is the Gaussian blur (blur.h). Beyond the edge, pixels
 * are those of the abyss policy, and w is the nearest pixel's.
 *
 * A lens has sigma(x) for its radius, and K is the area of pixel y that the aperture (lens.h)
 * covers when it is centred on x and rotated by 180 degrees. A pixel with a
 * radius of at most 0.5 is left as it is. Highlights are expanded before the sums, and compressed
 * after them, as lens.h says. Where the radius is constant and w is 1, this is the lens blur with a
 * ring of 0.
 *
 * w is 1, or with keep_sharp
 *     w(y) = max (v(y), 1/64)^keep_sharp
 * so that sharp pixels count less in soft ones: a sharp subject does not leak into its background.
 *
 * The shape. The centre is at x, y of the picture's width and height (FxGeometry): 0 is the left
 * edge of its first pixel, 1 the right edge of its last one. With L = width / 2, u and v are the
 * distances of the pixel's middle from it, turned by -rotation, in units of
 *     max (L (1 + min (aspect_ratio, 0)), 1/1024) along u
 *     max (L (1 - max (aspect_ratio, 0)), 1/1024) along v
 * pixels. Then
 *     d = hypot (u, v), max (|u|, |v|), |u| + |v|, |v| or |u|
 * of a circle, a square, a diamond, a horizontal and a vertical band, and
 *     s = clamp ((d - radius focus) / max (radius (1 - focus), 0.0001), 0, 1)
 *     v(x) = s^g,  g = clamp (ln 0.5 / ln midpoint, 0.0001, 1000)
 * with 0^g = 0, and g = 1000 at a midpoint of 1; so the strength is 0 up to focus of the radius,
 * and half of the largest one at midpoint of the rest. (GEGL's gegl:focus-blur has these settings.)
 *
 * The map. With m = NaN ? 0 : clamp (value, 0, 1), of the nearest value to the pixel, and 1 - m in
 * its place if it is inverted,
 *     v(x) = |m - focal| / max (focal, 1 - focal)
 *
 * The error has the bounds of blur.h, and for a lens those of lens.h, on the GPU and on the CPU,
 * with what is said there of curves, of small alpha and of infinities, which reach a pixel x by its
 * own sigma(x), unless it is left as it is. An infinity may not count if the lens covers less than
 * 1e-4 of its pixel. With keep_sharp, the bounds are multiplied by the largest w within the
 * reach of x, divided by the mean weight there, sum K w / sum K. The
 * CPU's result does not depend on the region that is asked for, nor on the strips. The GPU's may,
 * within the bounds. */
#pragma once

#include "plan.h"

FX_BEGIN_API

#define FOCUS_STRENGTH_MAX 1500.0 /* pixels */
#define FOCUS_LENS_MAX     200.0  /* pixels */
#define FOCUS_CENTER_MAX   10.0   /* widths and heights of the picture */
#define FOCUS_RADIUS_MAX   1000.0 /* halves of the width */
#define FOCUS_KEEP_MAX     2.0

/* Bounds of the lens's settings. */
#define FOCUS_BLADES_MIN     3
#define FOCUS_BLADES_MAX     12
#define FOCUS_HIGHLIGHTS_MAX 6.0

/* In GEGL's order. */
typedef enum {
  FOCUS_GAUSSIAN,
  FOCUS_LENS,
} FocusKind;

/* In GEGL's order. */
typedef enum {
  FOCUS_CIRCLE,
  FOCUS_SQUARE,
  FOCUS_DIAMOND,
  FOCUS_HORIZONTAL,
  FOCUS_VERTICAL,
} FocusShape;

typedef struct {
  FocusKind kind;
  double strength; /* the largest sigma or radius: pixels, 0 to FOCUS_STRENGTH_MAX, or with a lens
                      to FOCUS_LENS_MAX */

  /* The shape's settings, unused with a map. */
  FocusShape shape;
  double x, y;         /* -FOCUS_CENTER_MAX to FOCUS_CENTER_MAX; 0.5 is the middle */
  double radius;       /* where it is fully soft, in halves of the width: 0 to FOCUS_RADIUS_MAX */
  double focus;        /* up to which part of the radius it is sharp: 0 to 1 */
  double midpoint;     /* at which part of the rest it is half as soft: 0 to 1 */
  double aspect_ratio; /* -1 to 1; positive: less high than wide */
  double rotation;     /* degrees clockwise, -180 to 180 */

  double keep_sharp; /* 0 to FOCUS_KEEP_MAX */

  /* The lens's settings, as in lens.h: unused without a lens, but in range. */
  int blades;
  double blade_rotation, roundness, squeeze, highlights, threshold;

  FxAbyss abyss;
  FxLight light;
} FocusParams;

/* The strength as a picture. */
typedef struct {
  /* Floats in rows of width, without padding. A plan keeps a reference. They may be those of a
   * mapped file, so that the map of a very large picture need not be in memory: runs go through the
   * rows from top to bottom, once for each strip. A GPU that keeps the picture's source keeps them,
   * too, for plans of the same GBytes, unless they are many more than its pixels. */
  GBytes *values;
  int width, height; /* 1 to FX_SIZE_MAX each */
  int x, y;          /* the place of the first value, in the plane of FxGeometry, -FX_PLACE_MAX to
                        FX_PLACE_MAX */
  double focal;      /* the value that is sharp, 0 to 1 */
  gboolean invert;
} FocusMap;

/* Checks params; returns FALSE with FX_ERROR_ARGUMENT if a member is out of range, NaN or infinite.
 */
gboolean focus_params_check (const FocusParams *params, GError **error);

/* The same for a map, and that values has so many floats. */
gboolean focus_map_check (const FocusMap *map, GError **error);

/* Sets x and y to the pixels by which a layer grows on each side if it is to contain the blur:
 * those of the Gaussian blur of the largest sigma, or of the lens blur. params must be valid. */
void focus_params_get_growth (const FocusParams *params, int *x, int *y);

/* Creates a plan for a picture at geometry, stored in format; free it with fx_plan_free. map is
 * NULL for the shape. Returns NULL with FX_ERROR_ARGUMENT if params, map, format or geometry is
 * invalid. */
FxPlan *focus_plan_new (const FocusParams *params, const FocusMap *map, const FxFormat *format,
                        const FxGeometry *geometry, GError **error);

FX_END_API
