#include "presets-manage.h"

#include "preset-list.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

#define LIST_WIDTH  200 /* in pixels, like GIMP's */
#define LIST_HEIGHT 200

typedef struct {
  const FilterDescription *filter;
  const char *path;
  GtkWidget *view;
  GtkListStore *names; /* has one column, the names */
  GtkWidget *rename_button;
  GtkWidget *delete_button;
} Manager;

/* Returns the name in the row at iter; free it. */
static char *
get_name (Manager *manager, GtkTreeIter *iter)
{
  char *name;

  gtk_tree_model_get (GTK_TREE_MODEL (manager->names), iter, 0, &name, -1);
  return name;
}

static gboolean
get_selected (Manager *manager, GtkTreeIter *iter)
{
  return gtk_tree_selection_get_selected (gtk_tree_view_get_selection (
                                            GTK_TREE_VIEW (manager->view)),
                                          NULL, iter);
}

static int
presets_manage_get_row (Manager *manager, GtkTreeIter *iter)
{
  GtkTreePath *path = gtk_tree_model_get_path (GTK_TREE_MODEL (manager->names), iter);
  int row = gtk_tree_path_get_indices (path)[0];

  gtk_tree_path_free (path);
  return row;
}

/* Selects the row, or the last one if there are fewer. */
static void
select_row (Manager *manager, int row)
{
  int rows = gtk_tree_model_iter_n_children (GTK_TREE_MODEL (manager->names), NULL);
  GtkTreePath *path;

  if (rows == 0)
    return;
  path = gtk_tree_path_new_from_indices (CLAMP (row, 0, rows - 1), -1);
  gtk_tree_view_set_cursor (GTK_TREE_VIEW (manager->view), path, NULL, FALSE);
  gtk_tree_path_free (path);
}

static void
show_buttons (Manager *manager)
{
  GtkTreeIter iter;
  gboolean selected = get_selected (manager, &iter);

  gtk_widget_set_sensitive (manager->rename_button, selected);
  gtk_widget_set_sensitive (manager->delete_button, selected);
}

/* Returns the row of the preset with that name, or 0. */
static int
presets_manage_fill (Manager *manager, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) presets = preset_list_load (manager->filter, manager->path, &error);
  int row = 0;
  guint i;

  gtk_list_store_clear (manager->names);
  for (i = 0; presets && i < presets->len; i++)
    {
      const Preset *preset = g_ptr_array_index (presets, i);

      gtk_list_store_insert_with_values (manager->names, NULL, -1, 0, preset->name, -1);
      if (g_strcmp0 (preset->name, name) == 0)
        row = (int) i;
    }
  if (error)
    gimp_message (error->message);
  return row;
}

static void
rename_preset (GtkWidget *box, const char *text, gpointer data)
{
  Manager *manager = data;
  g_autofree char *name = g_strstrip (g_strdup (text));
  g_autofree char *old_name = NULL;
  g_autofree char *new_name = NULL;
  g_autoptr (GError) error = NULL;
  GtkTreeIter iter;

  if (! *name || ! get_selected (manager, &iter))
    return;
  old_name = get_name (manager, &iter);
  new_name = preset_list_rename (manager->filter, manager->path, old_name, name, &error);
  if (new_name)
    select_row (manager, presets_manage_fill (manager, new_name));
  else
    gimp_message (error->message);
}

/* Asks in a box, not in the list: a list stops editing when the button that started it releases the
 * focus. */
static void
presets_manage_ask_for_name (Manager *manager)
{
  GtkWidget *window = gtk_widget_get_toplevel (manager->view);
  g_autofree char *name = NULL;
  GtkTreeIter iter;
  GtkWidget *box;

  if (! get_selected (manager, &iter))
    return;
  name = get_name (manager, &iter);
  box = gimp_query_string_box (_ ("Rename Preset"), window, gimp_standard_help_func, NULL,
                               _ ("Enter a new name for the preset"), name, G_OBJECT (window),
                               "hide", rename_preset, manager);
  gtk_window_set_modal (GTK_WINDOW (box), TRUE);
  gtk_widget_show (box);
}

static void
delete_preset (Manager *manager)
{
  g_autofree char *name = NULL;
  g_autoptr (GError) error = NULL;
  GtkTreeIter iter;
  int row;

  if (! get_selected (manager, &iter))
    return;
  row = presets_manage_get_row (manager, &iter);
  name = get_name (manager, &iter);
  if (! preset_list_delete (manager->filter, manager->path, name, &error))
    {
      gimp_message (error->message);
      return;
    }
  presets_manage_fill (manager, NULL);
  select_row (manager, row);
}

static GtkWidget *
make_list (Manager *manager)
{
  GtkWidget *window = gtk_scrolled_window_new (NULL, NULL);
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();

  g_object_set (cell, "single-paragraph-mode", TRUE, "ellipsize", PANGO_ELLIPSIZE_END, NULL);
  manager->names = gtk_list_store_new (1, G_TYPE_STRING);
  manager->view = gtk_tree_view_new_with_model (GTK_TREE_MODEL (manager->names));
  g_object_unref (manager->names); /* owned by the view */
  gtk_tree_view_insert_column_with_attributes (GTK_TREE_VIEW (manager->view), -1, NULL, cell,
                                               "text", 0, NULL);
  gtk_tree_view_set_headers_visible (GTK_TREE_VIEW (manager->view), FALSE);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (window), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_shadow_type (GTK_SCROLLED_WINDOW (window), GTK_SHADOW_IN);
  gtk_widget_set_size_request (window, LIST_WIDTH, LIST_HEIGHT);
  gtk_container_add (GTK_CONTAINER (window), manager->view);
  atk_object_set_name (gtk_widget_get_accessible (manager->view), _ ("Saved presets"));
  g_signal_connect_swapped (manager->view, "row-activated",
                            G_CALLBACK (presets_manage_ask_for_name), manager);
  g_signal_connect_swapped (gtk_tree_view_get_selection (GTK_TREE_VIEW (manager->view)), "changed",
                            G_CALLBACK (show_buttons), manager);
  return window;
}

static GtkWidget *
add_button (Manager *manager, GtkWidget *box, const char *label, const char *tooltip,
            void (*click) (Manager *manager))
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gimp_help_set_help_data (button, tooltip, NULL);
  gtk_widget_set_sensitive (button, FALSE);
  gtk_box_pack_start (GTK_BOX (box), button, FALSE, FALSE, 0);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (click), manager);
  return button;
}

static GtkWidget *
presets_manage_make_content (Manager *manager)
{
  GtkWidget *box = gtk_hbox_new (FALSE, 6);
  GtkWidget *buttons = gtk_vbox_new (FALSE, 6);

  gtk_container_set_border_width (GTK_CONTAINER (box), 12);
  gtk_box_pack_start (GTK_BOX (box), make_list (manager), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), buttons, FALSE, FALSE, 0);
  manager->rename_button = add_button (manager, buttons, _ ("_Rename"),
                                       _ ("Rename the selected preset"),
                                       presets_manage_ask_for_name);
  manager->delete_button = add_button (manager, buttons, _ ("_Delete"),
                                       _ ("Delete the selected preset"), delete_preset);
  gtk_widget_show_all (box);
  return box;
}

void
presets_manage (GtkWidget *parent, const FilterDescription *filter, const char *path)
{
  Manager manager = { .filter = filter, .path = path };
  GtkWidget *dialog = gimp_dialog_new (_ ("Manage Saved Presets"), "gimp-settings-editor-dialog",
                                       parent, GTK_DIALOG_MODAL, NULL, NULL, _ ("_Close"),
                                       GTK_RESPONSE_CLOSE, NULL);

  gtk_box_pack_start (GTK_BOX (gtk_dialog_get_content_area (GTK_DIALOG (dialog))),
                      presets_manage_make_content (&manager), TRUE, TRUE, 0);
  select_row (&manager, presets_manage_fill (&manager, NULL));
  gtk_widget_grab_focus (manager.view);
  gimp_dialog_run (GIMP_DIALOG (dialog));
  gtk_widget_destroy (dialog);
}
