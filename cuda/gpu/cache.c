#include "cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEY_LENGTH  64
#define SUM_LENGTH  32
#define TEMPORARY   "tmp-"    /* the prefix of unfinished files' names */
#define STALE_AFTER (60 * 60) /* seconds; if a put takes longer, its process has died */

struct FxCache {
  char *directory; /* absolute, without a trailing slash: lstat would follow "link/" */
  gsize limit;
};

typedef struct {
  char key[KEY_LENGTH + 1];
  gint64 used; /* in nanoseconds since 1970 */
  gsize size;
} Entry;

FxCache *
fx_cache_new (const char *directory, gsize limit)
{
  FxCache *cache = g_new (FxCache, 1);
  g_autofree char *standard = g_build_filename (g_get_user_cache_dir (), "gimp-cuda-blur", NULL);

  cache->directory = g_canonicalize_filename (directory ? directory : standard, NULL);
  cache->limit = limit;
  return cache;
}

void
fx_cache_free (FxCache *cache)
{
  if (! cache)
    return;
  g_free (cache->directory);
  g_free (cache);
}

/* Sets error from errno. Returns FALSE, so that a caller can return it. */
static gboolean
cache_fail (GError **error, FxCache *cache, const char *action)
{
  int code = errno;

  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "Cache folder %s: %s: %s",
               cache->directory, action, g_strerror (code));
  return FALSE;
}

/* Also ensures that openat gets no name with a slash. */
static gboolean
is_key (const char *name)
{
  return strlen (name) == KEY_LENGTH && strspn (name, "0123456789abcdef") == KEY_LENGTH;
}

/* Whoever can write to a file could run code as this user. */
static gboolean
only_user_can_write (const struct stat *st)
{
  return st->st_uid == geteuid () && (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Opens the folder, or the target of a link that belongs to this user. Returns -1 with errno set on
 * failure. */
static int
follow_own_link (const char *path)
{
  struct stat st;

  if (lstat (path, &st) != 0)
    return -1;
  if (! S_ISLNK (st.st_mode) || st.st_uid == geteuid ())
    return open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  errno = EPERM;
  return -1;
}

/* Returns the folder's descriptor, or -1 with errno set. All further calls are relative to it, so a
 * later replacement of the path has no effect. */
static int
open_directory (FxCache *cache)
{
  int fd = follow_own_link (cache->directory);
  struct stat st;

  if (fd < 0)
    return -1;
  if (fstat (fd, &st) == 0 && only_user_can_write (&st))
    return fd;
  close (fd);
  errno = EPERM;
  return -1;
}

typedef enum { READ, WRITE } Direction;

/* Reads or writes all of data. Returns FALSE at the file's end, or with errno set on failure. */
static gboolean
transfer (int fd, Direction direction, guint8 *data, gsize size)
{
  while (size > 0)
    {
      gssize n = direction == READ ? read (fd, data, size) : write (fd, data, size);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 || (n == 0 && direction == READ))
        return FALSE;
      data += n;
      size -= n;
    }
  return TRUE;
}

static void
sum (const char *key, gconstpointer payload, gsize length, guint8 digest[SUM_LENGTH])
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize size = SUM_LENGTH;

  g_checksum_update (checksum, (const guchar *) key, KEY_LENGTH);
  g_checksum_update (checksum, payload, length);
  g_checksum_get_digest (checksum, digest, &size);
}

/* Returns the payload of the file, or NULL if the file is damaged or has another key. */
static GBytes *
cache_load (FxCache *cache, int fd, const char *key)
{
  g_autofree guint8 *data = NULL;
  guint8 digest[SUM_LENGTH];
  struct stat st;
  gsize length;

  if (fstat (fd, &st) != 0 || ! S_ISREG (st.st_mode) || ! only_user_can_write (&st) ||
      st.st_size < SUM_LENGTH || (guint64) st.st_size > cache->limit)
    return NULL;
  data = g_try_malloc (st.st_size);
  if (! data || ! transfer (fd, READ, data, st.st_size))
    return NULL;
  length = st.st_size - SUM_LENGTH;
  sum (key, data, length, digest);
  if (memcmp (data + length, digest, SUM_LENGTH) != 0)
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&data), length);
}

GBytes *
fx_cache_get (FxCache *cache, const char *key)
{
  int dir, fd;
  GBytes *bytes = NULL;

  g_return_val_if_fail (is_key (key), NULL);

  dir = open_directory (cache);
  if (dir < 0)
    return NULL;
  /* O_NONBLOCK, so that a FIFO of that name does not block this thread. */
  fd = openat (dir, key, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd >= 0)
    {
      bytes = cache_load (cache, fd, key);
      if (bytes)
        futimens (fd, NULL); /* marks it as used; this may fail on a read-only disk */
      close (fd);
    }
  /* A symbolic link counts as damage. If another process has just put a valid file here, that file
   * is removed and compiled again. */
  if (! bytes && (fd >= 0 || errno == ELOOP))
    unlinkat (dir, key, 0);
  close (dir);
  return bytes;
}

/* Writes the whole file and syncs it. Returns FALSE with errno set on failure. */
static gboolean
store (int fd, const char *key, GBytes *bytes)
{
  gsize length;
  gconstpointer payload = g_bytes_get_data (bytes, &length);
  guint8 digest[SUM_LENGTH];

  sum (key, payload, length, digest);
  return transfer (fd, WRITE, (guint8 *) payload, length) &&
         transfer (fd, WRITE, digest, sizeof digest) && fsync (fd) == 0;
}

/* Replaces key's file with a new one. On failure returns FALSE with errno set, and leaves the
 * folder as it was. */
static gboolean
replace (int dir, const char *key, GBytes *bytes)
{
  /* Uses a new generator: a forked child inherits a copy of GLib's, and would get the same
   * numbers. */
  g_autoptr (GRand) rand = g_rand_new ();
  g_autofree char *name = g_strdup_printf (TEMPORARY "%08x%08x", g_rand_int (rand),
                                           g_rand_int (rand));
  int fd = openat (dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  int code = 0;

  if (fd < 0)
    return FALSE;
  if (! store (fd, key, bytes))
    code = errno;
  if (close (fd) != 0 && code == 0)
    code = errno; /* NFS reports a full disk here */
  if (code == 0 && renameat (dir, name, dir, key) != 0)
    code = errno;
  if (code == 0)
    return TRUE;
  unlinkat (dir, name, 0);
  errno = code;
  return FALSE;
}

/* Removes an unfinished file of a process that has died. */
static void
sweep (int dir, const char *name, const struct stat *st)
{
  if (g_str_has_prefix (name, TEMPORARY) &&
      st->st_mtim.tv_sec < g_get_real_time () / G_USEC_PER_SEC - STALE_AFTER)
    unlinkat (dir, name, 0);
}

/* Returns the folder's entries in no particular order, and sweeps the folder. Ignores files with
 * other names. */
static GArray *
list_entries (int dir)
{
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  int fd = openat (dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = fd < 0 ? NULL : fdopendir (fd);
  struct dirent *d;
  struct stat st;

  if (! stream && fd >= 0)
    close (fd);
  while (stream && (d = readdir (stream)))
    {
      Entry entry = { .size = 0 };

      if (fstatat (dir, d->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 || ! S_ISREG (st.st_mode))
        continue;
      sweep (dir, d->d_name, &st);
      if (! is_key (d->d_name))
        continue;
      memcpy (entry.key, d->d_name, KEY_LENGTH);
      entry.used = st.st_mtim.tv_sec * (gint64) 1000000000 + st.st_mtim.tv_nsec;
      entry.size = st.st_size;
      g_array_append_val (entries, entry);
    }
  if (stream)
    closedir (stream);
  return entries;
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  gint64 s = ((const Entry *) a)->used, t = ((const Entry *) b)->used;

  return (s > t) - (s < t);
}

/* Removes the least recently used entries until the total is within the limit. Never removes the
 * entry newest, which was just put, even if it looks like the oldest because clocks disagree. */
static void
evict (FxCache *cache, int dir, const char *newest)
{
  g_autoptr (GArray) entries = list_entries (dir);
  gsize total = 0;

  g_array_sort (entries, compare_entries);
  for (guint i = 0; i < entries->len; i++)
    total += g_array_index (entries, Entry, i).size;
  for (guint i = 0; i < entries->len && total > cache->limit; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);

      if (strcmp (entry->key, newest) == 0)
        continue;
      unlinkat (dir, entry->key, 0);
      total -= entry->size;
    }
}

gboolean
fx_cache_put (FxCache *cache, const char *key, GBytes *bytes, GError **error)
{
  gboolean done;
  int dir;

  g_return_val_if_fail (is_key (key), FALSE);

  if (g_bytes_get_size (bytes) + SUM_LENGTH > cache->limit)
    {
      errno = EFBIG;
      return cache_fail (error, cache, "an entry larger than the cache may be");
    }
  if (g_mkdir_with_parents (cache->directory, 0700) != 0)
    return cache_fail (error, cache, "cannot make it");
  dir = open_directory (cache);
  if (dir < 0)
    return cache_fail (error, cache, "not a folder that only we may write to");
  done = replace (dir, key, bytes);
  if (done)
    evict (cache, dir, key);
  else
    cache_fail (error, cache, "cannot write an entry");
  close (dir);
  return done;
}
