/* The outline of the lens's aperture, rotated by 180 degrees: a pixel gathers the light of all
 * points whose apertures reach it. */
#include "focus-plan.h"

#include "lens.h"

#include <math.h>

#define STRAIGHT 1e-7 /* curvatures below, in units of the circle's, are those of lines */
#define PART     (G_PI / 4.0)
#define FLAT     1e-7 /* of the radius: pieces of less height do not matter */

/* The pieces of one end, in any order. */
typedef struct {
  FocusPiece pieces[FOCUS_PIECES_MAX];
  int n;
} End;

/* A point of an edge, and the direction of its normal there. */
typedef struct {
  double u, v, angle;
} Point;

/* Adds a piece between two points, clockwise. */
static void
add_piece (End *ends, const Point *begin, const Point *end, double curvature)
{
  gboolean left = cos ((begin->angle + end->angle) / 2.0) < 0.0;
  const Point *upper = left ? end : begin, *lower = left ? begin : end;

  if (lower->v - upper->v <= FLAT)
    return;
  ends[left].pieces[ends[left].n++] = (FocusPiece) {
    .u = (float) upper->u,
    .v = (float) upper->v,
    .end_u = (float) lower->u,
    .end_v = (float) lower->v,
    .normal_u = (float) cos (upper->angle),
    .normal_v = (float) sin (upper->angle),
    .curvature = (float) curvature,
  };
}

static void
add_line (End *ends, double angle, double half)
{
  const Point begin = { cos (angle), sin (angle), angle + half };
  const Point end = { cos (angle + 2.0 * half), sin (angle + 2.0 * half), angle + half };

  add_piece (ends, &begin, &end, 0.0);
}

/* Adds an arc whose middle lies at depth from that of the aperture, in the direction across. */
static void
add_arc (End *ends, double across, double wide, double depth, double own)
{
  double at = across - wide, end = across + wide;

  for (int n = (int) floor (at / PART + 1e-9) + 1; at < end - 1e-9; n++)
    {
      double next = n * PART < end - 1e-9 ? n * PART : end;
      const Point from = { depth * cos (across) + own * cos (at),
                           depth * sin (across) + own * sin (at), at };
      const Point to = { depth * cos (across) + own * cos (next),
                         depth * sin (across) + own * sin (next), next };

      add_piece (ends, &from, &to, 1.0 / own);
      at = next;
    }
}

/* Returns the area between an edge's arc and its chord. */
static double
get_bulge (double own, double wide)
{
  if (wide < 1e-3)
    return own * own * wide * wide * wide * (2.0 / 3.0);
  return own * own * (wide - sin (wide) * cos (wide));
}

/* Adds the edge from the corner at angle; returns its part of the area. */
static double
add_edge (End *ends, double angle, double half, double roundness)
{
  double own, depth, wide, area = sin (half) * cos (half);

  if (roundness < STRAIGHT)
    {
      add_line (ends, angle, half);
      return area;
    }
  own = 1.0 / roundness;
  depth = cos (half) - sqrt (MAX (own * own - pow (sin (half), 2.0), 0.0));
  wide = asin (MIN (roundness * sin (half), 1.0));
  add_arc (ends, angle + half, wide, depth, own);
  return area + get_bulge (own, wide);
}

static void
sort (End *end)
{
  for (int i = 1; i < end->n; i++)
    for (int k = i; k > 0 && end->pieces[k].v < end->pieces[k - 1].v; k--)
      {
        FocusPiece piece = end->pieces[k];

        end->pieces[k] = end->pieces[k - 1];
        end->pieces[k - 1] = piece;
      }
}

void
focus_outline_init (FocusOutline *outline, const FocusParams *params, float radius)
{
  gboolean disc = params->blades == 0 || params->roundness == 1.0;
  int edges = disc ? 4 : params->blades;
  double first = disc ? 0.0 : (params->blade_rotation / 180.0 + 0.5) * G_PI, area = 0.0;
  double step_u = exp2 (MAX (params->squeeze, 0.0)), step_v = exp2 (MAX (-params->squeeze, 0.0));
  End ends[2] = { 0 };

  for (int n = 0; n < edges; n++)
    area += add_edge (ends, first + n * 2.0 * G_PI / edges, G_PI / edges,
                      disc ? 1.0 : params->roundness);
  sort (&ends[0]);
  sort (&ends[1]);
  *outline = (FocusOutline) {
    .mirrored = disc,
    .rows = MAX ((int) ceil (radius / step_v - 0.5), 0),
    .step_u = (float) step_u,
    .step_v = (float) step_v,
    .per_u = (float) (1.0 / step_u),
    .per_v = (float) (1.0 / step_v),
    .area = (float) (area / (step_u * step_v)),
  };
  for (int i = 0; i < ends[0].n; i++)
    if (! disc || ends[0].pieces[i].v >= -FLAT)
      outline->pieces[outline->right++] = ends[0].pieces[i];
  for (int i = 0; i < ends[1].n && ! disc; i++)
    outline->pieces[outline->right + outline->left++] = ends[1].pieces[i];
}
