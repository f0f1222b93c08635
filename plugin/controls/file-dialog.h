/* Asks for a file in a dialog. For the main thread. */
#pragma once

#include <gtk/gtk.h>

/* Runs a file dialog over the window of the widget above. title and accept, which has a mnemonic,
 * are translated; role is the dialog window's. The dialog begins at *path, the file chosen last, or
 * in the home folder if *path is NULL. Returns TRUE if the user chose a file, which then replaces
 * *path; free it with g_free. */
gboolean file_dialog_run (GtkWidget *above, GtkFileChooserAction action, const char *title,
                          const char *accept, const char *role, char **path);
