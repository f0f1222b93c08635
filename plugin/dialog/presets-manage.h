/* The dialog that renames and deletes named presets. For the main thread. */
#ifndef PRESETS_MANAGE_H
#define PRESETS_MANAGE_H

#include "filter.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Runs it on the list of filter's presets that is kept in the file path, over the window parent.
 * Errors are GIMP's messages. */
void presets_manage (GtkWidget *parent, const Filter *filter, const char *path);

G_END_DECLS

#endif
