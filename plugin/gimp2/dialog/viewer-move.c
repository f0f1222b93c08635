/* The viewer's scrolling and zooming, and its pointer and keys. */
#include "viewer-private.h"

#include <gdk/gdkkeysyms.h>
#include <math.h>

#define SCALE_MIN    (1.0 / 256.0)
#define SCALE_MAX    64.0
#define GRIP         5    /* pixels on each side of the divider that also grab it */
#define DIVIDER_STEP 0.02 /* share of the width */

/* Moving and zooming. */

static void
set_adjustment (GtkAdjustment *adjustment, const Extent *extent, double value)
{
  double page = MIN (extent->area, extent->end - extent->first);

  gtk_adjustment_configure (adjustment, CLAMP (value, extent->first, extent->end - page),
                            extent->first, extent->end, VIEWER_KEY_STEP, page / 2.0, page);
}

/* Sets the scroll bars to the drawable's scaled size, and to column and row or the nearest
 * values. */
static void
viewer_set_adjustments (Viewer *viewer, double column, double row)
{
  Extent columns = viewer_get_columns (viewer), rows = viewer_get_rows (viewer);

  viewer->moving = TRUE;
  set_adjustment (viewer->columns, &columns, column);
  set_adjustment (viewer->rows, &rows, row);
  viewer->moving = FALSE;
}

void
viewer_configure (Viewer *viewer)
{
  viewer_set_adjustments (viewer, gtk_adjustment_get_value (viewer->columns),
                          gtk_adjustment_get_value (viewer->rows));
}

void
viewer_update (Viewer *viewer)
{
  if (viewer->moving)
    return;
  viewer_draw (viewer);
  viewer->funcs.changed (viewer->data);
}

/* Returns the origin after a zoom, for which the pixel at the anchor stays in place. */
static double
get_zoomed (const Extent *extent, double anchor, double factor)
{
  double place = anchor * extent->area;

  return (extent->exact + place) * factor - place;
}

static void
zoomed (GimpZoomModel *zoom, double old_factor, double new_factor, Viewer *viewer)
{
  Extent columns = viewer_get_columns (viewer), rows = viewer_get_rows (viewer);
  double factor = new_factor / viewer->scale;
  g_autofree char *text = g_strdup_printf (new_factor < 0.1 ? "%.1f%%" : "%.0f%%",
                                           new_factor * 100.0);

  gtk_label_set_text (GTK_LABEL (viewer->percent), text);
  viewer->scale = new_factor;
  viewer_set_adjustments (viewer, get_zoomed (&columns, viewer->anchor_x, factor),
                          get_zoomed (&rows, viewer->anchor_y, factor));
  viewer->anchor_x = viewer->anchor_y = 0.5;
  viewer_update (viewer);
}

static double
get_fitting_scale (const Viewer *viewer)
{
  double x = viewer->area->allocation.width / (viewer->width + 2.0 * viewer->grow_x);
  double y = viewer->area->allocation.height / (viewer->height + 2.0 * viewer->grow_y);

  return CLAMP (MIN (x, y), SCALE_MIN, 1.0);
}

void
viewer_zoom_fit (Viewer *viewer)
{
  gimp_zoom_model_zoom (viewer->zoom, GIMP_ZOOM_TO, get_fitting_scale (viewer));
  viewer->fit = TRUE;
}

void
viewer_zoom_original (Viewer *viewer)
{
  viewer->fit = FALSE;
  gimp_zoom_model_zoom (viewer->zoom, GIMP_ZOOM_TO, 1.0);
}

static void
zoom_by_step (Viewer *viewer, GimpZoomType type)
{
  viewer->fit = FALSE;
  gimp_zoom_model_zoom (viewer->zoom, type, 0.0);
}

void
viewer_zoom_in (Viewer *viewer)
{
  zoom_by_step (viewer, GIMP_ZOOM_IN);
}

void
viewer_zoom_out (Viewer *viewer)
{
  zoom_by_step (viewer, GIMP_ZOOM_OUT);
}

static void
scroll (GtkAdjustment *adjustment, double by)
{
  double most = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);
  double value = gtk_adjustment_get_value (adjustment) + by;

  gtk_adjustment_set_value (adjustment, CLAMP (value, gtk_adjustment_get_lower (adjustment), most));
}

/* Scrolls so that the pixel under the pointer is the same as when the drag began. */
static void
pan (Viewer *viewer, double x, double y)
{
  viewer->moving = TRUE;
  scroll (viewer->columns,
          viewer->drag_column + viewer->drag_x - x - gtk_adjustment_get_value (viewer->columns));
  scroll (viewer->rows,
          viewer->drag_row + viewer->drag_y - y - gtk_adjustment_get_value (viewer->rows));
  viewer->moving = FALSE;
  viewer_update (viewer);
}

static void
resize (GtkWidget *area, GtkAllocation *allocation, Viewer *viewer)
{
  if (viewer->fit && get_fitting_scale (viewer) != viewer->scale)
    {
      viewer_zoom_fit (viewer);
      return;
    }
  viewer_configure (viewer);
  viewer_update (viewer);
}

/* Pointer and keys. */

static void
move_divider (Viewer *viewer, double divider)
{
  viewer->divider = CLAMP (divider, 0.0, 1.0);
  viewer_draw (viewer);
  gtk_widget_queue_draw (viewer->area);
}

static gboolean
is_at_divider (const Viewer *viewer, double x)
{
  return viewer_is_split (viewer) && fabs (x - viewer_get_divider (viewer)) <= GRIP;
}

/* Returns what a press there would drag. */
static Drag
find_drag (const Viewer *viewer, double x, double y)
{
  int point_x, point_y;

  if (viewer_find_point (viewer, &point_x, &point_y) && fabs (x - point_x) <= VIEWER_ARM &&
      fabs (y - point_y) <= VIEWER_ARM)
    return DRAG_POINT;
  return is_at_divider (viewer, x) ? DRAG_DIVIDER : DRAG_PAN;
}

static void
begin_drag (Viewer *viewer, double x, double y)
{
  int point_x, point_y;

  viewer->drag = find_drag (viewer, x, y);
  viewer->drag_x = x;
  viewer->drag_y = y;
  viewer->drag_column = gtk_adjustment_get_value (viewer->columns);
  viewer->drag_row = gtk_adjustment_get_value (viewer->rows);
  if (viewer->drag == DRAG_POINT && viewer_find_point (viewer, &point_x, &point_y))
    {
      viewer->drag_column = point_x;
      viewer->drag_row = point_y;
    }
}

/* The point stays in sight. */
static void
drag_point (Viewer *viewer, double x, double y)
{
  Extent columns = viewer_get_columns (viewer), rows = viewer_get_rows (viewer);
  double column = CLAMP (viewer->drag_column + x - viewer->drag_x, 0, columns.area - 1);
  double row = CLAMP (viewer->drag_row + y - viewer->drag_y, 0, rows.area - 1);

  viewer->funcs.drag_point (viewer->data,
                            (column + columns.origin + 0.5) / (viewer->width * viewer->scale),
                            (row + rows.origin + 0.5) / (viewer->height * viewer->scale));
}

/* pan: the cursor where a drag pans. */
static void
set_cursor (const Viewer *viewer, Drag drag, GdkCursorType pan)
{
  GdkCursorType type = drag == DRAG_POINT     ? GDK_CROSSHAIR
                       : drag == DRAG_DIVIDER ? GDK_SB_H_DOUBLE_ARROW
                                              : pan;
  GdkCursor *cursor = gdk_cursor_new_for_display (gtk_widget_get_display (viewer->area), type);

  gdk_window_set_cursor (gtk_widget_get_window (viewer->area), cursor);
  gdk_cursor_unref (cursor);
}

static gboolean
viewer_press (GtkWidget *area, GdkEventButton *event, Viewer *viewer)
{
  gtk_widget_grab_focus (area);
  if (event->type != GDK_BUTTON_PRESS || event->button > 2)
    return FALSE;
  begin_drag (viewer, event->x, event->y);
  set_cursor (viewer, viewer->drag, GDK_FLEUR);
  return TRUE;
}

static gboolean
release (GtkWidget *area, GdkEventButton *event, Viewer *viewer)
{
  viewer->drag = DRAG_NONE;
  set_cursor (viewer, find_drag (viewer, event->x, event->y), GDK_HAND1);
  return TRUE;
}

static gboolean
move (GtkWidget *area, GdkEventMotion *event, Viewer *viewer)
{
  if (viewer->drag == DRAG_DIVIDER)
    move_divider (viewer, event->x / area->allocation.width);
  else if (viewer->drag == DRAG_PAN)
    pan (viewer, event->x, event->y);
  else if (viewer->drag == DRAG_POINT)
    drag_point (viewer, event->x, event->y);
  else
    set_cursor (viewer, find_drag (viewer, event->x, event->y), GDK_HAND1);
  gdk_event_request_motions (event);
  return TRUE;
}

/* The wheel zooms about the pointer; with Shift or Control held it scrolls. */
static gboolean
turn_wheel (GtkWidget *area, GdkEventScroll *event, Viewer *viewer)
{
  gboolean up = event->direction == GDK_SCROLL_UP || event->direction == GDK_SCROLL_LEFT;
  gboolean across = event->direction == GDK_SCROLL_LEFT || event->direction == GDK_SCROLL_RIGHT ||
                    event->state & GDK_SHIFT_MASK;

  if (across || event->state & GDK_CONTROL_MASK)
    scroll (across ? viewer->columns : viewer->rows,
            up ? -2 * VIEWER_KEY_STEP : 2 * VIEWER_KEY_STEP);
  else
    {
      viewer->anchor_x = event->x / area->allocation.width;
      viewer->anchor_y = event->y / area->allocation.height;
      zoom_by_step (viewer, up ? GIMP_ZOOM_IN : GIMP_ZOOM_OUT);
    }
  return TRUE;
}

static gboolean
press_key (GtkWidget *area, GdkEventKey *event, Viewer *viewer)
{
  gboolean divide = event->state & GDK_CONTROL_MASK;

  if (event->state & GDK_MOD1_MASK)
    return FALSE;
  switch (event->keyval)
    {
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
      viewer_zoom_in (viewer);
      return TRUE;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      viewer_zoom_out (viewer);
      return TRUE;
    case GDK_KEY_1:
    case GDK_KEY_KP_1:
      viewer_zoom_original (viewer);
      return TRUE;
    case GDK_KEY_0:
    case GDK_KEY_KP_0:
      viewer_zoom_fit (viewer);
      return TRUE;
    case GDK_KEY_Up:
      scroll (viewer->rows, -VIEWER_KEY_STEP);
      return TRUE;
    case GDK_KEY_Down:
      scroll (viewer->rows, VIEWER_KEY_STEP);
      return TRUE;
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      {
        int sign = event->keyval == GDK_KEY_Left ? -1 : 1;

        if (divide)
          move_divider (viewer, viewer->divider + sign * DIVIDER_STEP);
        else
          scroll (viewer->columns, sign * VIEWER_KEY_STEP);
        return TRUE;
      }
    default:
      return FALSE;
    }
}

void
viewer_make_zoom (Viewer *viewer)
{
  viewer->zoom = gimp_zoom_model_new ();
  gimp_zoom_model_set_range (viewer->zoom, SCALE_MIN, SCALE_MAX);
  g_signal_connect (viewer->zoom, "zoomed", G_CALLBACK (zoomed), viewer);
}

void
viewer_connect_input (Viewer *viewer, GtkWidget *area)
{
  g_signal_connect (area, "button-press-event", G_CALLBACK (viewer_press), viewer);
  g_signal_connect (area, "button-release-event", G_CALLBACK (release), viewer);
  g_signal_connect (area, "motion-notify-event", G_CALLBACK (move), viewer);
  g_signal_connect (area, "scroll-event", G_CALLBACK (turn_wheel), viewer);
  g_signal_connect (area, "key-press-event", G_CALLBACK (press_key), viewer);
  g_signal_connect_after (area, "size-allocate", G_CALLBACK (resize), viewer);
}
