/* Weights by Green's theorem: the integral of the brightness b over a pixel is that of
 *     integral from x to the pixel's right side of b dx
 * by dy along the part of the outline inside the pixel, plus, for the outline in pixels to the
 * left, the integral of b over all of the pixel's width. So the outline is cut at the sides of the
 * pixels, each piece is added where it lies, and a sum along each row does the rest. The pieces are
 * integrated by Gauss's rule. */
#include "aperture.h"

#include <math.h>
#include <string.h>

/* Curvatures, in units of the circle's, below which an edge counts as straight. The area of a pixel
 * is then off by 3e-5 at most. */
#define STRAIGHT 1e-7

#define PART    (G_PI / 8.0) /* the most of an arc, in radians, that one rule integrates */
#define NOTHING 1e-9         /* of a pixel: less than that is rounding */

/* An edge of the outline, in pixels from the upper left corner of the picture. Point t of an arc is
 * x + width cos t, y + height sin t; that of a line is x + width t, y + height t. */
typedef struct {
  gboolean straight;
  double x, y, width, height;
} Edge;

/* A piece's part of the integrals: over its own pixel; and by dy, of 1 and of the squared distance
 * from the middle. */
typedef struct {
  int column;
  int next; /* the row's next piece; -1: there is none */
  double own, full, square;
} Piece;

typedef struct {
  int columns, rows;
  double middle_x, middle_y;
  double scale_x, scale_y;        /* the squeeze */
  double level, slope_x, slope_y; /* b = level + slope_x dx^2 + slope_y dy^2 from the middle */
  GArray *pieces;
  int *heads; /* per row: its first piece */
} Aperture;

static void
get_scales (const LensParams *params, double *x, double *y)
{
  *x = params->squeeze > 0.0 ? exp2 (-params->squeeze) : 1.0;
  *y = params->squeeze < 0.0 ? exp2 (params->squeeze) : 1.0;
}

void
lens_aperture_get_reach (const LensParams *params, double radius, int *x, int *y)
{
  double scale_x, scale_y;

  get_scales (params, &scale_x, &scale_y);
  *x = MAX ((int) ceil (radius * scale_x - 0.5), 0);
  *y = MAX ((int) ceil (radius * scale_y - 0.5), 0);
}

/* Points of an edge. */

static double
get_x (const Edge *edge, double t)
{
  return edge->x + edge->width * (edge->straight ? t : cos (t));
}

static double
get_y (const Edge *edge, double t)
{
  return edge->y + edge->height * (edge->straight ? t : sin (t));
}

/* The derivative of y. */
static double
get_rise (const Edge *edge, double t)
{
  return edge->height * (edge->straight ? 1.0 : cos (t));
}

/* Return the point of a given x or y. On an arc, near is a point of the same quadrant. */

static double
find_x (const Edge *edge, double x, double near)
{
  double turns = 2.0 * G_PI * floor (near / (2.0 * G_PI)), angle;

  if (edge->straight)
    return (x - edge->x) / edge->width;
  angle = acos (CLAMP ((x - edge->x) / edge->width, -1.0, 1.0));
  return turns + (near - turns < G_PI ? angle : 2.0 * G_PI - angle);
}

static double
find_y (const Edge *edge, double y, double near)
{
  double half_turns = G_PI * floor (near / G_PI + 0.5), angle;

  if (edge->straight)
    return (y - edge->y) / edge->height;
  angle = asin (CLAMP ((y - edge->y) / edge->height, -1.0, 1.0));
  return half_turns + (cos (half_turns) > 0.0 ? angle : -angle);
}

/* Pieces. */

/* Adds the piece of an edge between two points, inside one pixel. */
static void
add_piece (Aperture *aperture, const Edge *edge, double begin, double end)
{
  static const double places[] = { 0.3399810435848563, 0.8611363115940526 };
  static const double weights[] = { 0.6521451548625461, 0.3478548451374538 };
  double middle = (begin + end) / 2.0, half = (end - begin) / 2.0;
  int row = CLAMP ((int) floor (get_y (edge, middle)), 0, aperture->rows - 1), n;
  Piece piece = { .next = aperture->heads[row] };
  double right, whole;

  piece.column = CLAMP ((int) floor (get_x (edge, middle)), 0, aperture->columns - 1);
  right = piece.column + 1 - aperture->middle_x;
  whole = right * right * right;
  for (n = 0; n < 4; n++)
    {
      double t = middle + (n % 2 ? half : -half) * places[n / 2];
      double x = get_x (edge, t) - aperture->middle_x, y = get_y (edge, t) - aperture->middle_y;
      double step = -half * weights[n / 2] * get_rise (edge, t);

      piece.own += step * ((aperture->level + aperture->slope_y * y * y) * (right - x) +
                           aperture->slope_x * (whole - x * x * x) / 3.0);
      piece.full += step;
      piece.square += step * y * y;
    }
  aperture->heads[row] = (int) aperture->pieces->len;
  g_array_append_val (aperture->pieces, piece);
}

/* The sides of pixels that a part of an edge crosses along one axis. */
typedef struct {
  double (*find) (const Edge *edge, double place, double near);
  double line, step; /* the next side, and the one after it */
  double end;        /* where the part ends */
} Sides;

static Sides
get_sides (double (*find) (const Edge *, double, double), double begin, double end)
{
  gboolean up = end > begin;

  return (Sides) { find, up ? floor (begin) + 1.0 : ceil (begin) - 1.0, up ? 1.0 : -1.0, end };
}

static double
find_side (const Sides *sides, const Edge *edge, double near)
{
  if ((sides->end - sides->line) * sides->step <= 0.0)
    return G_MAXDOUBLE;
  return sides->find (edge, sides->line, near);
}

/* Cuts a part of an edge, along which x and y both rise or fall. */
static void
add_part (Aperture *aperture, const Edge *edge, double begin, double end)
{
  double near = (begin + end) / 2.0, at = begin;
  Sides x = get_sides (find_x, get_x (edge, begin), get_x (edge, end));
  Sides y = get_sides (find_y, get_y (edge, begin), get_y (edge, end));
  double next_x = find_side (&x, edge, near), next_y = find_side (&y, edge, near);

  while (at < end)
    {
      double next = CLAMP (MIN (next_x, next_y), at, end);

      add_piece (aperture, edge, at, next);
      at = next;
      if (next_x <= at)
        {
          x.line += x.step;
          next_x = find_side (&x, edge, near);
        }
      if (next_y <= at)
        {
          y.line += y.step;
          next_y = find_side (&y, edge, near);
        }
    }
}

static void
add_arc (Aperture *aperture, const Edge *edge, double begin, double end)
{
  double at = begin;
  int n;

  for (n = (int) floor (begin / PART) + 1; at < end; n++)
    {
      double next = MIN (n * PART, end);

      if (next > at)
        add_part (aperture, edge, at, next);
      at = MAX (at, next);
    }
}

/* The outline, clockwise. */

static Edge
place_edge (const Aperture *aperture, double x, double y, double width, double height)
{
  return (Edge) { .x = aperture->middle_x + aperture->scale_x * x,
                  .y = aperture->middle_y + aperture->scale_y * y,
                  .width = aperture->scale_x * width,
                  .height = aperture->scale_y * height };
}

/* Adds the edge between the corners at angle and at angle + 2 half. An arc has the radius divided
 * by the roundness, and its middle on the line from the middle of the edge through that of the
 * aperture. */
static void
add_edge (Aperture *aperture, double radius, double roundness, double angle, double half)
{
  double across = angle + half;
  double x = radius * cos (angle), y = radius * sin (angle);
  double own, depth, wide;
  Edge edge;

  if (roundness < STRAIGHT)
    {
      edge = place_edge (aperture, x, y, radius * cos (angle + 2.0 * half) - x,
                         radius * sin (angle + 2.0 * half) - y);
      edge.straight = TRUE;
      add_part (aperture, &edge, 0.0, 1.0);
      return;
    }
  own = radius / roundness;
  depth = radius * cos (half) - sqrt (MAX (own * own - pow (radius * sin (half), 2.0), 0.0));
  wide = asin (MIN (roundness * sin (half), 1.0));
  edge = place_edge (aperture, depth * cos (across), depth * sin (across), own, own);
  add_arc (aperture, &edge, across - wide, across + wide);
}

static void
add_outline (Aperture *aperture, const LensParams *params, double radius)
{
  int edges = params->blades > 0 ? params->blades : 4, n;
  double roundness = params->blades > 0 ? params->roundness : 1.0;
  double first = (params->rotation / 180.0 - 0.5) * G_PI;

  for (n = 0; n < edges; n++)
    add_edge (aperture, radius, roundness, first + n * 2.0 * G_PI / edges, G_PI / edges);
}

/* The rows. */

static double
sum_row (const Aperture *aperture, int row, double *own, double *full, double *square,
         double *values)
{
  int columns = aperture->columns, first = columns, last = -1, i;
  double all = 0.0, squares = 0.0, sum = 0.0;

  memset (values, 0, columns * sizeof *values);
  for (i = aperture->heads[row]; i >= 0; i = g_array_index (aperture->pieces, Piece, i).next)
    {
      const Piece *piece = &g_array_index (aperture->pieces, Piece, i);

      own[piece->column] += piece->own;
      full[piece->column] += piece->full;
      square[piece->column] += piece->square;
      first = MIN (first, piece->column);
      last = MAX (last, piece->column);
    }
  for (i = first; i <= last; i++)
    {
      double x = i + 0.5 - aperture->middle_x;
      double level = aperture->level + aperture->slope_x * (x * x + 1.0 / 12.0);
      double value = own[i] + all * level + squares * aperture->slope_y;

      values[i] = value > NOTHING ? value : 0.0;
      sum += values[i];
      all += full[i];
      squares += square[i];
      own[i] = full[i] = square[i] = 0.0;
    }
  return sum;
}

static void
sum_rows (const Aperture *aperture, double *values)
{
  int columns = aperture->columns, row, i;
  g_autofree double *lines = g_new0 (double, 3 * columns);
  double sum = 0.0;

  for (row = 0; row < aperture->rows; row++)
    sum += sum_row (aperture, row, lines, lines + columns, lines + 2 * columns,
                    values + row * columns);
  for (i = 0; i < aperture->rows * columns; i++)
    values[i] /= sum;
}

void
lens_aperture_fill (const LensParams *params, double radius, double *values)
{
  Aperture aperture = { 0 };
  g_autofree int *heads = NULL;
  int x, y, row;

  lens_aperture_get_reach (params, radius, &x, &y);
  if (x == 0 && y == 0)
    {
      values[0] = 1.0;
      return;
    }
  aperture.columns = 2 * x + 1;
  aperture.rows = 2 * y + 1;
  aperture.middle_x = x + 0.5;
  aperture.middle_y = y + 0.5;
  get_scales (params, &aperture.scale_x, &aperture.scale_y);
  aperture.level = 1.0 - params->ring;
  aperture.slope_x = 2.0 * params->ring / pow (radius * aperture.scale_x, 2.0);
  aperture.slope_y = 2.0 * params->ring / pow (radius * aperture.scale_y, 2.0);
  aperture.pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  aperture.heads = heads = g_new (int, aperture.rows);
  for (row = 0; row < aperture.rows; row++)
    heads[row] = -1;
  add_outline (&aperture, params, radius);
  sum_rows (&aperture, values);
  g_array_unref (aperture.pieces);
}
