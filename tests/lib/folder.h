/* Temporary folders of tests. */
#ifndef FOLDER_H
#define FOLDER_H

#include <glib.h>

G_BEGIN_DECLS

/* Removes path and everything in it, as far as possible. Does not follow symbolic links. */
void folder_remove (const char *path);

G_END_DECLS

#endif
