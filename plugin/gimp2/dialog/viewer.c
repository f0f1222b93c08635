#include "viewer-private.h"

#include "buttons.h"
#include "display.h"
#include "rectangle.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define AREA_SIZE 360 /* in pixels, at least */
#define BAR_WIDTH 440 /* in pixels, at most */

static GtkAdjustment *
new_adjustment (Viewer *viewer)
{
  GtkObject *adjustment = gtk_adjustment_new (0, 0, 1, VIEWER_KEY_STEP, VIEWER_KEY_STEP, 1);

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
  viewer_connect_input (viewer, area);
  viewer_connect_drawing (viewer, area);
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

static void
add_zoom_button (Viewer *viewer, GtkWidget *bar, const char *icon, const char *tooltip,
                 void (*zoom) (Viewer *viewer))
{
  gtk_box_pack_start (GTK_BOX (bar), icon_button_new (icon, tooltip, G_CALLBACK (zoom), viewer),
                      FALSE, FALSE, 0);
}

static GtkWidget *
viewer_make_switch (Viewer *viewer, const char *label, gboolean on, const char *tooltip)
{
  GtkWidget *button = check_button_new (label, tooltip);

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), on);
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
  add_zoom_button (viewer, bar, GIMP_ICON_ZOOM_OUT, _ ("Zoom out"), viewer_zoom_out);
  gtk_box_pack_start (GTK_BOX (bar), viewer->percent, FALSE, FALSE, 0);
  add_zoom_button (viewer, bar, GIMP_ICON_ZOOM_IN, _ ("Zoom in"), viewer_zoom_in);
  add_zoom_button (viewer, bar, GIMP_ICON_ZOOM_ORIGINAL, _ ("Show the layer at 100%"),
                   viewer_zoom_original);
  add_zoom_button (viewer, bar, GIMP_ICON_ZOOM_FIT_BEST, _ ("Fit the layer into the preview"),
                   viewer_zoom_fit);
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

/* The tooltip belongs to the bar: over the picture it would hide the settings beside that. */
static void
explain (const Viewer *viewer, GtkWidget *bar, const char *hint)
{
  const char *input = _ ("Drag the preview to pan, turn the wheel to zoom. With the keyboard: "
                         "arrow keys, +, -, 1 for 100%, 0 to fit; Ctrl with arrow keys moves the "
                         "divider");
  g_autofree char *text = g_strconcat (input, hint ? "\n" : NULL, hint, NULL);

  gimp_help_set_help_data (bar, text, NULL);
  atk_object_set_description (gtk_widget_get_accessible (viewer->area), text);
}

static GtkWidget *
make_bar (Viewer *viewer, const char *hint)
{
  GtkWidget *bar = gtk_hbox_new (FALSE, 12);
  GtkWidget *switches = gtk_hbox_new (FALSE, 12);
  const char *about_split = _ ("Show the result to the left of a line that can be dragged, and the "
                               "layer as it is to the right");

  viewer->preview = viewer_make_switch (viewer, _ ("_Preview"), TRUE,
                                        _ ("Show the result; off, the layer as it is"));
  viewer->split = viewer_make_switch (viewer, _ ("Split _view"), FALSE, about_split);
  g_object_bind_property (viewer->preview, "active", viewer->split, "sensitive", G_BINDING_DEFAULT);
  gtk_box_pack_start (GTK_BOX (switches), viewer->preview, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (switches), viewer->split, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (bar), switches, FALSE, FALSE, 0);
  gtk_box_pack_end (GTK_BOX (bar), make_zoom_bar (viewer), FALSE, FALSE, 0);
  break_bar (bar);
  explain (viewer, bar, hint);
  return bar;
}

Viewer *
viewer_new (const ApplyTarget *target, const ViewerFuncs *funcs, gpointer data, const char *hint)
{
  Viewer *viewer = g_new0 (Viewer, 1);

  viewer->funcs = *funcs;
  viewer->data = data;
  viewer->target = target;
  viewer->width = target->width;
  viewer->height = target->height;
  viewer->scale = 1.0;
  viewer->fit = TRUE;
  viewer->anchor_x = viewer->anchor_y = viewer->divider = 0.5;
  viewer->columns = new_adjustment (viewer);
  viewer->rows = new_adjustment (viewer);
  viewer->area = make_area (viewer);
  viewer->widget = gtk_vbox_new (FALSE, 6);
  gtk_box_pack_start (GTK_BOX (viewer->widget), make_table (viewer), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (viewer->widget), make_bar (viewer, hint), FALSE, FALSE, 0);
  gtk_widget_show_all (viewer->widget);
  viewer_make_zoom (viewer);
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
  viewer_configure (viewer);
}

void
viewer_set_point (Viewer *viewer, const double point[2])
{
  viewer->has_point = point != NULL;
  if (point)
    memcpy (viewer->point, point, sizeof viewer->point);
  gtk_widget_queue_draw (viewer->area);
}

/* Pictures. */

static gboolean
is_same_view (const FxView *a, const FxView *b)
{
  return a->scale == b->scale && a->grow_x == b->grow_x && a->grow_y == b->grow_y &&
         rect_equal (&a->rect, &b->rect);
}

static FxView
get_view (const Viewer *viewer, gboolean draft)
{
  return (FxView) { .scale = viewer->scale,
                    .rect = viewer_get_visible (viewer),
                    .grow_x = viewer->grow_x,
                    .grow_y = viewer->grow_y,
                    .draft = draft };
}

gboolean
viewer_get_request (const Viewer *viewer, RendererView *request)
{
  const Picture *before = &viewer->before;
  gboolean visible;

  request->view = get_view (viewer, request->view.draft);
  request->generation = viewer->generation;
  visible = gtk_widget_get_realized (viewer->area) && request->view.rect.width > 0 &&
            request->view.rect.height > 0;
  request->wants_after = visible && viewer_has_preview (viewer);
  request->wants_before = visible && (! viewer_has_preview (viewer) || viewer_is_split (viewer));
  if (before->rgba && is_same_view (&before->view, &request->view) &&
      (! before->view.draft || request->view.draft))
    request->wants_before = FALSE;
  return request->wants_after || request->wants_before;
}

void
viewer_get_place (const Viewer *viewer, int *x, int *y)
{
  FxRect visible = viewer_get_visible (viewer);

  gdk_window_get_origin (gtk_widget_get_window (viewer->area), x, y);
  *x += visible.x - viewer_get_columns (viewer).origin;
  *y += visible.y - viewer_get_rows (viewer).origin;
}

static void
viewer_take (const Viewer *viewer, Picture *picture, guint8 **rgba, const RendererView *result)
{
  const FxRect *rect = &result->view.rect;

  if (! *rgba)
    return;
  display_convert (viewer->area, viewer->target, *rgba, (gsize) rect->width * rect->height);
  g_free (picture->rgba);
  picture->rgba = g_steal_pointer (rgba);
  picture->view = result->view;
  picture->view.draft = result->report.draft;
}

gboolean
viewer_show (Viewer *viewer, RendererView *result)
{
  viewer_take (viewer, &viewer->after, &result->after, result);
  if (result->generation == viewer->generation)
    viewer_take (viewer, &viewer->before, &result->before, result);
  viewer_draw (viewer);
  if (gtk_widget_get_realized (viewer->area))
    gdk_window_process_updates (gtk_widget_get_window (viewer->area), FALSE);
  return result->view.scale == viewer->scale;
}

void
viewer_forget (Viewer *viewer)
{
  viewer->generation++;
  viewer->before.view.scale = 0.0; /* stays on the screen until replaced */
}
