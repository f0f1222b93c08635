/* Temporary folders of tests. */
#pragma once

#include <glib.h>

/* Removes path and everything in it, as far as possible. Does not follow symbolic links. */
void folder_remove (const char *path);
