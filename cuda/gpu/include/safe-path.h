/* Checks of the files that code is loaded from. */
#pragma once

#include <glib.h>

/* Returns whether path is absolute and its file exists and cannot be modified or replaced by
 * everybody, neither through the path as written nor through the path that its links resolve to.
 * Owners and groups are trusted, because a toolkit need not belong to root. Within a sticky folder
 * such as /tmp, where everybody may create files, the entry must belong to root or to this user. */
gboolean fx_path_is_safe (const char *path);
