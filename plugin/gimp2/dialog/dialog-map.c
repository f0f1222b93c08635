/* The map of a filter that takes one: the control that chooses it, and its pixels. */
#include "apply-map.h"
#include "dialog-private.h"
#include "status.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

/* Reading. */

void
dialog_stop_reading_map (Dialog *dialog)
{
  g_clear_handle_id (&dialog->reading_map, g_source_remove);
  g_clear_pointer (&dialog->map_reader, map_reader_free);
}

/* Uses map, or none. */
static void
take (Dialog *dialog, FilterMap *map, const GError *error)
{
  filter_map_free (dialog->map_read);
  dialog->map_read = map;
  status_set (dialog->status, error ? error->message : NULL);
  dialog_allow_ok (dialog);
  dialog_request_view (dialog, TRUE);
  dialog_request_layer (dialog);
}

static gboolean
is_same (const FilterMap *a, const FilterMap *b)
{
  return a && b && a->x == b->x && a->y == b->y && a->width == b->width && a->height == b->height &&
         g_bytes_equal (a->values, b->values);
}

static gboolean
read_slice (gpointer data)
{
  Dialog *dialog = data;
  FilterMap *map;
  g_autoptr (GError) error = NULL;

  if (map_reader_read (dialog->map_reader, &map, &error))
    return G_SOURCE_CONTINUE;
  dialog->reading_map = 0;
  dialog_stop_reading_map (dialog);
  if (is_same (map, dialog->map_read))
    filter_map_free (map);
  else
    take (dialog, map, error);
  return G_SOURCE_REMOVE;
}

/* The priority is below that of the drawable's slices, so that events wait for one of them only. */
static void
begin (Dialog *dialog)
{
  g_autoptr (GError) error = NULL;

  dialog_stop_reading_map (dialog);
  dialog->map_linear = filter_settings_use_linear_map (parameters_get (dialog->parameters));
  dialog->map_reader = map_reader_new (dialog->map, dialog->target.drawable, dialog->map_linear,
                                       &error);
  if (dialog->map_reader)
    dialog->reading_map = g_idle_add_full (G_PRIORITY_LOW, read_slice, dialog, NULL);
  else
    g_clear_pointer (&dialog->map_read, filter_map_free);
  if (! dialog->map_read)
    status_set (dialog->status, error ? error->message : _ ("Reading the map…"));
}

void
dialog_start_reading_map (Dialog *dialog)
{
  if (! dialog->filter->map.label || ! dialog->renderer)
    return;
  g_clear_pointer (&dialog->map_read, filter_map_free);
  begin (dialog);
}

void
dialog_read_map_again (Dialog *dialog)
{
  if (! dialog->filter->map.label || ! dialog->renderer)
    return;
  begin (dialog);
  dialog_allow_ok (dialog);
}

/* Its use. */

gboolean
dialog_has_map (const Dialog *dialog)
{
  return dialog->map_read || ! dialog->filter->map.label;
}

gboolean
dialog_lacks_map (const Dialog *dialog)
{
  return ! dialog_has_map (dialog) && ! dialog->map_reader;
}

void
dialog_allow_ok (Dialog *dialog)
{
  gboolean linear = filter_settings_use_linear_map (parameters_get (dialog->parameters));

  if (dialog->map_linear != linear)
    dialog_start_reading_map (dialog);
  gtk_dialog_set_response_sensitive (GTK_DIALOG (dialog->window), GTK_RESPONSE_OK,
                                     ! (dialog->renderer && dialog_lacks_map (dialog)) &&
                                       parameters_are_valid (dialog->parameters));
}

FilterSettings *
dialog_copy_settings (const Dialog *dialog)
{
  FilterSettings *settings = filter_settings_copy (parameters_get (dialog->parameters));

  filter_settings_set_map (settings, dialog->map_read);
  return settings;
}

/* The control. */

static gboolean
is_map (gint32 image, gint32 drawable, gpointer data)
{
  return ! gimp_drawable_is_indexed (drawable);
}

static void
choose (GtkWidget *control, Dialog *dialog)
{
  gimp_int_combo_box_get_active (GIMP_INT_COMBO_BOX (control), &dialog->map);
  dialog_start_reading_map (dialog);
  dialog_allow_ok (dialog);
  dialog_request_view (dialog, TRUE);
}

/* The last map may be gone or, like a mask, not in the list; the layer may be a mask itself. The
 * map is what the list shows, in any case. */
GtkWidget *
dialog_make_map (Dialog *dialog)
{
  GtkWidget *row = gtk_hbox_new (FALSE, 6);
  GtkWidget *label = gtk_label_new_with_mnemonic (_ (dialog->filter->map.label));
  GtkWidget *control = gimp_drawable_combo_box_new (is_map, NULL);
  GimpIntComboBox *list = GIMP_INT_COMBO_BOX (control);

  gtk_label_set_mnemonic_widget (GTK_LABEL (label), control);
  gimp_help_set_help_data (control, _ (dialog->filter->map.tooltip), NULL);
  if (! gimp_int_combo_box_set_active (list, dialog->map))
    gimp_int_combo_box_set_active (list, dialog->target.drawable);
  dialog->map = -1;
  gimp_int_combo_box_get_active (list, &dialog->map);
  g_signal_connect (control, "changed", G_CALLBACK (choose), dialog);
  gtk_box_pack_start (GTK_BOX (row), label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (row), control, TRUE, TRUE, 0);
  return row;
}
