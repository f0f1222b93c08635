/* The integral of the brightness b over a pixel is, by Green's theorem, the integral of
 *     integral from x to the pixel's right side of b dx
 * by dy along the part of the outline inside the pixel, plus, for the outline in pixels to the
 * left, the integral of b over the width of the pixel. So the outline is cut at the sides of the
 * pixels, the integrals of each piece are added to its pixel, and a running sum along each row adds
 * those to the left. Gauss-Legendre quadrature integrates the pieces. */
#include "shape.h"

#include "rect.h"

#include <math.h>
#include <string.h>

#define PART    (G_PI / 8.0) /* the most of an arc, in radians, that one rule integrates */
#define NOTHING 1e-9         /* of a pixel: less than that is rounding */

/* An edge of the outline, in pixels from the upper left corner of the picture. Point t of an arc is
 * x + width cos t, y + height sin t; that of a line is x + width t, y + height t. */
typedef struct {
  gboolean straight;
  double x, y, width, height;
} Edge;

/* The integral over a piece's own pixel; and the integrals by dy of 1, of the distance from the
 * middle, and of its square. */
enum { OWN, FULL, MOMENT, SQUARE, INTEGRALS };
typedef double Integrals[INTEGRALS];

typedef struct {
  int column;
  int next; /* the row's next piece; -1: there is none */
  Integrals parts;
} Piece;

struct ConvolveShape {
  int columns, rows;
  double middle_x, middle_y;
  ConvolveBrightness brightness;
  GArray *pieces;
  int *heads; /* per row: its first piece */
};

ConvolveShape *
convolve_shape_new (int columns, int rows, const ConvolveBrightness *brightness)
{
  ConvolveShape *shape = g_new (ConvolveShape, 1);

  *shape = (ConvolveShape) {
    .columns = columns,
    .rows = rows,
    .middle_x = columns / 2.0,
    .middle_y = rows / 2.0,
    .brightness = *brightness,
    .pieces = g_array_new (FALSE, FALSE, sizeof (Piece)),
    .heads = g_new (int, rows),
  };
  for (int row = 0; row < rows; row++)
    shape->heads[row] = -1;
  return shape;
}

void
convolve_shape_free (ConvolveShape *shape)
{
  g_array_unref (shape->pieces);
  g_free (shape->heads);
  g_free (shape);
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
add_piece (ConvolveShape *shape, const Edge *edge, double begin, double end)
{
  static const double places[] = { 0.3399810435848563, 0.8611363115940526 };
  static const double weights[] = { 0.6521451548625461, 0.3478548451374538 };
  const ConvolveBrightness *b = &shape->brightness;
  double middle = (begin + end) / 2.0, half = (end - begin) / 2.0;
  int row = CLAMP ((int) floor (get_y (edge, middle)), 0, shape->rows - 1), n;
  Piece piece = { .next = shape->heads[row] };
  double right, whole;

  piece.column = CLAMP ((int) floor (get_x (edge, middle)), 0, shape->columns - 1);
  right = piece.column + 1 - shape->middle_x;
  whole = right * right * right;
  for (n = 0; n < 4; n++)
    {
      double t = middle + (n % 2 ? half : -half) * places[n / 2];
      double x = get_x (edge, t) - shape->middle_x, y = get_y (edge, t) - shape->middle_y;
      double step = -half * weights[n / 2] * get_rise (edge, t);

      piece.parts[OWN] += step * ((b->level + b->y * y + b->yy * y * y) * (right - x) +
                                  b->x * (right * right - x * x) / 2.0 +
                                  b->xx * (whole - x * x * x) / 3.0);
      piece.parts[FULL] += step;
      piece.parts[MOMENT] += step * y;
      piece.parts[SQUARE] += step * y * y;
    }
  shape->heads[row] = (int) shape->pieces->len;
  g_array_append_val (shape->pieces, piece);
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
add_part (ConvolveShape *shape, const Edge *edge, double begin, double end)
{
  double near = (begin + end) / 2.0, at = begin;
  Sides x = get_sides (find_x, get_x (edge, begin), get_x (edge, end));
  Sides y = get_sides (find_y, get_y (edge, begin), get_y (edge, end));
  double next_x = find_side (&x, edge, near), next_y = find_side (&y, edge, near);

  while (at < end)
    {
      double next = CLAMP (MIN (next_x, next_y), at, end);

      add_piece (shape, edge, at, next);
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

void
convolve_shape_add_line (ConvolveShape *shape, double x, double y, double width, double height)
{
  const Edge edge = { TRUE, shape->middle_x + x, shape->middle_y + y, width, height };

  add_part (shape, &edge, 0.0, 1.0);
}

void
convolve_shape_add_arc (ConvolveShape *shape, double x, double y, double width, double height,
                        double begin, double end)
{
  const Edge edge = { FALSE, shape->middle_x + x, shape->middle_y + y, width, height };
  double at = begin;

  for (int n = (int) floor (begin / PART) + 1; at < end; n++)
    {
      double next = MIN (n * PART, end);

      if (next > at)
        add_part (shape, &edge, at, next);
      at = MAX (at, next);
    }
}

/* The rows. */

/* Adds the pieces of a row up, column by column. Returns the columns that have any. */
static FxSpan
gather (const ConvolveShape *shape, int row, Integrals *cells)
{
  int first = shape->columns, last = -1, i, n;

  for (i = shape->heads[row]; i >= 0; i = g_array_index (shape->pieces, Piece, i).next)
    {
      const Piece *piece = &g_array_index (shape->pieces, Piece, i);

      for (n = 0; n < INTEGRALS; n++)
        cells[piece->column][n] += piece->parts[n];
      first = MIN (first, piece->column);
      last = MAX (last, piece->column);
    }
  return (FxSpan) { first, last - first + 1 };
}

/* cells are 0, before and after. */
static double
sum_row (const ConvolveShape *shape, int row, Integrals *cells, double *values)
{
  const ConvolveBrightness *b = &shape->brightness;
  FxSpan span = gather (shape, row, cells);
  Integrals left = { 0.0 }; /* those of the columns to the left */
  double sum = 0.0;

  memset (values, 0, shape->columns * sizeof *values);
  for (int i = span.first; i < span.first + span.count; i++)
    {
      double x = i + 0.5 - shape->middle_x;
      double level = b->level + b->x * x + b->xx * (x * x + 1.0 / 12.0);
      double value = cells[i][OWN] + left[FULL] * level + left[MOMENT] * b->y +
                     left[SQUARE] * b->yy;

      values[i] = value > NOTHING ? value : 0.0;
      sum += values[i];
      for (int n = 0; n < INTEGRALS; n++)
        left[n] += cells[i][n];
      memset (cells[i], 0, sizeof cells[i]);
    }
  return sum;
}

void
convolve_shape_fill (const ConvolveShape *shape, double *values)
{
  int columns = shape->columns, row, i;
  g_autofree Integrals *cells = g_new0 (Integrals, columns);
  double sum = 0.0;

  for (row = 0; row < shape->rows; row++)
    sum += sum_row (shape, row, cells, values + row * columns);
  for (i = 0; i < shape->rows * columns; i++)
    values[i] /= sum;
}
