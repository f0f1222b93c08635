/* Asks for a file. For the main thread. */
#ifndef FILE_DIALOG_H
#define FILE_DIALOG_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* above: a widget of the window it is asked for in. title, accept: translated, the latter with a
 * mnemonic. role: the window's. TRUE if the user chose a file, which then replaces path: where the
 * dialog begins, or NULL for the home folder; g_free it. */
gboolean file_dialog_run (GtkWidget *above, GtkFileChooserAction action, const char *title,
                          const char *accept, const char *role, char **path);

G_END_DECLS

#endif
