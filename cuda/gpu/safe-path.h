/* Checks of the files that code is loaded from. */
#pragma once

#include <glib.h>

/* Returns whether path is absolute, and its file exists and cannot be modified or replaced by
 * everybody. This must hold for the path as written and for the path to which its links resolve.
 * Owners and groups are trusted, because a toolkit need not belong to root. Within a sticky folder
 * such as /tmp, where everybody may create files, the entry must belong to root or to this user. */
gboolean fx_path_is_safe (const char *path);
