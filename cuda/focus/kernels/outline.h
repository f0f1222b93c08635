/* The outline of an aperture, cut at the sides of pixels: for kernels and for C.
 *
 * Along a row of pixels, an aperture is a chord for each y, and a sum over the row is the integral
 * by dy of C (right end) - C (left end), where C is the sum of the pixels up to a place, linear
 * within each. So an outline is two lists of pieces from top to bottom, one for each end, and
 * within one pixel a piece adds height times C of the pixel's left side, and area times the pixel.
 *
 * All is in single precision, whose error is that of moving the outline by 2^-22 of the radius. */
#ifndef FOCUS_OUTLINE_H
#define FOCUS_OUTLINE_H

#include "focus-args.h"

#ifdef __cplusplus
#define FOCUS_DIVIDE(a, b) __fdividef (a, b)
#else
#define FOCUS_DIVIDE(a, b) ((a) / (b))
#endif

/* Off by 1 unit in the last place on a GPU, and much faster than an exact one. */
FOCUS_FUNCTION float
focus_get_root (float x)
{
#ifdef __CUDACC__
  float root;

  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
#else
  return sqrtf (x);
#endif
}

#define FOCUS_PIECES_MAX 24   /* 12 edges, and arcs end at each multiple of 45 degrees */
#define FOCUS_LENS_MIN   0.5f /* a pixel with a smaller radius stays as it is stored */

#define FOCUS_BESIDE   2      /* columns beyond the reach, which pieces without an area may touch */
#define FOCUS_SEEN     1e-4f  /* the least part of a pixel in which an infinity counts */
#define FOCUS_NEGATIVE 65536u /* a count of -infinity; one of +infinity in the same word is 1 */

/* A line, or an arc along which both u and v rise or fall. Places u, v are in units of the radius,
 * before the squeeze, from the pixel's middle. */
typedef struct {
  float u, v, end_u, end_v; /* v rises */
  float normal_u, normal_v; /* where it begins: of length 1, outwards */
  float curvature;          /* 0: a line */
} FocusPiece;

typedef struct {
  int right, left; /* pieces of the right end, which come first, and of the left */
  int mirrored;    /* there are only the lower ones of the right end: the aperture is symmetric */
  int rows;        /* of pixels, on each side of the middle one, that the largest radius reaches */
  float step_u, step_v; /* the width and the height of a pixel, before the squeeze: at least 1 */
  float per_u, per_v;   /* 1 / step_u, 1 / step_v */
  float area;           /* of the aperture with a radius of 1, in pixels */
  FocusPiece pieces[FOCUS_PIECES_MAX];
} FocusOutline;

/* What a piece adds to a sum: pixel row, column, counted from the middle one, is partly covered.
 * height times the pixels to the left of it in the row, and area times itself. */
typedef struct {
  int row, column;
  float height, area;
} FocusSegment;

/* A walk along one end of the outline for a radius. */
typedef struct {
  const FocusOutline *outline;
  float radius;
  int piece, end;       /* the current piece, and where to stop */
  float curvature;      /* of the piece, in pixels */
  float side;           /* 1: the right end; -1: the left */
  float direction;      /* of u */
  float u, v;           /* as far as the walk has come, in pixels before the squeeze */
  float goal_u, goal_v; /* the end of the piece or of the row */
  int row, column;
  int arrived, last; /* at the goal; the goal is the end of the piece */
} FocusWalk;

FOCUS_FUNCTION FocusWalk
focus_walk_begin (const FocusOutline *outline, float radius, int left)
{
  FocusWalk walk;

  walk.outline = outline;
  walk.radius = radius;
  walk.piece = (left ? outline->right : 0) - 1;
  walk.end = outline->right + (left ? outline->left : 0);
  walk.side = left ? -1.0f : 1.0f;
  walk.direction = walk.curvature = walk.u = walk.v = walk.goal_u = walk.goal_v = 0.0f;
  walk.row = walk.column = 0;
  walk.arrived = walk.last = 1;
  return walk;
}

/* The other coordinate, from where a piece begins, of its point at distance along. With p for the
 * place from the beginning, n the normal and c the curvature, c p^2 + 2 n p = 0. */
FOCUS_FUNCTION float
focus_piece_find (float along, float normal_along, float normal, float sign, float curvature)
{
  const float c = along * (curvature * along + 2.0f * normal_along);

  return FOCUS_DIVIDE (-c, normal +
                             sign * focus_get_root (fmaxf (normal * normal - curvature * c, 0.0f)));
}

/* The area between a chord and its arc: 4 terms of the series, whose error is below 2^-20 of the
 * circle up to 45 degrees. */
FOCUS_FUNCTION float
focus_piece_get_bulge (float du, float dv, float curvature)
{
  const float squared = du * du + dv * dv, x = 0.25f * squared * curvature * curvature;
  const float series = ((5.0f / 48.0f * x + 9.0f / 56.0f) * x + 0.3f) * x + 1.0f;

  return squared * focus_get_root (squared) * curvature * (1.0f / 12.0f) * series;
}

FOCUS_FUNCTION void
focus_walk_begin_piece (FocusWalk *walk)
{
  const FocusOutline *outline = walk->outline;
  const FocusPiece *piece = &outline->pieces[walk->piece];

  walk->u = piece->u * walk->radius;
  walk->v = piece->v * walk->radius;
  walk->curvature = FOCUS_DIVIDE (piece->curvature, walk->radius);
  walk->direction = piece->end_u < piece->u ? -1.0f : 1.0f;
  walk->column = (int) floorf (walk->u * outline->per_u + 0.5f);
  walk->row = (int) floorf (walk->v * outline->per_v + 0.5f);
  if (walk->row < -outline->rows)
    walk->row = -outline->rows;
  if (walk->row > outline->rows)
    walk->row = outline->rows;
}

/* Sets the goal: the end of the piece, or of the row if that comes first. */
FOCUS_FUNCTION void
focus_walk_aim (FocusWalk *walk)
{
  const FocusOutline *outline = walk->outline;
  const FocusPiece *piece = &outline->pieces[walk->piece];
  const float start_u = piece->u * walk->radius, start_v = piece->v * walk->radius;
  const float end_u = piece->end_u * walk->radius, end_v = piece->end_v * walk->radius;
  const float line = ((float) walk->row + 0.5f) * outline->step_v;
  float u;

  walk->arrived = 0;
  walk->last = line >= end_v || walk->row == outline->rows;
  walk->goal_u = end_u;
  walk->goal_v = end_v;
  if (walk->last)
    return;
  u = start_u + focus_piece_find (line - start_v, piece->normal_v, piece->normal_u, walk->side,
                                  walk->curvature);
  walk->goal_v = line;
  walk->goal_u = walk->direction > 0.0f ? fminf (fmaxf (u, walk->u), end_u)
                                        : fmaxf (fminf (u, walk->u), end_u);
}

/* Takes the next step, to the next side of a pixel or to the goal. Returns 0 at the end. */
FOCUS_FUNCTION int
focus_walk_next (FocusWalk *walk, FocusSegment *segment)
{
  const FocusOutline *outline = walk->outline;
  const FocusPiece *piece;
  float middle, side, u, v, du, dv;

  if (walk->arrived)
    {
      if (! walk->last)
        walk->row++;
      else if (++walk->piece < walk->end)
        focus_walk_begin_piece (walk);
      else
        return 0;
      focus_walk_aim (walk);
    }
  piece = &outline->pieces[walk->piece];
  middle = (float) walk->column * outline->step_u;
  side = middle + 0.5f * walk->direction * outline->step_u;
  walk->arrived = (walk->goal_u - side) * walk->direction <= 0.0f;
  u = walk->goal_u;
  v = walk->goal_v;
  if (! walk->arrived)
    {
      u = side;
      v = piece->v * walk->radius +
          focus_piece_find (side - piece->u * walk->radius, piece->normal_u, piece->normal_v,
                            -walk->side * walk->direction, walk->curvature);
      v = fminf (fmaxf (v, walk->v), walk->goal_v);
    }
  du = u - walk->u;
  dv = v - walk->v;
  segment->row = walk->row;
  segment->column = walk->column;
  segment->height = dv * outline->per_v;
  segment->area = (dv * (walk->u + 0.5f * du - middle + 0.5f * outline->step_u) +
                   walk->side * focus_piece_get_bulge (du, dv, walk->curvature)) *
                  (outline->per_u * outline->per_v);
  walk->u = u;
  walk->v = v;
  walk->column += walk->arrived ? 0 : (int) walk->direction;
  return 1;
}

#endif
