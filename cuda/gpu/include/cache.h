/* A cache of byte strings on disk: key -> bytes. Knows nothing of CUDA.
 *
 * One file an entry: magic, version, key, length, payload, SHA-256 of all that precedes. Files are
 * written beside their place, synced and renamed, so that a reader, or a second process, sees a
 * whole entry or none. Whatever is damaged, foreign or unreadable is a miss, never an error. */
#ifndef FX_CACHE_H
#define FX_CACHE_H

#include <glib.h>

G_BEGIN_DECLS

#define FX_CACHE_LIMIT (64u << 20) /* bytes, all files together */

typedef struct FxCache FxCache;

/* Names a cache in directory, which is made (0700) by the first put. NULL: gimp-cuda-blur in the
 * user's cache folder. A directory that is not ours, that others may write to, or that is a
 * symbolic link is not used: every get misses and every put fails. limit: bytes kept, the least
 * recently used entry goes first. Never NULL; touches no disk. A cache does not change: threads may
 * share it. */
FxCache *fx_cache_new (const char *directory, gsize limit);

void fx_cache_free (FxCache *cache); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxCache, fx_cache_free)

/* The bytes kept under key (64 lower-case hexadecimal digits, as SHA-256 has from
 * g_compute_checksum_for_data), or NULL. Marks the entry as used. A damaged entry is removed. */
GBytes *fx_cache_get (FxCache *cache, const char *key);

/* Keeps bytes under key, in place of what was there. FALSE with error (in G_FILE_ERROR) when it
 * could not, or when they are more than limit: what was there stays, and the caller goes on
 * without. */
gboolean fx_cache_put (FxCache *cache, const char *key, GBytes *bytes, GError **error);

G_END_DECLS

#endif
