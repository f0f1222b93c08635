#define _GNU_SOURCE /* setgroups */
#include "cache-scene.h"

#include "folder.h"

#include <grp.h>
#include <sys/prctl.h>

static gboolean was_root;

/* Rights. */

void
scene_become (uid_t id)
{
  if (! was_root)
    return;
  g_assert_cmpint (seteuid (0), ==, 0);
  g_assert_cmpint (setegid (id), ==, 0);
  g_assert_cmpint (seteuid (id), ==, 0);
  /* A change of rights clears this, and the leak checker needs it. */
  prctl (PR_SET_DUMPABLE, 1);
}

void
scene_drop_rights (void)
{
  was_root = geteuid () == 0 && setgroups (0, NULL) == 0;
  scene_become (NOBODY);
}

gboolean
scene_is_roots (void)
{
  return was_root;
}

/* Files. */

char *
scene_get_path (const Scene *scene, const char *key)
{
  return g_build_filename (scene->dir, key, NULL);
}

void
file_write (const char *path, gconstpointer data, gsize size)
{
  FILE *file;

  g_unlink (path);
  file = fopen (path, "wb");
  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (data, 1, size, file), ==, size);
  g_assert_cmpint (fclose (file), ==, 0);
  g_assert_cmpint (g_chmod (path, 0600), ==, 0);
}

gboolean
file_exists (const char *path)
{
  struct stat st;

  return lstat (path, &st) == 0;
}

void
file_set_age (const char *path, gint64 seconds)
{
  struct timespec t = { g_get_real_time () / G_USEC_PER_SEC - seconds, 0 };
  struct timespec times[2] = { t, t };

  g_assert_cmpint (utimensat (AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW), ==, 0);
}

guint
scene_count_files (const Scene *scene)
{
  g_autoptr (GDir) dir = g_dir_open (scene->dir, 0, NULL);
  guint n = 0;

  while (dir && g_dir_read_name (dir))
    n++;
  return n;
}

char *
key_new_numbered (guint n)
{
  return g_strdup_printf ("%064x", n);
}

/* The cache. */

GBytes *
bytes_new_seeded (guint32 seed, gsize size)
{
  guint8 *data = g_malloc (MAX (size, 1));

  for (gsize i = 0; i < size; i++)
    {
      seed = seed * 1664525u + 1013904223u;
      data[i] = seed >> 24;
    }
  return g_bytes_new_take (data, size);
}

void
check_put (FxCache *cache, const char *key, GBytes *bytes)
{
  g_autoptr (GError) error = NULL;

  fx_cache_put (cache, key, bytes, &error);
  g_assert_no_error (error);
}

void
check_put_seeded (FxCache *cache, const char *key, guint32 seed, gsize size)
{
  g_autoptr (GBytes) bytes = bytes_new_seeded (seed, size);

  check_put (cache, key, bytes);
}

void
check_put_fails (FxCache *cache, const char *key, gsize size)
{
  g_autoptr (GBytes) bytes = bytes_new_seeded (1, size);
  g_autoptr (GError) error = NULL;

  g_assert_false (fx_cache_put (cache, key, bytes, &error));
  g_assert_nonnull (error);
  g_assert_cmpuint (error->domain, ==, G_FILE_ERROR);
  g_test_message ("refused, as it should: %s", error->message);
}

void
check_hits (FxCache *cache, const char *key, guint32 seed, gsize size)
{
  g_autoptr (GBytes) expected = bytes_new_seeded (seed, size);
  g_autoptr (GBytes) got = fx_cache_get (cache, key);

  g_assert_nonnull (got);
  g_assert_cmpmem (g_bytes_get_data (got, NULL), g_bytes_get_size (got),
                   g_bytes_get_data (expected, NULL), g_bytes_get_size (expected));
}

void
check_misses (FxCache *cache, const char *key)
{
  g_autoptr (GBytes) got = fx_cache_get (cache, key);

  g_assert_null (got);
}

void
scene_set_up (Scene *scene, gconstpointer data)
{
  g_autofree char *other = g_strdup ("/tmp/blur-cache-XXXXXX");

  scene->top = g_dir_make_tmp ("blur-cache-XXXXXX", NULL);
  if (! scene->top) /* TMPDIR may be root's own */
    scene->top = g_strdup (g_mkdtemp (other));
  g_assert_nonnull (scene->top);
  scene->dir = g_build_filename (scene->top, "cache", NULL);
  scene->cache = fx_cache_new (scene->dir, LIMIT);
}

void
scene_tear_down (Scene *scene, gconstpointer data)
{
  scene_become (0);
  folder_remove (scene->top);
  scene_become (NOBODY);
  fx_cache_free (scene->cache);
  g_free (scene->dir);
  g_free (scene->top);
}
