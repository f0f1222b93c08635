/* The viewer's geometry and drawing. */
#include "viewer-private.h"

#include <math.h>

/* Geometry. */

static Extent
viewer_get_extent (int size, int grow, double scale, int area, double value)
{
  Extent extent = { .first = (int) floor (-grow * scale),
                    .end = (int) ceil ((size + grow) * scale),
                    .area = area };
  int length = extent.end - extent.first;

  extent.origin = length <= area
                    ? extent.first - (area - length) / 2
                    : CLAMP ((int) floor (value + 0.5), extent.first, extent.end - area);
  extent.exact = length <= area ? (size * scale - area) / 2.0
                                : CLAMP (value, extent.first, extent.end - area);
  return extent;
}

Extent
viewer_get_columns (const Viewer *viewer)
{
  return viewer_get_extent (viewer->width, viewer->grow_x, viewer->scale,
                            viewer->area->allocation.width,
                            gtk_adjustment_get_value (viewer->columns));
}

Extent
viewer_get_rows (const Viewer *viewer)
{
  return viewer_get_extent (viewer->height, viewer->grow_y, viewer->scale,
                            viewer->area->allocation.height,
                            gtk_adjustment_get_value (viewer->rows));
}

FxRect
viewer_get_visible (const Viewer *viewer)
{
  Extent columns = viewer_get_columns (viewer), rows = viewer_get_rows (viewer);
  int x0 = MAX (columns.origin, columns.first), y0 = MAX (rows.origin, rows.first);

  return (FxRect) { x0, y0, MIN (columns.origin + columns.area, columns.end) - x0,
                    MIN (rows.origin + rows.area, rows.end) - y0 };
}

int
viewer_get_divider (const Viewer *viewer)
{
  return (int) floor (viewer->divider * viewer->area->allocation.width + 0.5);
}

gboolean
viewer_find_point (const Viewer *viewer, int *x, int *y)
{
  Extent columns = viewer_get_columns (viewer), rows = viewer_get_rows (viewer);

  *x = (int) floor (viewer->point[0] * viewer->width * viewer->scale) - columns.origin;
  *y = (int) floor (viewer->point[1] * viewer->height * viewer->scale) - rows.origin;
  return viewer->has_point && *x >= 0 && *x < columns.area && *y >= 0 && *y < rows.area;
}

gboolean
viewer_has_preview (const Viewer *viewer)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (viewer->preview));
}

gboolean
viewer_is_split (const Viewer *viewer)
{
  return viewer_has_preview (viewer) &&
         gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (viewer->split));
}

/* Drawing. */

/* Draws the picture in the area's columns left to right - 1. */
static void
draw_picture (const Viewer *viewer, const Picture *picture, int left, int right)
{
  const FxRect *rect = &picture->view.rect;
  Extent columns = viewer_get_columns (viewer), rows = viewer_get_rows (viewer);
  int x0 = MAX (rect->x - columns.origin, left);
  int x1 = MIN (rect->x + rect->width - columns.origin, right);
  int y0 = MAX (rect->y - rows.origin, 0);
  int y1 = MIN (rect->y + rect->height - rows.origin, rows.area);

  if (! picture->rgba || picture->view.scale != viewer->scale || x0 >= x1 || y0 >= y1)
    return;
  gimp_preview_area_draw (GIMP_PREVIEW_AREA (viewer->area), x0, y0, x1 - x0, y1 - y0,
                          GIMP_RGBA_IMAGE,
                          picture->rgba + ((gsize) (y0 + rows.origin - rect->y) * rect->width +
                                           (x0 + columns.origin - rect->x)) *
                                            4,
                          rect->width * 4);
}

/* Fills the area with the dialog's background, for drawables that are smaller than the area and for
 * pictures that do not cover it yet. */
static void
draw_ground (const Viewer *viewer)
{
  const GtkAllocation *area = &viewer->area->allocation;
  const GdkColor *color = &gtk_widget_get_style (viewer->widget)->bg[GTK_STATE_NORMAL];

  gimp_preview_area_fill (GIMP_PREVIEW_AREA (viewer->area), 0, 0, area->width, area->height,
                          (guchar) (color->red >> 8), (guchar) (color->green >> 8),
                          (guchar) (color->blue >> 8));
}

static gboolean
is_covered (const Viewer *viewer, const FxRect *rect)
{
  const GtkAllocation *area = &viewer->area->allocation;

  return rect->x <= viewer_get_columns (viewer).origin &&
         rect->y <= viewer_get_rows (viewer).origin && rect->width >= area->width &&
         rect->height >= area->height;
}

void
viewer_draw (const Viewer *viewer)
{
  int width = viewer->area->allocation.width;
  int divider = viewer_is_split (viewer)      ? viewer_get_divider (viewer)
                : viewer_has_preview (viewer) ? width
                                              : 0;
  const Picture *picture = divider > 0 ? &viewer->after : &viewer->before;

  if (! gtk_widget_get_realized (viewer->area) || ! picture->rgba ||
      picture->view.scale != viewer->scale) /* an old picture is better than none */
    return;
  gimp_preview_area_set_offsets (GIMP_PREVIEW_AREA (viewer->area),
                                 viewer_get_columns (viewer).origin,
                                 viewer_get_rows (viewer).origin);
  if (! is_covered (viewer, &picture->view.rect))
    draw_ground (viewer);
  draw_picture (viewer, &viewer->after, 0, divider);
  draw_picture (viewer, &viewer->before, divider, width);
}

static void
fill (cairo_t *cr, double level, int x, int y, int width, int height)
{
  cairo_set_source_rgb (cr, level, level, level);
  cairo_rectangle (cr, x, y, width, height);
  cairo_fill (cr);
}

/* A white line on a black one is visible on any picture. */
static void
draw_divider (const Viewer *viewer, cairo_t *cr)
{
  int x = viewer_get_divider (viewer), height = viewer->area->allocation.height;

  fill (cr, 0.0, x - 1, 0, 3, height);
  fill (cr, 1.0, x, 0, 1, height);
}

static void
draw_point (const Viewer *viewer, cairo_t *cr)
{
  const int arm = VIEWER_ARM, length = 2 * arm + 1;
  int x, y;

  if (! viewer_find_point (viewer, &x, &y))
    return;
  fill (cr, 0.0, x - arm - 1, y - 1, length + 2, 3);
  fill (cr, 0.0, x - 1, y - arm - 1, 3, length + 2);
  fill (cr, 1.0, x - arm, y, length, 1);
  fill (cr, 1.0, x, y - arm, 1, length);
}

/* Draws on top of the picture. */
static gboolean
expose (GtkWidget *area, GdkEventExpose *event, const Viewer *viewer)
{
  cairo_t *cr = gdk_cairo_create (event->window);

  gdk_cairo_region (cr, event->region);
  cairo_clip (cr);
  if (viewer_is_split (viewer))
    draw_divider (viewer, cr);
  viewer_draw_lines (viewer, cr);
  draw_point (viewer, cr);
  cairo_destroy (cr);
  if (gtk_widget_has_focus (area))
    gtk_paint_focus (gtk_widget_get_style (area), event->window, gtk_widget_get_state (area),
                     &event->area, area, NULL, 0, 0, area->allocation.width,
                     area->allocation.height);
  return FALSE;
}

void
viewer_connect_drawing (Viewer *viewer, GtkWidget *area)
{
  g_signal_connect_after (area, "expose-event", G_CALLBACK (expose), viewer);
}
