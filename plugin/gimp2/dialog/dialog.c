#include "dialog-private.h"

#include "buttons.h"
#include "place.h"
#include "presets.h"
#include "settings-picture.h"
#include "size-pair.h"
#include "spin-scale.h"
#include "status.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

#define ROLE           "cuda-blur"
#define RESPONSE_RESET 1

#define WIDTH      960 /* pixels, initially */
#define HINT_WIDTH 40  /* in characters */

static void
change_view (gpointer data)
{
  dialog_request_view (data, TRUE);
}

static void
set_point (gpointer data, double x, double y)
{
  Dialog *dialog = data;
  int first = filter_find_role (dialog->filter, FILTER_ROLE_POINT);
  const FilterProperty *property = &dialog->filter->properties[first];
  const double point[2] = { x, y };
  g_autoptr (FilterSettings) settings = filter_settings_copy (parameters_get (dialog->parameters));

  for (guint i = 0; i < 2; i++)
    filter_settings_set (settings, first + i,
                         CLAMP (point[i], property[i].minimum, property[i].maximum));
  parameters_set (dialog->parameters, settings);
}

static gboolean
get_line (gpointer data, guint number, double error, GArray *points)
{
  const Dialog *dialog = data;
  const FxGeometry geometry = { .width = dialog->target.width, .height = dialog->target.height };

  return dialog->filter->get_line (parameters_get (dialog->parameters), &geometry, number, error,
                                   points);
}

static void
show_point (Dialog *dialog)
{
  const FilterSettings *settings = parameters_get (dialog->parameters);
  int property = filter_find_role (dialog->filter, FILTER_ROLE_POINT);
  double point[2];

  if (property < 0)
    return;
  point[0] = filter_settings_get (settings, property);
  point[1] = filter_settings_get (settings, property + 1);
  viewer_set_point (dialog->viewer, filter_settings_use (settings, property) ? point : NULL);
}

/* Invalid settings are not applied; the pictures stay until the settings are valid again. */
static void
change_parameters (gpointer data)
{
  Dialog *dialog = data;
  gboolean valid = parameters_are_valid (dialog->parameters);
  g_auto (ApplyJob) job = { 0 };

  presets_unset (dialog->presets);
  dialog_allow_ok (dialog);
  if (! valid)
    return;
  if (dialog->picture)
    settings_picture_show (dialog->picture, parameters_get (dialog->parameters));
  apply_job_init (&job, &dialog->target, parameters_get (dialog->parameters));
  viewer_set_growth (dialog->viewer, job.grow_x, job.grow_y);
  show_point (dialog);
  dialog_request_view (dialog, TRUE);
  dialog_request_layer (dialog);
}

/* If the canvas cannot show a preview, a line below says why. */
static GtkWidget *
make_on_canvas (Dialog *dialog)
{
  const char *refusal = canvas_get_refusal (&dialog->target);
  GtkWidget *box = gtk_vbox_new (FALSE, 3), *hint;

  dialog->on_canvas =
    check_button_new (_ ("Preview on c_anvas"),
                      _ ("Show the result in the image window, on a temporary layer in place "
                         "of yours, which stays as it is until OK"));
  gtk_widget_set_sensitive (dialog->on_canvas, ! refusal);
  g_signal_connect (dialog->on_canvas, "toggled", G_CALLBACK (dialog_switch_canvas), dialog);
  gtk_box_pack_start (GTK_BOX (box), dialog->on_canvas, FALSE, FALSE, 0);
  if (refusal)
    {
      hint = hint_new (refusal);
      gtk_label_set_width_chars (GTK_LABEL (hint), HINT_WIDTH);
      gtk_box_pack_start (GTK_BOX (box), hint, FALSE, FALSE, 0);
    }
  return box;
}

static GtkWidget *
make_body (Dialog *dialog, const FilterSettings *settings)
{
  GtkWidget *box = gtk_hbox_new (FALSE, 12);
  GtkWidget *column = gtk_vbox_new (FALSE, 12);
  const ParametersTarget target = { .coverage = dialog->target.coverage,
                                    .grow_refusal = apply_target_get_grow_refusal (&dialog->target),
                                    .new_pair = size_pair_new,
                                    .pair_data = &dialog->target,
                                    .new_slider = spin_scale_new,
                                    .has_facts = TRUE };

  const FilterDescription *filter = dialog->filter;
  gboolean has_point = filter_find_role (filter, FILTER_ROLE_POINT) >= 0;
  const ViewerFuncs funcs = { change_view, has_point ? set_point : NULL,
                              filter->get_line ? get_line : NULL };

  dialog->viewer = viewer_new (&dialog->target, &funcs, dialog,
                               filter->preview_hint ? _ (filter->preview_hint) : NULL);
  dialog->parameters = parameters_new (&target, settings, change_parameters, dialog);
  if (dialog->filter->draw_picture)
    {
      dialog->picture = settings_picture_new (settings);
      gtk_box_pack_start (GTK_BOX (column), dialog->picture, FALSE, FALSE, 0);
    }
  if (filter->map.label)
    gtk_box_pack_start (GTK_BOX (column), dialog_make_map (dialog), FALSE, FALSE, 0);
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
  GtkWidget *body = make_body (dialog, settings);

  gtk_container_set_border_width (GTK_CONTAINER (box), 12);
  dialog->status = status_new (&row);
  dialog->presets = presets_new (settings, dialog->parameters);
  gtk_box_pack_start (GTK_BOX (box), dialog->presets, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), body, TRUE, TRUE, 0);
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
  g_signal_connect (window, "notify::has-toplevel-focus", G_CALLBACK (dialog_change_focus), dialog);
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
    return fx_set_error (error, APPLY_ERROR, APPLY_ERROR_REFUSED,
                         _ (
                           "run-mode is 0 (interactive), which needs a display, but there is none; "
                           "without one it must be 1 (non-interactive) or 2 (with last values)"));
  gdk_display_close (display);
  gimp_ui_init (ROLE, TRUE);
  return TRUE;
}

static gboolean
run (Dialog *dialog)
{
  g_autoptr (FilterSettings) initial = filter_settings_new (dialog->filter);
  int response;

  place_restore (GTK_WINDOW (dialog->window), dialog->filter->name);
  gtk_widget_show (dialog->window);
  parameters_grab_focus (dialog->parameters);
  dialog->shown = TRUE;
  dialog_start_reading_map (dialog);
  change_parameters (dialog);
  dialog_start_reading (dialog);
  while ((response = gimp_dialog_run (GIMP_DIALOG (dialog->window))) == RESPONSE_RESET)
    parameters_set (dialog->parameters, initial);
  return response == GTK_RESPONSE_OK;
}

static void
close_window (Dialog *dialog, gboolean apply)
{
  place_keep (GTK_WINDOW (dialog->window), dialog->filter->name);
  dialog_stop_reading_map (dialog);
  dialog_leave_canvas (dialog);
  gtk_widget_hide (dialog->window); /* the rest may have to wait for a compiler */
  gdk_flush ();
  if (! apply)
    gimp_displays_flush ();
  dialog_stop_preview (dialog);
  gtk_widget_destroy (dialog->window);
  viewer_free (dialog->viewer);
  parameters_free (dialog->parameters);
  filter_map_free (dialog->map_read);
}

gboolean
dialog_run (FxEngine *engine, gint32 drawable, gint32 *map, FilterSettings *settings,
            GError **error)
{
  Dialog dialog = { .filter = filter_settings_get_filter (settings), .map = *map };
  gboolean apply;

  if (! open_display (error) || ! apply_target_init (&dialog.target, drawable, error))
    return FALSE;
  dialog_make_window (&dialog, settings);
  dialog_start_preview (&dialog, engine);
  apply = run (&dialog);
  if (apply)
    {
      filter_settings_assign (settings, parameters_get (dialog.parameters));
      *map = dialog.map;
    }
  close_window (&dialog, apply);
  return apply;
}
