/* Folders that tests make for themselves. */
#ifndef FOLDER_H
#define FOLDER_H

#include <glib.h>

G_BEGIN_DECLS

/* Removes path and all that is in it, as far as that can be done; follows no link. */
void folder_remove (const char *path);

G_END_DECLS

#endif
