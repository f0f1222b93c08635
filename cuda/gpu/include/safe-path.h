/* Files that programs are loaded from. */
#ifndef FX_SAFE_PATH_H
#define FX_SAFE_PATH_H

#include <glib.h>

G_BEGIN_DECLS

/* Whether the absolute path leads to something that not everybody may write into, nor put another
 * in its place, by the path as it is written and by where its links lead. Owners and groups may: a
 * toolkit need not be root's. Only in a folder such as /tmp, where everybody may make new things,
 * what is there must be root's or this user's. */
gboolean fx_path_is_safe (const char *path);

G_END_DECLS

#endif
