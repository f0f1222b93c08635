/* Files of a folder that goes with the process. */
#ifndef TEMPORARY_H
#define TEMPORARY_H

#include <glib.h>

G_BEGIN_DECLS

/* Paths, to be freed. */
char *temporary_get_path (const char *name);
char *temporary_set_contents (const char *name, gconstpointer data, gsize size);

G_END_DECLS

#endif
