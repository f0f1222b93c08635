/* The filter's lines over the picture: a thin white line on a wider, dark one is visible on any
 * picture, and hides little of it. */
#include "viewer-private.h"

#include <math.h>

#define WIDTH  3.0 /* pixels of the screen */
#define SHADE  0.6
#define ERROR  0.2         /* pixels of the screen */
#define MARGIN (2 * WIDTH) /* around the area, in which a line's ends are not seen */

/* The first line is dashed, the second dotted, the others are not. */
static const double dashes[][2] = { { 8.0, 6.0 }, { 2.0, 5.0 } };

/* Cuts t0 to t1, the part of a segment, to where start + t by is between least and most. Returns
 * FALSE if nothing is left. */
static gboolean
cut (double start, double by, double least, double most, double *t0, double *t1)
{
  double enter = (least - start) / by, leave = (most - start) / by;

  if (by == 0.0)
    return start >= least && start <= most;
  *t0 = MAX (*t0, MIN (enter, leave));
  *t1 = MIN (*t1, MAX (enter, leave));
  return *t0 < *t1;
}

/* Adds the part of the segment that is in sight: cairo's numbers have 24 bits before the point, and
 * a line may reach further. joined: the path is at from. Returns whether it is at to. */
static gboolean
add_segment (const Viewer *viewer, cairo_t *cr, const FilterPoint *from, const FilterPoint *to,
             gboolean joined)
{
  const GtkAllocation *area = &viewer->area->allocation;
  double x = to->x - from->x, y = to->y - from->y, t0 = 0.0, t1 = 1.0;

  if (! cut (from->x, x, -MARGIN, area->width + MARGIN, &t0, &t1) ||
      ! cut (from->y, y, -MARGIN, area->height + MARGIN, &t0, &t1))
    return FALSE;
  if (! joined || t0 > 0.0)
    cairo_move_to (cr, from->x + t0 * x, from->y + t0 * y);
  cairo_line_to (cr, from->x + t1 * x, from->y + t1 * y);
  return t1 == 1.0;
}

/* Converts the drawable's pixels to those of the area. */
static FilterPoint
to_area (const Viewer *viewer, const FilterPoint *point)
{
  return (FilterPoint) { point->x * viewer->scale - viewer_get_columns (viewer).origin,
                         point->y * viewer->scale - viewer_get_rows (viewer).origin };
}

static void
add_line (const Viewer *viewer, cairo_t *cr, const GArray *points)
{
  gboolean joined = FALSE;

  for (guint i = 0; i < points->len; i++)
    {
      guint next = i + 1 < points->len ? i + 1 : 0;
      FilterPoint from = to_area (viewer, &g_array_index (points, FilterPoint, i));
      FilterPoint to = to_area (viewer, &g_array_index (points, FilterPoint, next));

      joined = add_segment (viewer, cr, &from, &to, joined);
    }
}

static void
draw_line (cairo_t *cr, guint number)
{
  gboolean dashed = number < G_N_ELEMENTS (dashes);

  cairo_set_dash (cr, dashed ? dashes[number] : NULL, dashed ? 2 : 0, 0.0);
  cairo_set_source_rgba (cr, 0.0, 0.0, 0.0, SHADE);
  cairo_set_line_width (cr, WIDTH);
  cairo_stroke_preserve (cr);
  cairo_set_source_rgb (cr, 1.0, 1.0, 1.0);
  cairo_set_line_width (cr, 1.0);
  cairo_stroke (cr);
}

void
viewer_draw_lines (const Viewer *viewer, cairo_t *cr)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (FilterPoint));

  for (guint number = 0;
       viewer->funcs.get_line &&
       viewer->funcs.get_line (viewer->data, number, ERROR / viewer->scale, points);
       number++)
    {
      add_line (viewer, cr, points);
      draw_line (cr, number);
      g_array_set_size (points, 0);
    }
}
