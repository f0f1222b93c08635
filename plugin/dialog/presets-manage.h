/* A dialog that renames and deletes named presets. For the main thread. */
#ifndef PRESETS_MANAGE_H
#define PRESETS_MANAGE_H

#include "filter.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Runs the dialog for filter's presets in the file path, over the window parent. Shows errors as
 * GIMP's messages. */
void presets_manage (GtkWidget *parent, const FilterDescription *filter, const char *path);

G_END_DECLS

#endif
