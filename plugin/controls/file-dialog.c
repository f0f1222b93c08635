#include "file-dialog.h"

#include <glib/gi18n-lib.h>

/* A file is saved again to the same place by default, but another one is opened from the same
 * folder. */
static void
start_at (GtkFileChooser *chooser, GtkFileChooserAction action, const char *path)
{
  g_autofree char *folder = path ? g_path_get_dirname (path) : g_strdup (g_get_home_dir ());

  if (path && action == GTK_FILE_CHOOSER_ACTION_SAVE)
    gtk_file_chooser_set_filename (chooser, path);
  else
    gtk_file_chooser_set_current_folder (chooser, folder);
}

static GtkWidget *
file_dialog_make (GtkWidget *above, GtkFileChooserAction action, const char *title,
                  const char *accept, const char *path)
{
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_toplevel (above));
  GtkWidget *dialog = gtk_file_chooser_dialog_new (title, window, action, _ ("_Cancel"),
                                                   GTK_RESPONSE_CANCEL, accept, GTK_RESPONSE_OK,
                                                   NULL);
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);

  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_OK);
  gtk_dialog_set_alternative_button_order (GTK_DIALOG (dialog), GTK_RESPONSE_OK,
                                           GTK_RESPONSE_CANCEL, -1);
  gtk_file_chooser_set_do_overwrite_confirmation (chooser, TRUE);
  start_at (chooser, action, path);
  return dialog;
}

gboolean
file_dialog_run (GtkWidget *above, GtkFileChooserAction action, const char *title,
                 const char *accept, const char *role, char **path)
{
  GtkWidget *dialog = file_dialog_make (above, action, title, accept, *path);
  char *chosen = NULL;

  gtk_window_set_role (GTK_WINDOW (dialog), role);
  if (gtk_dialog_run (GTK_DIALOG (dialog)) == GTK_RESPONSE_OK)
    chosen = gtk_file_chooser_get_filename (GTK_FILE_CHOOSER (dialog));
  gtk_widget_destroy (dialog);
  if (! chosen)
    return FALSE;
  g_free (*path);
  *path = chosen;
  return TRUE;
}
