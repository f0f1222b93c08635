#include "presets.h"

#include "buttons.h"
#include "file-dialog.h"
#include "filter-words.h"
#include "preset-list.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

/* libgimp 3 also takes a function that frees the data. */
#if GIMP_MAJOR_VERSION >= 3
#define query_string_box(...) gimp_query_string_box (__VA_ARGS__, NULL)
#else
#define query_string_box gimp_query_string_box
#endif

enum {
  COLUMN_NAME,     /* NULL for a separator */
  COLUMN_SETTINGS, /* owned by list, or the settings last used */
  COLUMN_PRESET,   /* that comes with the filter, in place of settings */
  COLUMNS
};

typedef struct {
  GtkWidget *row;
  GtkWidget *combo;
  GtkListStore *store; /* of the combo box */
  GtkWidget *menu;
  GtkWidget *delete_item; /* of the menu */
  char *path;             /* the presets' file */
  char *exchange_path;    /* the file last imported or exported, or NULL */
  GPtrArray *list;
  const FilterDescription *filter;
  FilterSettings *last;
  Parameters *parameters;
  gboolean busy; /* changes are not the user's choice */
} Presets;

static void
presets_free (Presets *presets)
{
  g_ptr_array_unref (presets->list);
  g_free (presets->path);
  g_free (presets->exchange_path);
  filter_settings_free (presets->last);
  g_free (presets);
}

/* The list. */

static void
add_row (Presets *presets, const char *name, FilterSettings *settings, const FilterPreset *preset)
{
  gtk_list_store_insert_with_values (presets->store, NULL, -1, COLUMN_NAME, name, COLUMN_SETTINGS,
                                     settings, COLUMN_PRESET, preset, -1);
}

/* Adds those that come with the filter. */
static void
add_own (Presets *presets)
{
  const FilterPreset *preset = presets->filter->presets;

  if (! preset)
    return;
  add_row (presets, NULL, NULL, NULL); /* a separator */
  for (; preset->name; preset++)
    add_row (presets, _ (preset->name), NULL, preset);
}

/* Adds the user's, and selects the one with the name chosen. */
static void
add_saved (Presets *presets, const char *chosen)
{
  GtkTreeModel *model = GTK_TREE_MODEL (presets->store);

  if (presets->list->len > 0)
    add_row (presets, NULL, NULL, NULL); /* a separator */
  for (guint i = 0; i < presets->list->len; i++)
    {
      Preset *preset = g_ptr_array_index (presets->list, i);

      add_row (presets, preset->name, preset->settings, NULL);
      if (g_strcmp0 (preset->name, chosen) == 0)
        gtk_combo_box_set_active (GTK_COMBO_BOX (presets->combo),
                                  gtk_tree_model_iter_n_children (model, NULL) - 1);
    }
}

/* chosen is the name to select, or NULL. */
static void
presets_fill (Presets *presets, const char *chosen)
{
  g_autoptr (GError) error = NULL;

  presets->busy = TRUE;
  gtk_list_store_clear (presets->store);
  g_ptr_array_unref (presets->list);
  presets->list = preset_list_load (presets->filter, presets->path, &error);
  if (! presets->list)
    presets->list = g_ptr_array_new ();
  add_row (presets, _ ("Last used"), presets->last, NULL);
  add_own (presets);
  add_saved (presets, chosen);
  presets->busy = FALSE;
  if (error)
    gimp_message (error->message);
}

/* Passes settings to the dialog. */
static void
presets_apply (Presets *presets, const FilterSettings *settings)
{
  presets->busy = TRUE;
  parameters_set (presets->parameters, settings);
  presets->busy = FALSE;
}

/* Changes the dialog's settings by a preset that comes with the filter. */
static void
apply_own (Presets *presets, const FilterPreset *preset)
{
  g_autoptr (FilterSettings) settings = filter_settings_copy (parameters_get (presets->parameters));
  g_autoptr (GError) error = NULL;

  if (filter_settings_set_words (settings, preset->words, &error))
    presets_apply (presets, settings);
  else
    gimp_message (error->message);
}

static void
presets_choose (Presets *presets)
{
  FilterSettings *settings = NULL;
  FilterPreset *preset = NULL;
  GtkTreeIter iter;

  if (presets->busy || ! gtk_combo_box_get_active_iter (GTK_COMBO_BOX (presets->combo), &iter))
    return;
  gtk_tree_model_get (GTK_TREE_MODEL (presets->store), &iter, COLUMN_SETTINGS, &settings,
                      COLUMN_PRESET, &preset, -1);
  if (settings)
    presets_apply (presets, settings);
  else if (preset)
    apply_own (presets, preset);
}

static gboolean
is_separator (GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
  g_autofree char *name = NULL;

  gtk_tree_model_get (model, iter, COLUMN_NAME, &name, -1);
  return name == NULL;
}

/* A new preset. */

static void
add_preset (GtkWidget *box, const char *text, gpointer data)
{
  Presets *presets = data;
  g_autofree char *name = g_strstrip (g_strdup (text));
  g_autofree char *added = NULL;
  g_autoptr (GError) error = NULL;

  added = preset_list_add (presets->path, *name ? name : _ ("Saved Settings"),
                           parameters_get (presets->parameters), &error);
  if (added)
    presets_fill (presets, added);
  else
    gimp_message (error->message);
}

static void
presets_ask_for_name (Presets *presets)
{
  GtkWidget *window = gtk_widget_get_toplevel (presets->row);
  GtkWidget *box = query_string_box (_ ("Save Settings as Named Preset"), window,
                                     gimp_standard_help_func, NULL,
                                     _ ("Enter a name for the preset"), _ ("Saved Settings"),
                                     G_OBJECT (window), "hide", add_preset, presets);

  gtk_window_set_modal (GTK_WINDOW (box), TRUE);
  gtk_widget_show (box);
}

/* The menu. */

static gboolean
run_file_dialog (Presets *presets, GtkFileChooserAction action, const char *title,
                 const char *accept)
{
  return file_dialog_run (presets->row, action, title, accept, "gimp-import-export-settings",
                          &presets->exchange_path);
}

static void
import_settings (Presets *presets)
{
  g_autofree char *title = g_strdup_printf (_ ("Import '%s' Settings"), _ (presets->filter->title));
  g_autoptr (FilterSettings) settings = NULL;
  g_autoptr (GError) error = NULL;

  if (! run_file_dialog (presets, GTK_FILE_CHOOSER_ACTION_OPEN, title, _ ("_Open")))
    return;
  settings = settings_file_import (presets->filter, presets->exchange_path, &error);
  if (! settings)
    {
      gimp_message (error->message);
      return;
    }
  presets_apply (presets, settings);
  presets_unset (presets->row);
}

static void
export_settings (Presets *presets)
{
  g_autofree char *title = g_strdup_printf (_ ("Export '%s' Settings"), _ (presets->filter->title));
  g_autoptr (GError) error = NULL;

  if (run_file_dialog (presets, GTK_FILE_CHOOSER_ACTION_SAVE, title, _ ("_Save")) &&
      ! settings_file_export (presets->exchange_path, parameters_get (presets->parameters), &error))
    gimp_message (error->message);
}

/* Returns the name of the user's preset that is chosen, or NULL; free it. */
static char *
get_saved (Presets *presets)
{
  FilterSettings *settings = NULL;
  g_autofree char *name = NULL;
  GtkTreeIter iter;

  if (gtk_combo_box_get_active_iter (GTK_COMBO_BOX (presets->combo), &iter))
    gtk_tree_model_get (GTK_TREE_MODEL (presets->store), &iter, COLUMN_NAME, &name, COLUMN_SETTINGS,
                        &settings, -1);
  return settings && settings != presets->last ? g_steal_pointer (&name) : NULL;
}

static void
delete_saved (Presets *presets)
{
  g_autofree char *name = get_saved (presets);
  g_autoptr (GError) error = NULL;

  if (preset_list_delete (presets->filter, presets->path, name, &error))
    presets_fill (presets, NULL);
  else
    gimp_message (error->message);
}

static GtkWidget *
add_item (Presets *presets, const char *icon, const char *label,
          void (*activate) (Presets *presets))
{
  GtkWidget *item = gtk_image_menu_item_new_with_mnemonic (label);

  gtk_image_menu_item_set_image (GTK_IMAGE_MENU_ITEM (item),
                                 gtk_image_new_from_icon_name (icon, GTK_ICON_SIZE_MENU));
  g_signal_connect_swapped (item, "activate", G_CALLBACK (activate), presets);
  gtk_menu_shell_append (GTK_MENU_SHELL (presets->menu), item);
  gtk_widget_show (item);
  return item;
}

static void
presets_make_menu (Presets *presets, GtkWidget *button)
{
  presets->menu = gtk_menu_new ();
  gtk_menu_attach_to_widget (GTK_MENU (presets->menu), button, NULL);
  add_item (presets, GIMP_ICON_DOCUMENT_OPEN, _ ("_Import Current Settings from File..."),
            import_settings);
  add_item (presets, GIMP_ICON_DOCUMENT_SAVE, _ ("_Export Current Settings to File..."),
            export_settings);
  presets->delete_item = add_item (presets, GIMP_ICON_EDIT_DELETE, _ ("_Delete Selected Preset"),
                                   delete_saved);
}

static void
presets_show_menu (Presets *presets)
{
  g_autofree char *saved = get_saved (presets);

  gtk_widget_set_visible (presets->delete_item, saved != NULL);
  menu_popup_below (GTK_MENU (presets->menu));
}

/* The row. */

static GtkWidget *
presets_make_combo (Presets *presets)
{
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();

  presets->store = gtk_list_store_new (COLUMNS, G_TYPE_STRING, G_TYPE_POINTER, G_TYPE_POINTER);
  presets->combo = gtk_combo_box_new_with_model (GTK_TREE_MODEL (presets->store));
  g_object_unref (presets->store); /* owned by the combo box */
  g_object_set (cell, "single-paragraph-mode", TRUE, "ellipsize", PANGO_ELLIPSIZE_END, NULL);
  gtk_cell_layout_pack_start (GTK_CELL_LAYOUT (presets->combo), cell, TRUE);
  gtk_cell_layout_set_attributes (GTK_CELL_LAYOUT (presets->combo), cell, "text", COLUMN_NAME,
                                  NULL);
  gtk_combo_box_set_row_separator_func (GTK_COMBO_BOX (presets->combo), is_separator, NULL, NULL);
  gimp_help_set_help_data (presets->combo, _ ("Pick a preset from the list"), NULL);
  g_signal_connect_swapped (presets->combo, "changed", G_CALLBACK (presets_choose), presets);
  return presets->combo;
}

static void
fill_row (Presets *presets)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (_ ("Pre_sets:"));
  GtkWidget *add = icon_button_new (GIMP_ICON_LIST_ADD,
                                    _ ("Save the current settings as named preset"),
                                    G_CALLBACK (presets_ask_for_name), presets);
  GtkWidget *menu = icon_button_new (GIMP_ICON_MENU_LEFT, _ ("Manage presets"),
                                     G_CALLBACK (presets_show_menu), presets);
  GtkWidget *buttons = gtk_hbox_new (TRUE, 0);

  gtk_box_pack_start (GTK_BOX (presets->row), label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (presets->row), presets_make_combo (presets), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (buttons), add, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (buttons), menu, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (presets->row), buttons, FALSE, FALSE, 0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), presets->combo);
  presets_make_menu (presets, menu);
  gtk_widget_show_all (presets->row);
}

GtkWidget *
presets_new (const FilterSettings *last, Parameters *parameters)
{
  Presets *presets = g_new0 (Presets, 1);
  g_autofree char *file = NULL;

  presets->filter = filter_settings_get_filter (last);
  file = g_strconcat (presets->filter->name, ".settings", NULL);
  presets->row = gtk_hbox_new (FALSE, 6);
  presets->path = g_build_filename (gimp_directory (), "filters", file, NULL);
  presets->list = g_ptr_array_new ();
  presets->last = filter_settings_copy (last);
  presets->parameters = parameters;
  g_object_set_data_full (G_OBJECT (presets->row), "presets", presets,
                          (GDestroyNotify) presets_free);
  fill_row (presets);
  presets_fill (presets, NULL);
  return presets->row;
}

void
presets_unset (GtkWidget *row)
{
  Presets *presets = g_object_get_data (G_OBJECT (row), "presets");

  if (! presets->busy)
    gtk_combo_box_set_active (GTK_COMBO_BOX (presets->combo), -1);
}
