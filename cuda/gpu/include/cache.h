/* A cache on disk that maps keys to byte strings. It is independent of CUDA.
 *
 * Each entry is one file: the bytes, and the SHA-256 of the key and the bytes. A file is written to
 * a temporary name in the same folder, synced and renamed, so that readers and other processes see
 * a whole entry or none. Damaged, foreign and unreadable files are misses, never errors. */
#pragma once

#include <glib.h>

#define FX_CACHE_LIMIT (64u << 20) /* bytes, of all files together */

typedef struct FxCache FxCache;

/* Creates a cache in directory. NULL means gimp-cuda-blur in the user's cache folder. The first put
 * creates the directory with mode 0700. If the directory, or a symbolic link in its place, does not
 * belong to this user, or if others can write to the directory, it is not used: every get misses
 * and every put fails. limit is the total size in bytes; the least recently used entries are
 * removed first. Does not access the disk. Never returns NULL. A cache is immutable, so threads may
 * share it. */
FxCache *fx_cache_new (const char *directory, gsize limit);

void fx_cache_free (FxCache *cache); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxCache, fx_cache_free)

/* Returns the bytes stored under key, or NULL. key is 64 lower-case hexadecimal digits, such as a
 * SHA-256 from g_compute_checksum_for_data. Marks the entry as used. Removes a damaged entry. Free
 * the bytes with g_bytes_unref. */
GBytes *fx_cache_get (FxCache *cache, const char *key);

/* Stores bytes under key, replacing an older entry. Returns FALSE with error (in G_FILE_ERROR) if
 * that fails or if bytes is larger than the limit. The older entry then remains, and the caller can
 * continue without the cache. */
gboolean fx_cache_put (FxCache *cache, const char *key, GBytes *bytes, GError **error);
