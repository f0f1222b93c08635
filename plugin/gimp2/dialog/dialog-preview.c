/* The preview: views of the result, the layer on the canvas, and the drawable's pixels as they are
 * read. */
#include "dialog-private.h"

#include "duration.h"
#include "status.h"
#include "trace.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

#define SLICE     8000 /* microseconds for which the interface may block, plus one tile */
#define SHOW_READ 100  /* milliseconds between views while the drawable is being read */
#define REFINE    150  /* milliseconds without changes after which a draft is refined */

/* Views. */

void
dialog_request_view (Dialog *dialog, gboolean draft)
{
  RendererView view = { .view.draft = draft, .since = g_get_monotonic_time () };
  g_autoptr (FilterSettings) settings = NULL;

  g_clear_handle_id (&dialog->refining, g_source_remove);
  if (! dialog->shown || ! dialog->renderer || dialog_lacks_map (dialog) ||
      (! viewer_get_request (dialog->viewer, &view) && ! dialog->filter->describe))
    return;
  view.as_it_is = ! dialog_has_map (dialog);
  settings = dialog_copy_settings (dialog);
  apply_job_init (&view.job, &dialog->target, settings);
  renderer_request_view (dialog->renderer, &view);
}

/* The canvas shows the whole layer, unchanged if no part of it is selected. */
void
dialog_request_layer (Dialog *dialog)
{
  RendererLayer layer = { 0 };
  FxImage *image = &layer.job.image;
  g_autoptr (FilterSettings) settings = NULL;

  if (! dialog->canvas || ! dialog_has_map (dialog))
    return;
  settings = dialog_copy_settings (dialog);
  apply_job_init (&layer.job, &dialog->target, settings);
  layer.as_it_is = ! drawable_copy_get_selected (dialog->copy, &image->region);
  if (layer.as_it_is || apply_job_grows (&layer.job))
    image->region = (FxRect) { 0, 0, image->width, image->height };
  renderer_request_layer (dialog->renderer, &layer);
}

static gboolean
dialog_refine (gpointer data)
{
  Dialog *dialog = data;

  dialog->refining = 0;
  dialog_request_view (dialog, FALSE);
  return G_SOURCE_REMOVE;
}

/* A draft's time says nothing about that of the view that follows it. */
static void
show_status (Dialog *dialog, const RendererView *result)
{
  const FxReport *report = &result->report.report;
  g_autofree char *time = fx_print_duration (report->milliseconds);
  g_autofree char *text = NULL;

  if (result->error)
    text = g_strdup (result->error->message);
  else if (result->report.draft)
    text = g_strdup (_ ("Draft; computing the full picture…"));
  else if (*report->fallback)
    text = g_strdup_printf (_ ("%s, %s (%s)"), report->device_name, time, report->fallback);
  else
    text = g_strdup_printf (_ ("%s, %s"), report->device_name, time);
  status_set (dialog->status, text);
}

/* Uses a decimal point in every locale. */
static void
append_number (GString *text, const char *format, double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, format, number));
}

/* Traces the picture's place on the screen and in the scaled drawable, once the display has it. */
static void
trace_view (const Dialog *dialog, const RendererView *result)
{
  const FxView *view = &result->view;
  g_autoptr (GString) numbers = g_string_new (NULL);
  g_autofree char *settings = NULL;
  int x, y;

  if (! fx_config_wants_trace ())
    return;
  gdk_display_sync (gdk_display_get_default ());
  viewer_get_place (dialog->viewer, &x, &y);
  append_number (numbers, "%.9g", view->scale);
  settings = filter_settings_trace (result->job.settings);
  g_string_append_printf (numbers, " %s %s%s, ", result->as_it_is ? "as it is," : settings,
                          result->report.draft ? "draft, " : "", result->report.report.device_name);
  append_number (numbers, "%.3f", result->report.report.milliseconds);
  fx_trace ("preview", result->since, (gsize) view->rect.width * view->rect.height * 4,
            "%dx%d+%d+%d from %d,%d scale %s ms", view->rect.width, view->rect.height, x, y,
            view->rect.x, view->rect.y, numbers->str);
}

static void
view_done (gpointer data, RendererView *result)
{
  Dialog *dialog = data;

  if (g_error_matches (result->error, FX_ERROR, FX_ERROR_CANCELLED) || dialog_lacks_map (dialog))
    return;
  parameters_show_facts (dialog->parameters, result->facts);
  if (! result->wants_after && ! result->wants_before)
    return;
  if (! result->error && viewer_show (dialog->viewer, result))
    trace_view (dialog, result);
  if (dialog_has_map (dialog)) /* otherwise the status speaks of it */
    show_status (dialog, result);
  if (! result->error && result->report.draft && ! dialog->refining)
    dialog->refining = g_timeout_add (REFINE, dialog_refine, dialog);
}

/* The canvas. */

void
dialog_leave_canvas (Dialog *dialog)
{
  g_clear_handle_id (&dialog->writing, g_source_remove);
  if (dialog->canvas)
    renderer_request_layer (dialog->renderer, NULL);
  canvas_free (g_steal_pointer (&dialog->canvas));
}

/* The user may have removed the canvas's layer. */
static void
give_up_canvas (Dialog *dialog)
{
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (dialog->on_canvas), FALSE);
}

static gboolean
write_slice (gpointer data)
{
  Dialog *dialog = data;

  if (canvas_write (dialog->canvas, g_get_monotonic_time () + SLICE))
    return G_SOURCE_CONTINUE;
  dialog->writing = 0;
  if (canvas_is_lost (dialog->canvas))
    give_up_canvas (dialog);
  return G_SOURCE_REMOVE;
}

static void
layer_done (gpointer data, RendererLayer *result)
{
  Dialog *dialog = data;
  g_autoptr (GError) error = NULL;

  if (! dialog->canvas)
    return;
  if (result->error)
    status_set (dialog->status, result->error->message);
  else if (! canvas_set (dialog->canvas, &result->job, g_steal_pointer (&result->pixels),
                         &result->job.image.region, &error))
    {
      status_set (dialog->status, error->message);
      give_up_canvas (dialog);
    }
  else if (! dialog->writing)
    dialog->writing = g_idle_add (write_slice, dialog);
}

void
dialog_switch_canvas (GtkToggleButton *button, Dialog *dialog)
{
  g_autoptr (GError) error = NULL;

  dialog_leave_canvas (dialog);
  gimp_displays_flush ();
  if (! gtk_toggle_button_get_active (button))
    return;
  dialog->canvas = canvas_new (&dialog->target, dialog->filter, &error);
  if (dialog->canvas)
    {
      dialog_request_layer (dialog);
      return;
    }
  status_set (dialog->status, error->message);
  give_up_canvas (dialog);
}

/* The drawable's pixels. */

static gboolean
show_read (gpointer data)
{
  Dialog *dialog = data;

  dialog->showing = 0;
  if (dialog->read)
    {
      dialog_request_view (dialog, TRUE);
      dialog_request_layer (dialog);
    }
  dialog->read = FALSE;
  return G_SOURCE_REMOVE;
}

/* Shows new pixels soon, but not after each row of tiles. */
static void
change_copy (gpointer data, int y, int rows)
{
  Dialog *dialog = data;

  renderer_change (dialog->renderer, y, rows);
  viewer_forget (dialog->viewer);
  dialog->read = TRUE;
  if (! dialog->showing)
    dialog->showing = g_timeout_add (SHOW_READ, show_read, dialog);
}

/* Returns the visible part, which is read first. */
static FxRect
get_seen (const Dialog *dialog)
{
  RendererView view = { 0 };
  const FxRect *rect = &view.view.rect;
  double scale;

  viewer_get_request (dialog->viewer, &view);
  scale = view.view.scale;
  return (FxRect) { (int) (rect->x / scale), (int) (rect->y / scale),
                    (int) (rect->width / scale) + 1, (int) (rect->height / scale) + 1 };
}

static gboolean
read_slice (gpointer data)
{
  Dialog *dialog = data;
  FxRect seen = get_seen (dialog);

  if (drawable_copy_read (dialog->copy, &seen, g_get_monotonic_time () + SLICE))
    return G_SOURCE_CONTINUE;
  dialog->reading = 0;
  g_clear_handle_id (&dialog->showing, g_source_remove);
  show_read (dialog);
  return G_SOURCE_REMOVE;
}

void
dialog_start_reading (Dialog *dialog)
{
  g_autoptr (GError) error = NULL;

  if (! dialog->copy)
    return;
  if (! drawable_copy_begin (dialog->copy, &error))
    status_set (dialog->status, error->message);
  else if (! dialog->reading)
    dialog->reading = g_idle_add (read_slice, dialog);
}

/* A user who leaves the window may paint, or change the selection. */
void
dialog_change_focus (GtkWindow *window, GParamSpec *param, Dialog *dialog)
{
  gboolean here = gtk_window_has_toplevel_focus (window);

  if (here && dialog->left)
    {
      parameters_set_grow_refusal (dialog->parameters,
                                   apply_target_get_grow_refusal (&dialog->target));
      dialog_start_reading (dialog);
      dialog_read_map_again (dialog);
    }
  dialog->left = ! here;
}

/* Beginning and end. */

void
dialog_start_preview (Dialog *dialog, FxEngine *engine)
{
  static const RendererFuncs funcs = { view_done, layer_done };
  g_autoptr (GError) error = NULL;

  dialog->copy = drawable_copy_new (&dialog->target, &error);
  if (dialog->copy)
    dialog->renderer = renderer_new (engine, &dialog->target, dialog->copy, &funcs, dialog, &error);
  if (! dialog->renderer)
    {
      status_set (dialog->status, error->message);
      gtk_widget_set_sensitive (dialog->on_canvas, FALSE);
      drawable_copy_free (g_steal_pointer (&dialog->copy));
      return;
    }
  drawable_copy_set_changed (dialog->copy, change_copy, dialog);
}

void
dialog_stop_preview (Dialog *dialog)
{
  dialog->shown = FALSE;
  g_clear_handle_id (&dialog->reading, g_source_remove);
  g_clear_handle_id (&dialog->showing, g_source_remove);
  g_clear_handle_id (&dialog->refining, g_source_remove);
  renderer_free (dialog->renderer);
  drawable_copy_free (dialog->copy);
}
