/* Declarations shared by the focus blur's kernels and the C code that launches them.
 *
 * The pyramid. Level P_M is the picture convolved with a Gaussian of sigma c M, and has a cell
 * every M pixels: cell n lies at pixel n M of the image. The factors M are 1, 2, 3, 4, 6, 8, 12,
 * and so on, but level 1 is the picture itself. A pixel takes the level of the largest M with
 * sigma >= k M, or level 1 if there is none, whatever its place. It sums the level's cells, out to
 * cut times the standard deviation, with a Gaussian of sigma in level 1 and of
 * sqrt (sigma^2 - c^2 M^2) in the others. */
#ifndef FOCUS_ARGS_H
#define FOCUS_ARGS_H

#ifdef __cplusplus
#define FOCUS_FUNCTION __device__ static inline
#else
#include <math.h>
#define FOCUS_FUNCTION static inline
#endif

#define FOCUS_LEVELS_MAX 20 /* enough for M = 768, that of the largest sigma */
#define FOCUS_TAPS_MAX   30 /* the largest radius of a level's kernel */

#define FOCUS_SIGMA_MIN 0.2f /* a pixel with less stays as it is stored */

/* In sigmas: what further pixels weigh matters only for infinities. */
#define FOCUS_REACH_MAX 9.0f

/* The least v of keep-sharp's w. */
#define FOCUS_SHARE_MIN 0.015625f

/* A level is made of a finer one. Cell n is the sum over i, -radius to radius, along each axis of
 * weights[|i|] times cell n step + i of the finer one. */
typedef struct {
  int factor; /* M */
  int from;   /* the finer level's number */
  int step;   /* cells of the finer level to one of this */
  int radius;
  float weights[FOCUS_TAPS_MAX + 1]; /* from the middle outwards; the whole kernel sums to 1 */

  /* Cells to store beyond each edge of the picture, at least: those that pixels sum, and those that
   * differ from the outermost one, which stands for all beyond it. */
  int margin;
  int spread; /* pixels on each side of a cell that it depends on */
  int gather; /* cells that a pixel sums on each side of its own place, at most */
} FocusLevel;

/* v of a pixel, with from_x and from_y for its middle less the centre:
 *     u = across_x from_x + across_y from_y,  v = down_x from_x + down_y from_y
 *     v(x) = clamp ((d (u, v) - inner) slope, 0, 1)^exponent
 * Places are those of FxGeometry's plane. */
typedef struct {
  int shape; /* FocusShape */
  double x, y;
  double across_x, across_y, down_x, down_y;
  double inner, slope;
  double exponent; /* 1: no power need be computed */
} FocusShapeArgs;

/* The same of a map: the value at column clamp ((((x << shift) + half) - map's x), 0, width - 1),
 * with half = (1 << shift) >> 1; shift is above 0 in a draft. */
typedef struct {
  int x, y, width, height;
  int shift;
  int invert;
  double focal, scale; /* scale: 1 / max (focal, 1 - focal) */
} FocusMapArgs;

/* That column of pixel at, or row: first is map's x or y, and size its width or height. */
FOCUS_FUNCTION int
focus_map_find (int at, int shift, int first, int size)
{
  const long long scale = 1ll << shift, place = at * scale + scale / 2 - first;

  return place < 0 ? 0 : place < size ? (int) place : size - 1;
}

/* v by the map's value. */
FOCUS_FUNCTION float
focus_map_get_share (const FocusMapArgs *map, float value)
{
  const float m = value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f; /* NaN is 0 */

  return (float) (fabs ((map->invert ? 1.0 - m : m) - map->focal) * map->scale);
}

typedef struct {
  float strength; /* the largest sigma */
  float k, c, cut;
  float keep_sharp; /* 0: w is 1 */
  int levels;       /* the number of levels, at least 1 */
} FocusArgs;

#endif
