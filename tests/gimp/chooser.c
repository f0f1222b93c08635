/* A module of GTK's, which GTK_MODULES loads into GIMP: F12 has it choose, in a combo box of the
 * window that has the keyboard, the entry that the model knows as CUDA_BLUR_TEST_OPERATION, and
 * give the box the focus. "ok", or what is wrong, it puts into the file "chosen" of the folder
 * CUDA_BLUR_TEST_FOLDER. */
#include <gdk/gdkkeysyms.h>
#include <gtk/gtk.h>

#include "mailbox.h"

/* Called by GTK. */
G_MODULE_EXPORT void gtk_module_init (gint *argc, gchar ***argv);

/* The entry to look for, and its place. */
typedef struct {
  const char *name;
  GtkComboBox *box; /* NULL until it is found */
  GtkTreeIter iter;
} Entry;

static gboolean
is_at (GtkTreeModel *model, GtkTreeIter *iter, const char *name)
{
  for (int column = 0; column < gtk_tree_model_get_n_columns (model); column++)
    if (gtk_tree_model_get_column_type (model, column) == G_TYPE_STRING)
      {
        g_autofree char *text = NULL;

        gtk_tree_model_get (model, iter, column, &text, -1);
        if (g_strcmp0 (text, name) == 0)
          return TRUE;
      }
  return FALSE;
}

static void
look_in (Entry *entry, GtkComboBox *box)
{
  GtkTreeModel *model = gtk_combo_box_get_model (box);
  GtkTreeIter iter;

  for (gboolean more = model && gtk_tree_model_get_iter_first (model, &iter); more && ! entry->box;
       more = gtk_tree_model_iter_next (model, &iter))
    if (is_at (model, &iter, entry->name))
      {
        entry->box = box;
        entry->iter = iter;
      }
}

static void
walk (GtkWidget *widget, gpointer data)
{
  if (GTK_IS_COMBO_BOX (widget))
    look_in (data, GTK_COMBO_BOX (widget));
  else if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), walk, data);
}

static gint
take_key (GtkWidget *widget, GdkEventKey *event, gpointer unused)
{
  const char *folder = g_getenv ("CUDA_BLUR_TEST_FOLDER");
  Entry entry = { .name = g_getenv ("CUDA_BLUR_TEST_OPERATION") };

  if (! folder || ! entry.name || event->keyval != GDK_KEY_F12)
    return FALSE;
  if (event->type != GDK_KEY_PRESS)
    return TRUE;
  walk (gtk_widget_get_toplevel (widget), &entry);
  if (entry.box)
    {
      gtk_combo_box_set_active_iter (entry.box, &entry.iter);
      gtk_widget_grab_focus (GTK_WIDGET (entry.box));
    }
  mailbox_put (folder, "chosen", entry.box ? "ok" : "it is not in the list");
  return TRUE;
}

void
gtk_module_init (gint *argc, gchar ***argv)
{
  gtk_key_snooper_install (take_key, NULL);
}
