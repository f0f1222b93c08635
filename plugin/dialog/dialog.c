#include "dialog.h"

#include "canvas.h"
#include "parameters.h"
#include "presets.h"
#include "status.h"
#include "trace.h"
#include "viewer.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

#define ROLE           "cuda-blur"
#define RESPONSE_RESET 1

#define SLICE      8000 /* microseconds for which the interface may block, plus one tile */
#define SHOW_READ  100  /* milliseconds between views while the drawable is being read */
#define REFINE     150  /* milliseconds without changes after which a draft is refined */
#define WIDTH      960  /* pixels, initially */
#define HINT_WIDTH 40   /* in characters */

typedef struct {
  const FilterDescription *filter;
  RenderTarget target;
  DrawableCopy *copy;
  Renderer *renderer;
  GtkWidget *window;
  Viewer *viewer;
  Parameters *parameters;
  GtkWidget *presets;
  GtkWidget *on_canvas; /* a check button */
  Canvas *canvas;       /* may be NULL */
  GtkWidget *status;
  gboolean shown; /* changes of the viewer and the parameters take effect */
  gboolean left;  /* the window lost the focus; the drawable may have changed since */
  gboolean read;  /* pixels have arrived since the last request */
  guint reading, showing, refining, writing; /* sources of the main loop, or 0 */
} Dialog;

static void
stop (guint *source)
{
  if (*source)
    g_source_remove (*source);
  *source = 0;
}

/* Views. */

static void
request_view (Dialog *dialog, gboolean draft)
{
  RendererView view = { .view.draft = draft, .since = g_get_monotonic_time () };

  stop (&dialog->refining);
  if (! dialog->shown || ! dialog->renderer || ! viewer_get_request (dialog->viewer, &view))
    return;
  render_job_init (&view.job, &dialog->target, parameters_get (dialog->parameters));
  renderer_request_view (dialog->renderer, &view);
}

/* The canvas shows the whole layer, unchanged if nothing of it is selected. */
static void
request_layer (Dialog *dialog)
{
  RendererLayer layer = { 0 };
  FxImage *image = &layer.job.image;

  if (! dialog->canvas)
    return;
  render_job_init (&layer.job, &dialog->target, parameters_get (dialog->parameters));
  layer.as_it_is = ! drawable_copy_get_selected (dialog->copy, &image->region);
  if (layer.as_it_is || render_job_grows (&layer.job))
    image->region = (FxRect) { 0, 0, image->width, image->height };
  renderer_request_layer (dialog->renderer, &layer);
}

static gboolean
dialog_refine (gpointer data)
{
  Dialog *dialog = data;

  dialog->refining = 0;
  request_view (dialog, FALSE);
  return G_SOURCE_REMOVE;
}

static void
change_view (gpointer data)
{
  request_view (data, TRUE);
}

/* Invalid settings are not applied; the pictures stay until the settings are valid again. */
static void
change_parameters (gpointer data)
{
  Dialog *dialog = data;
  gboolean valid = parameters_are_valid (dialog->parameters);
  g_auto (RenderJob) job = { 0 };

  presets_unset (dialog->presets);
  gtk_dialog_set_response_sensitive (GTK_DIALOG (dialog->window), GTK_RESPONSE_OK, valid);
  if (! valid)
    return;
  render_job_init (&job, &dialog->target, parameters_get (dialog->parameters));
  viewer_set_growth (dialog->viewer, job.grow_x, job.grow_y);
  request_view (dialog, TRUE);
  request_layer (dialog);
}

static void
show_status (Dialog *dialog, const RendererViewResult *result)
{
  const FxReport *report = &result->report.report;
  g_autofree char *text = NULL;

  if (result->error)
    text = g_strdup (result->error->message);
  else if (*report->fallback)
    text = g_strdup_printf (_ ("%s, %.2f ms (%s)"), report->device_name, report->milliseconds,
                            report->fallback);
  else
    text = g_strdup_printf (_ ("%s, %.2f ms"), report->device_name, report->milliseconds);
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
trace_view (const Dialog *dialog, const RendererViewResult *result)
{
  const FxView *view = &result->request.view;
  g_autoptr (GString) numbers = g_string_new (NULL);
  g_autofree char *settings = NULL;
  int x, y;

  if (! fx_trace_enabled ())
    return;
  gdk_display_sync (gdk_display_get_default ());
  viewer_get_place (dialog->viewer, &x, &y);
  append_number (numbers, "%.9g", view->scale);
  settings = filter_settings_trace (result->request.job.settings);
  g_string_append_printf (numbers, " %s %s%s, ", settings, result->report.draft ? "draft, " : "",
                          result->report.report.device_name);
  append_number (numbers, "%.3f", result->report.report.milliseconds);
  fx_trace ("preview", result->request.since, (gsize) view->rect.width * view->rect.height * 4,
            "%dx%d+%d+%d from %d,%d scale %s ms", view->rect.width, view->rect.height, x, y,
            view->rect.x, view->rect.y, numbers->str);
}

static void
view_done (gpointer data, RendererViewResult *result)
{
  Dialog *dialog = data;

  if (g_error_matches (result->error, FX_ERROR, FX_ERROR_CANCELLED))
    return;
  if (! result->error && viewer_show (dialog->viewer, result))
    trace_view (dialog, result);
  show_status (dialog, result);
  if (! result->error && result->report.draft && ! dialog->refining)
    dialog->refining = g_timeout_add (REFINE, dialog_refine, dialog);
}

/* The canvas. */

static void
dialog_show_error (Dialog *dialog, const GError *error)
{
  status_set (dialog->status, error->message);
}

static void
leave_canvas (Dialog *dialog)
{
  stop (&dialog->writing);
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
layer_done (gpointer data, RendererLayerResult *result)
{
  Dialog *dialog = data;
  g_autoptr (GError) error = NULL;

  if (! dialog->canvas)
    return;
  if (result->error)
    dialog_show_error (dialog, result->error);
  else if (! canvas_set (dialog->canvas, &result->request.job, g_steal_pointer (&result->pixels),
                         &result->request.job.image.region, &error))
    {
      dialog_show_error (dialog, error);
      give_up_canvas (dialog);
    }
  else if (! dialog->writing)
    dialog->writing = g_idle_add (write_slice, dialog);
}

static void
switch_canvas (GtkToggleButton *button, Dialog *dialog)
{
  g_autoptr (GError) error = NULL;

  leave_canvas (dialog);
  gimp_displays_flush ();
  if (! gtk_toggle_button_get_active (button))
    return;
  dialog->canvas = canvas_new (&dialog->target, dialog->filter, &error);
  if (dialog->canvas)
    {
      request_layer (dialog);
      return;
    }
  dialog_show_error (dialog, error);
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
      request_view (dialog, TRUE);
      request_layer (dialog);
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
  stop (&dialog->showing);
  show_read (dialog);
  return G_SOURCE_REMOVE;
}

static void
start_reading (Dialog *dialog)
{
  g_autoptr (GError) error = NULL;

  if (! dialog->copy)
    return;
  if (! drawable_copy_begin (dialog->copy, &error))
    dialog_show_error (dialog, error);
  else if (! dialog->reading)
    dialog->reading = g_idle_add (read_slice, dialog);
}

/* A user who leaves the window may paint, or change the selection. */
static void
change_focus (GtkWindow *window, GParamSpec *param, Dialog *dialog)
{
  gboolean here = gtk_window_has_toplevel_focus (window);

  if (here && dialog->left)
    start_reading (dialog);
  dialog->left = ! here;
}

/* The window. */

/* Makes a label in italics, like GIMP's hints. */
static GtkWidget *
make_hint (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_misc_set_alignment (GTK_MISC (label), 0.0, 0.0);
  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (label), HINT_WIDTH);
  gimp_label_set_attributes (GTK_LABEL (label), PANGO_ATTR_STYLE, PANGO_STYLE_ITALIC, -1);
  return label;
}

/* If the canvas cannot show a preview, a line below says why. */
static GtkWidget *
make_on_canvas (Dialog *dialog)
{
  const char *refusal = canvas_get_refusal (&dialog->target);
  GtkWidget *box = gtk_vbox_new (FALSE, 3);

  dialog->on_canvas = gtk_check_button_new_with_mnemonic (_ ("Preview on c_anvas"));
  gtk_widget_set_sensitive (dialog->on_canvas, ! refusal);
  gimp_help_set_help_data (dialog->on_canvas,
                           _ ("Show the result in the image window, on a temporary layer in place "
                              "of yours, which stays as it is until OK"),
                           NULL);
  g_signal_connect (dialog->on_canvas, "toggled", G_CALLBACK (switch_canvas), dialog);
  gtk_box_pack_start (GTK_BOX (box), dialog->on_canvas, FALSE, FALSE, 0);
  if (refusal)
    gtk_box_pack_start (GTK_BOX (box), make_hint (refusal), FALSE, FALSE, 0);
  return box;
}

static const FilterSettings *
get_settings (gpointer data)
{
  Dialog *dialog = data;

  return parameters_get (dialog->parameters);
}

static void
set_settings (gpointer data, const FilterSettings *settings)
{
  Dialog *dialog = data;

  parameters_set (dialog->parameters, settings);
}

static GtkWidget *
make_body (Dialog *dialog, const FilterSettings *settings)
{
  GtkWidget *box = gtk_hbox_new (FALSE, 12);
  GtkWidget *column = gtk_vbox_new (FALSE, 12);

  dialog->viewer = viewer_new (dialog->target.width, dialog->target.height, change_view, dialog);
  dialog->parameters = parameters_new (&dialog->target, settings, change_parameters, dialog);
  gtk_box_pack_start (GTK_BOX (column), parameters_get_widget (dialog->parameters), FALSE, FALSE,
                      0);
  gtk_box_pack_start (GTK_BOX (column), make_on_canvas (dialog), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), viewer_get_widget (dialog->viewer), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), column, FALSE, FALSE, 0);
  return box;
}

static GtkWidget *
dialog_make_content (Dialog *dialog, const FilterSettings *settings)
{
  GtkWidget *box = gtk_vbox_new (FALSE, 12), *row;

  gtk_container_set_border_width (GTK_CONTAINER (box), 12);
  dialog->status = status_new (&row);
  dialog->presets = presets_new (settings, get_settings, set_settings, dialog);
  gtk_box_pack_start (GTK_BOX (box), dialog->presets, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), make_body (dialog, settings), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), row, FALSE, FALSE, 0);
  gtk_widget_show_all (box);
  return box;
}

static void
dialog_make_window (Dialog *dialog, const FilterSettings *settings)
{
  GtkWidget *window = gimp_dialog_new (_ (dialog->filter->title), ROLE, NULL, 0,
                                       gimp_standard_help_func, dialog->filter->procedure,
                                       _ ("_Reset"), RESPONSE_RESET, _ ("_Cancel"),
                                       GTK_RESPONSE_CANCEL, _ ("_OK"), GTK_RESPONSE_OK, NULL);
  GtkWidget *content = gtk_dialog_get_content_area (GTK_DIALOG (window));

  gtk_dialog_set_alternative_button_order (GTK_DIALOG (window), GTK_RESPONSE_OK, RESPONSE_RESET,
                                           GTK_RESPONSE_CANCEL, -1);
  gtk_dialog_set_default_response (GTK_DIALOG (window), GTK_RESPONSE_OK);
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, -1);
  gimp_window_set_transient (GTK_WINDOW (window));
  gtk_box_pack_start (GTK_BOX (content), dialog_make_content (dialog, settings), TRUE, TRUE, 0);
  g_signal_connect (window, "notify::has-toplevel-focus", G_CALLBACK (change_focus), dialog);
  dialog->window = window;
}

/* Opens a display first, as gimp_ui_init ends the process if there is none. */
static gboolean
open_display (GError **error)
{
  g_autofree char *name = gimp_display_name () ? g_strdup (gimp_display_name ())
                                               : g_strdup (g_getenv ("DISPLAY"));
  GdkDisplay *display;
  int argc = 0;
  char **argv = NULL;

  gdk_parse_args (&argc, &argv);
  display = name && *name ? gdk_display_open (name) : NULL;
  if (! display)
    {
      g_set_error (error, RENDER_ERROR, RENDER_ERROR_REFUSED,
                   _ ("run-mode is 0 (interactive), which needs a display, but there is none; "
                      "without one it must be 1 (non-interactive) or 2 (with last values)"));
      return FALSE;
    }
  gdk_display_close (display);
  gimp_ui_init (ROLE, TRUE);
  return TRUE;
}

static gboolean
run (Dialog *dialog)
{
  g_autoptr (FilterSettings) initial = filter_settings_new (dialog->filter);
  int response;

  gtk_widget_show (dialog->window);
  parameters_grab_focus (dialog->parameters);
  dialog->shown = TRUE;
  change_parameters (dialog);
  start_reading (dialog);
  while ((response = gimp_dialog_run (GIMP_DIALOG (dialog->window))) == RESPONSE_RESET)
    parameters_set (dialog->parameters, initial);
  return response == GTK_RESPONSE_OK;
}

static void
close_window (Dialog *dialog, gboolean apply)
{
  leave_canvas (dialog);
  gtk_widget_hide (dialog->window); /* the rest may have to wait for a compiler */
  gdk_flush ();
  if (! apply)
    gimp_displays_flush ();
  dialog->shown = FALSE;
  stop (&dialog->reading);
  stop (&dialog->showing);
  stop (&dialog->refining);
  renderer_free (dialog->renderer);
  drawable_copy_free (dialog->copy);
  gtk_widget_destroy (dialog->window);
  viewer_free (dialog->viewer);
  parameters_free (dialog->parameters);
}

/* If there is no memory or no thread for the preview, the filter still works. */
static void
start_preview (Dialog *dialog, FxEngine *engine)
{
  static const RendererFuncs funcs = { view_done, layer_done };
  g_autoptr (GError) error = NULL;

  dialog->copy = drawable_copy_new (&dialog->target, &error);
  if (dialog->copy)
    dialog->renderer = renderer_new (engine, &dialog->target, dialog->copy, &funcs, dialog, &error);
  if (! dialog->renderer)
    {
      dialog_show_error (dialog, error);
      gtk_widget_set_sensitive (dialog->on_canvas, FALSE);
      drawable_copy_free (g_steal_pointer (&dialog->copy));
      return;
    }
  drawable_copy_set_changed (dialog->copy, change_copy, dialog);
}

gboolean
dialog_run (FxEngine *engine, gint32 drawable, FilterSettings *settings, GError **error)
{
  Dialog dialog = { .filter = filter_settings_get_filter (settings) };
  gboolean apply;

  if (! open_display (error) || ! render_target_init (&dialog.target, drawable, error))
    return FALSE;
  dialog_make_window (&dialog, settings);
  start_preview (&dialog, engine);
  apply = run (&dialog);
  if (apply)
    filter_settings_assign (settings, parameters_get (dialog.parameters));
  close_window (&dialog, apply);
  return apply;
}
