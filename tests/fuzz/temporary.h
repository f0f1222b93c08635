/* Files of a folder that goes with the process. */
#pragma once

#include <glib.h>

/* Paths, to be freed. */
char *temporary_get_path (const char *name);
char *temporary_set_contents (const char *name, gconstpointer data, gsize size);
