/* The dialog that renames and deletes named presets. For the main thread. */
#ifndef PRESETS_MANAGE_H
#define PRESETS_MANAGE_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Runs it on the list that is kept in the file path, over the window parent. Errors are GIMP's
 * messages. */
void presets_manage (GtkWidget *parent, const char *path);

G_END_DECLS

#endif
