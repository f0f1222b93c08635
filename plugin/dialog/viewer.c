#include "viewer.h"

#include "rectangle.h"

#include <gdk/gdkkeysyms.h>
#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <math.h>

#define AREA_SIZE    360 /* in pixels, at least */
#define SCALE_MIN    (1.0 / 256.0)
#define SCALE_MAX    64.0
#define GRIP         5    /* pixels on each side of the divider that also grab it */
#define BAR_WIDTH    440  /* in pixels, at most */
#define KEY_STEP     32   /* pixels that an arrow key scrolls */
#define DIVIDER_STEP 0.02 /* share of the width */

/* A rendered picture. */
typedef struct {
  FxView view;
  guint8 *rgba; /* may be NULL */
} Picture;

typedef enum { DRAG_NONE, DRAG_PAN, DRAG_DIVIDER } Drag;

struct Viewer {
  ViewerChangedFunc changed;
  gpointer data;
  GtkWidget *widget;
  GtkWidget *area;
  GtkAdjustment *columns, *rows; /* the scaled drawable's pixel at the area's left and top */
  GtkWidget *preview, *split;    /* check buttons */
  GtkWidget *percent;            /* a label */
  GimpZoomModel *zoom;
  int width, height, grow_x, grow_y;
  gboolean moving; /* both adjustments are being set, for a single new view */
  gboolean fit;    /* the scale follows the area's size */
  double anchor_x,
    anchor_y;     /* the point of the area that a zoom leaves in place, in shares of its size */
  double scale;   /* the scale of the adjustments */
  double divider; /* share of the width that shows the original */
  Picture after, before;
  guint generation; /* of the drawable's pixels */
  Drag drag;
  double drag_x, drag_y; /* the pointer's position when the drag began */
  double drag_column, drag_row;
};

/* Geometry. */

/* One axis: the scaled drawable, and the part of the area that it takes. */
typedef struct {
  int first, end; /* of the scaled drawable, with its growth */
  int area;       /* in pixels */
  int origin;     /* the scaled drawable's pixel at the area's first pixel */
} Extent;

static Extent
viewer_get_extent (int size, int grow, double scale, int area, double value)
{
  Extent extent = { (int) floor (-grow * scale), (int) ceil ((size + grow) * scale), area, 0 };
  int length = extent.end - extent.first;

  extent.origin = length <= area
                    ? extent.first - (area - length) / 2
                    : CLAMP ((int) floor (value + 0.5), extent.first, extent.end - area);
  return extent;
}

static Extent
get_columns (const Viewer *viewer)
{
  return viewer_get_extent (viewer->width, viewer->grow_x, viewer->scale,
                            viewer->area->allocation.width,
                            gtk_adjustment_get_value (viewer->columns));
}

static Extent
get_rows (const Viewer *viewer)
{
  return viewer_get_extent (viewer->height, viewer->grow_y, viewer->scale,
                            viewer->area->allocation.height,
                            gtk_adjustment_get_value (viewer->rows));
}

/* Returns the visible part of the scaled drawable. */
static FxRect
get_visible (const Viewer *viewer)
{
  Extent columns = get_columns (viewer), rows = get_rows (viewer);
  int x0 = MAX (columns.origin, columns.first), y0 = MAX (rows.origin, rows.first);

  return (FxRect) { x0, y0, MIN (columns.origin + columns.area, columns.end) - x0,
                    MIN (rows.origin + rows.area, rows.end) - y0 };
}

static int
get_divider (const Viewer *viewer)
{
  return (int) floor (viewer->divider * viewer->area->allocation.width + 0.5);
}

static gboolean
viewer_is_on (GtkWidget *toggle)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (toggle));
}

/* Drawing. */

static gboolean
is_same_view (const FxView *a, const FxView *b)
{
  return a->scale == b->scale && a->grow_x == b->grow_x && a->grow_y == b->grow_y &&
         rect_equal (&a->rect, &b->rect);
}

/* Draws the picture in the area's columns left to right - 1. */
static void
draw_picture (const Viewer *viewer, const Picture *picture, int left, int right)
{
  const FxRect *rect = &picture->view.rect;
  Extent columns = get_columns (viewer), rows = get_rows (viewer);
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

  return rect->x <= get_columns (viewer).origin && rect->y <= get_rows (viewer).origin &&
         rect->width >= area->width && rect->height >= area->height;
}

static void
draw (const Viewer *viewer)
{
  int width = viewer->area->allocation.width;
  int divider = viewer_is_on (viewer->split)     ? get_divider (viewer)
                : viewer_is_on (viewer->preview) ? 0
                                                 : width;
  const Picture *picture = divider < width ? &viewer->after : &viewer->before;

  if (! gtk_widget_get_realized (viewer->area) || ! picture->rgba ||
      picture->view.scale != viewer->scale) /* an old picture is better than none */
    return;
  gimp_preview_area_set_offsets (GIMP_PREVIEW_AREA (viewer->area), get_columns (viewer).origin,
                                 get_rows (viewer).origin);
  if (! is_covered (viewer, &picture->view.rect))
    draw_ground (viewer);
  draw_picture (viewer, &viewer->before, 0, divider);
  draw_picture (viewer, &viewer->after, divider, width);
}

/* A white line on a black one is visible on any picture. */
static void
draw_divider (const Viewer *viewer, GdkEventExpose *event)
{
  int x = get_divider (viewer), height = viewer->area->allocation.height;
  cairo_t *cr = gdk_cairo_create (event->window);

  gdk_cairo_region (cr, event->region);
  cairo_clip (cr);
  cairo_set_source_rgb (cr, 0.0, 0.0, 0.0);
  cairo_rectangle (cr, x - 1, 0, 3, height);
  cairo_fill (cr);
  cairo_set_source_rgb (cr, 1.0, 1.0, 1.0);
  cairo_rectangle (cr, x, 0, 1, height);
  cairo_fill (cr);
  cairo_destroy (cr);
}

/* Draws on top of the picture. */
static gboolean
expose (GtkWidget *area, GdkEventExpose *event, const Viewer *viewer)
{
  if (viewer_is_on (viewer->split))
    draw_divider (viewer, event);
  if (gtk_widget_has_focus (area))
    gtk_paint_focus (gtk_widget_get_style (area), event->window, gtk_widget_get_state (area),
                     &event->area, area, NULL, 0, 0, area->allocation.width,
                     area->allocation.height);
  return FALSE;
}

/* Moving and zooming. */

static void
set_adjustment (GtkAdjustment *adjustment, const Extent *extent, double value)
{
  double page = MIN (extent->area, extent->end - extent->first);

  gtk_adjustment_configure (adjustment, CLAMP (value, extent->first, extent->end - page),
                            extent->first, extent->end, KEY_STEP, page / 2.0, page);
}

/* Sets the scroll bars to the drawable's scaled size, and to column and row or the nearest
 * values. */
static void
viewer_configure (Viewer *viewer, double column, double row)
{
  Extent columns = get_columns (viewer), rows = get_rows (viewer);

  viewer->moving = TRUE;
  set_adjustment (viewer->columns, &columns, column);
  set_adjustment (viewer->rows, &rows, row);
  viewer->moving = FALSE;
}

static void
viewer_update (Viewer *viewer)
{
  if (viewer->moving)
    return;
  draw (viewer);
  viewer->changed (viewer->data);
}

/* Returns the origin after a zoom, for which the pixel at the anchor stays in place. */
static double
get_zoomed (const Extent *extent, double anchor, double factor)
{
  double place = anchor * extent->area;

  return (extent->origin + place) * factor - place;
}

static void
zoomed (GimpZoomModel *zoom, double old_factor, double new_factor, Viewer *viewer)
{
  Extent columns = get_columns (viewer), rows = get_rows (viewer);
  double factor = new_factor / viewer->scale;
  g_autofree char *text = g_strdup_printf (new_factor < 0.1 ? "%.1f%%" : "%.0f%%",
                                           new_factor * 100.0);

  gtk_label_set_text (GTK_LABEL (viewer->percent), text);
  viewer->scale = new_factor;
  viewer_configure (viewer, get_zoomed (&columns, viewer->anchor_x, factor),
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

static void
viewer_fit (Viewer *viewer)
{
  gimp_zoom_model_zoom (viewer->zoom, GIMP_ZOOM_TO, get_fitting_scale (viewer));
  viewer->fit = TRUE;
}

static void
show_original_size (Viewer *viewer)
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

static void
zoom_in (Viewer *viewer)
{
  zoom_by_step (viewer, GIMP_ZOOM_IN);
}

static void
zoom_out (Viewer *viewer)
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
      viewer_fit (viewer);
      return;
    }
  viewer_configure (viewer, gtk_adjustment_get_value (viewer->columns),
                    gtk_adjustment_get_value (viewer->rows));
  viewer_update (viewer);
}

/* Pointer and keys. */

static void
move_divider (Viewer *viewer, double divider)
{
  viewer->divider = CLAMP (divider, 0.0, 1.0);
  draw (viewer);
  gtk_widget_queue_draw (viewer->area);
}

static gboolean
is_at_divider (const Viewer *viewer, double x)
{
  return viewer_is_on (viewer->split) && fabs (x - get_divider (viewer)) <= GRIP;
}

static void
set_cursor (const Viewer *viewer, GdkCursorType type)
{
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
  viewer->drag = is_at_divider (viewer, event->x) ? DRAG_DIVIDER : DRAG_PAN;
  viewer->drag_x = event->x;
  viewer->drag_y = event->y;
  viewer->drag_column = gtk_adjustment_get_value (viewer->columns);
  viewer->drag_row = gtk_adjustment_get_value (viewer->rows);
  set_cursor (viewer, viewer->drag == DRAG_PAN ? GDK_FLEUR : GDK_SB_H_DOUBLE_ARROW);
  return TRUE;
}

static gboolean
release (GtkWidget *area, GdkEventButton *event, Viewer *viewer)
{
  viewer->drag = DRAG_NONE;
  set_cursor (viewer, is_at_divider (viewer, event->x) ? GDK_SB_H_DOUBLE_ARROW : GDK_HAND1);
  return TRUE;
}

static gboolean
move (GtkWidget *area, GdkEventMotion *event, Viewer *viewer)
{
  if (viewer->drag == DRAG_DIVIDER)
    move_divider (viewer, event->x / area->allocation.width);
  else if (viewer->drag == DRAG_PAN)
    pan (viewer, event->x, event->y);
  else
    set_cursor (viewer, is_at_divider (viewer, event->x) ? GDK_SB_H_DOUBLE_ARROW : GDK_HAND1);
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
    scroll (across ? viewer->columns : viewer->rows, up ? -2 * KEY_STEP : 2 * KEY_STEP);
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
      zoom_in (viewer);
      return TRUE;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      zoom_out (viewer);
      return TRUE;
    case GDK_KEY_1:
    case GDK_KEY_KP_1:
      show_original_size (viewer);
      return TRUE;
    case GDK_KEY_0:
    case GDK_KEY_KP_0:
      viewer_fit (viewer);
      return TRUE;
    case GDK_KEY_Up:
      scroll (viewer->rows, -KEY_STEP);
      return TRUE;
    case GDK_KEY_Down:
      scroll (viewer->rows, KEY_STEP);
      return TRUE;
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      {
        int sign = event->keyval == GDK_KEY_Left ? -1 : 1;

        if (divide)
          move_divider (viewer, viewer->divider + sign * DIVIDER_STEP);
        else
          scroll (viewer->columns, sign * KEY_STEP);
        return TRUE;
      }
    default:
      return FALSE;
    }
}

/* Construction. */

static GtkAdjustment *
new_adjustment (Viewer *viewer)
{
  GtkObject *adjustment = gtk_adjustment_new (0, 0, 1, KEY_STEP, KEY_STEP, 1);

  g_signal_connect_swapped (adjustment, "value-changed", G_CALLBACK (viewer_update), viewer);
  return GTK_ADJUSTMENT (adjustment);
}

static GtkWidget *
make_area (Viewer *viewer)
{
  GtkWidget *area = g_object_new (GIMP_TYPE_PREVIEW_AREA, "check-size", gimp_check_size (),
                                  "check-type", gimp_check_type (), NULL);

  gtk_widget_set_size_request (area, AREA_SIZE, AREA_SIZE);
  gtk_widget_set_can_focus (area, TRUE);
  gtk_widget_add_events (area, GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK | GDK_SCROLL_MASK |
                                 GDK_POINTER_MOTION_MASK | GDK_POINTER_MOTION_HINT_MASK |
                                 GDK_KEY_PRESS_MASK);
  gimp_preview_area_set_color_config (GIMP_PREVIEW_AREA (area), gimp_get_color_configuration ());
  g_signal_connect (area, "button-press-event", G_CALLBACK (viewer_press), viewer);
  g_signal_connect (area, "button-release-event", G_CALLBACK (release), viewer);
  g_signal_connect (area, "motion-notify-event", G_CALLBACK (move), viewer);
  g_signal_connect (area, "scroll-event", G_CALLBACK (turn_wheel), viewer);
  g_signal_connect (area, "key-press-event", G_CALLBACK (press_key), viewer);
  g_signal_connect_after (area, "expose-event", G_CALLBACK (expose), viewer);
  g_signal_connect_after (area, "size-allocate", G_CALLBACK (resize), viewer);
  gimp_help_set_help_data (
    area,
    _ ("Drag to pan, turn the wheel to zoom. With the keyboard: arrow keys, +, "
       "-, 1 for 100%, 0 to fit; Ctrl with arrow keys moves the divider"),
    NULL);
  return area;
}

static GtkWidget *
make_table (Viewer *viewer)
{
  GtkWidget *table = gtk_table_new (2, 2, FALSE);
  GtkWidget *frame = gtk_frame_new (NULL);
  GtkWidget *across = gtk_hscrollbar_new (viewer->columns);
  GtkWidget *down = gtk_vscrollbar_new (viewer->rows);

  gtk_frame_set_shadow_type (GTK_FRAME (frame), GTK_SHADOW_IN);
  gtk_container_add (GTK_CONTAINER (frame), viewer->area);
  gtk_table_attach (GTK_TABLE (table), frame, 0, 1, 0, 1, GTK_EXPAND | GTK_FILL,
                    GTK_EXPAND | GTK_FILL, 0, 0);
  gtk_table_attach (GTK_TABLE (table), across, 0, 1, 1, 2, GTK_EXPAND | GTK_FILL, 0, 0, 0);
  gtk_table_attach (GTK_TABLE (table), down, 1, 2, 0, 1, 0, GTK_EXPAND | GTK_FILL, 0, 0);
  return table;
}

static GtkWidget *
viewer_make_button (Viewer *viewer, const char *icon, const char *tooltip, GCallback clicked)
{
  GtkWidget *button = gtk_button_new ();

  gtk_container_add (GTK_CONTAINER (button),
                     gtk_image_new_from_icon_name (icon, GTK_ICON_SIZE_MENU));
  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gimp_help_set_help_data (button, tooltip, NULL);
  atk_object_set_name (gtk_widget_get_accessible (button), tooltip);
  g_signal_connect_swapped (button, "clicked", clicked, viewer);
  return button;
}

static GtkWidget *
viewer_make_switch (Viewer *viewer, const char *label, gboolean on, const char *tooltip)
{
  GtkWidget *button = gtk_check_button_new_with_mnemonic (label);

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), on);
  gimp_help_set_help_data (button, tooltip, NULL);
  g_signal_connect_swapped (button, "toggled", G_CALLBACK (gtk_widget_queue_draw), viewer->area);
  g_signal_connect_swapped (button, "toggled", G_CALLBACK (viewer_update), viewer);
  return button;
}

static GtkWidget *
make_zoom_bar (Viewer *viewer)
{
  GtkWidget *bar = gtk_hbox_new (FALSE, 0);

  viewer->percent = gtk_label_new ("100%");
  gtk_label_set_width_chars (GTK_LABEL (viewer->percent), 6);
  gtk_box_pack_start (GTK_BOX (bar),
                      viewer_make_button (viewer, GIMP_ICON_ZOOM_OUT, _ ("Zoom out"),
                                          G_CALLBACK (zoom_out)),
                      FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (bar), viewer->percent, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (bar),
                      viewer_make_button (viewer, GIMP_ICON_ZOOM_IN, _ ("Zoom in"),
                                          G_CALLBACK (zoom_in)),
                      FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (bar),
                      viewer_make_button (viewer, GIMP_ICON_ZOOM_ORIGINAL,
                                          _ ("Show the layer at 100%"),
                                          G_CALLBACK (show_original_size)),
                      FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (bar),
                      viewer_make_button (viewer, GIMP_ICON_ZOOM_FIT_BEST,
                                          _ ("Fit the layer into the preview"),
                                          G_CALLBACK (viewer_fit)),
                      FALSE, FALSE, 0);
  return bar;
}

/* With a large font the two halves of the bar would make the dialog wider than many screens, so
 * they go below each other. */
static void
break_bar (GtkWidget *bar)
{
  GtkRequisition size;

  gtk_widget_show_all (bar); /* hidden widgets have no size */
  gtk_widget_size_request (bar, &size);
  if (size.width <= BAR_WIDTH)
    return;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (bar), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (bar), 0);
}

static GtkWidget *
make_bar (Viewer *viewer)
{
  GtkWidget *bar = gtk_hbox_new (FALSE, 12);
  GtkWidget *switches = gtk_hbox_new (FALSE, 12);

  viewer->preview = viewer_make_switch (viewer, _ ("_Preview"), TRUE,
                                        _ ("Show the result; off, the layer as it is"));
  viewer->split = viewer_make_switch (viewer, _ ("Split _view"), FALSE,
                                      _ (
                                        "Show the layer as it is to the left of a line that can be "
                                        "dragged, and the result to the right"));
  gtk_box_pack_start (GTK_BOX (switches), viewer->preview, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (switches), viewer->split, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (bar), switches, FALSE, FALSE, 0);
  gtk_box_pack_end (GTK_BOX (bar), make_zoom_bar (viewer), FALSE, FALSE, 0);
  break_bar (bar);
  return bar;
}

static void
make_zoom (Viewer *viewer)
{
  viewer->zoom = gimp_zoom_model_new ();
  gimp_zoom_model_set_range (viewer->zoom, SCALE_MIN, SCALE_MAX);
  g_signal_connect (viewer->zoom, "zoomed", G_CALLBACK (zoomed), viewer);
}

Viewer *
viewer_new (int width, int height, ViewerChangedFunc changed, gpointer data)
{
  Viewer *viewer = g_new0 (Viewer, 1);

  viewer->changed = changed;
  viewer->data = data;
  viewer->width = width;
  viewer->height = height;
  viewer->scale = 1.0;
  viewer->fit = TRUE;
  viewer->anchor_x = viewer->anchor_y = viewer->divider = 0.5;
  viewer->columns = new_adjustment (viewer);
  viewer->rows = new_adjustment (viewer);
  viewer->area = make_area (viewer);
  viewer->widget = gtk_vbox_new (FALSE, 6);
  gtk_box_pack_start (GTK_BOX (viewer->widget), make_table (viewer), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (viewer->widget), make_bar (viewer), FALSE, FALSE, 0);
  gtk_widget_show_all (viewer->widget);
  make_zoom (viewer);
  return viewer;
}

void
viewer_free (Viewer *viewer)
{
  if (! viewer)
    return;
  g_object_unref (viewer->zoom);
  g_free (viewer->after.rgba);
  g_free (viewer->before.rgba);
  g_free (viewer);
}

GtkWidget *
viewer_get_widget (const Viewer *viewer)
{
  return viewer->widget;
}

void
viewer_set_growth (Viewer *viewer, int grow_x, int grow_y)
{
  if (viewer->grow_x == grow_x && viewer->grow_y == grow_y)
    return;
  viewer->grow_x = grow_x;
  viewer->grow_y = grow_y;
  viewer_configure (viewer, gtk_adjustment_get_value (viewer->columns),
                    gtk_adjustment_get_value (viewer->rows));
}

/* Pictures. */

static FxView
get_view (const Viewer *viewer, gboolean draft)
{
  return (FxView) { .scale = viewer->scale,
                    .rect = get_visible (viewer),
                    .grow_x = viewer->grow_x,
                    .grow_y = viewer->grow_y,
                    .draft = draft };
}

gboolean
viewer_get_request (const Viewer *viewer, RendererView *request)
{
  const Picture *before = &viewer->before;

  request->view = get_view (viewer, request->view.draft);
  request->generation = viewer->generation;
  request->after = viewer_is_on (viewer->preview) || viewer_is_on (viewer->split);
  request->before = ! viewer_is_on (viewer->preview) || viewer_is_on (viewer->split);
  if (before->rgba && is_same_view (&before->view, &request->view) &&
      (! before->view.draft || request->view.draft))
    request->before = FALSE;
  return gtk_widget_get_realized (viewer->area) && (request->after || request->before) &&
         request->view.rect.width > 0 && request->view.rect.height > 0;
}

void
viewer_get_place (const Viewer *viewer, int *x, int *y)
{
  FxRect visible = get_visible (viewer);

  gdk_window_get_origin (gtk_widget_get_window (viewer->area), x, y);
  *x += visible.x - get_columns (viewer).origin;
  *y += visible.y - get_rows (viewer).origin;
}

static void
viewer_take (Picture *picture, guint8 **rgba, const RendererViewResult *result)
{
  if (! *rgba)
    return;
  g_free (picture->rgba);
  picture->rgba = g_steal_pointer (rgba);
  picture->view = result->request.view;
  picture->view.draft = result->report.draft;
}

gboolean
viewer_show (Viewer *viewer, RendererViewResult *result)
{
  viewer_take (&viewer->after, &result->after, result);
  if (result->request.generation == viewer->generation)
    viewer_take (&viewer->before, &result->before, result);
  draw (viewer);
  if (gtk_widget_get_realized (viewer->area))
    gdk_window_process_updates (gtk_widget_get_window (viewer->area), FALSE);
  return result->request.view.scale == viewer->scale;
}

void
viewer_forget (Viewer *viewer)
{
  viewer->generation++;
  viewer->before.view.scale = 0.0; /* stays on the screen until replaced */
}
