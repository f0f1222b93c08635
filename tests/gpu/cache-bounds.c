/* The disk cache when there is no more room: on the disk, or within its own bound. */
#define _GNU_SOURCE /* unshare */
#include "cache-scene.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#define MISSING 77 /* a child's exit status: the machine lacks what the case needs */

/* A full disk. */

/* The cut falls on the header, the payload and the sum. The entry that was there stays. */
SCENE_TEST (test_file_size_limit, "file-size-limit")
{
  static const rlim_t cuts[] = { 0, 1, HEADER, 3000, HEADER + 4000, HEADER + 4000 + SUM - 1 };
  struct rlimit old, limit;

  signal (SIGXFSZ, SIG_IGN);
  check_put_seeded (scene->cache, KEY_A, 1, 500);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cuts); i++)
    {
      g_autoptr (GBytes) bytes = bytes_new_seeded (2, 4000);
      g_autoptr (GError) error = NULL;
      gboolean done;

      limit = old;
      limit.rlim_cur = cuts[i];
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
      done = fx_cache_put (scene->cache, KEY_A, bytes, &error);
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
      g_assert_false (done);
      g_assert_nonnull (error);
      g_assert_cmpuint (scene_count_files (scene), ==, 1);
      check_hits (scene->cache, KEY_A, 1, 500);
    }
  signal (SIGXFSZ, SIG_DFL);
}

/* Runs body in a child process. Returns FALSE if its exit status is MISSING. */
static gboolean
in_child (void (*body) (Scene *), Scene *scene)
{
  int status;
  pid_t pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      body (scene);
      _exit (0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  if (WIFEXITED (status) && WEXITSTATUS (status) == MISSING)
    return FALSE;
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
  return TRUE;
}

/* The mount is seen by this process alone, and goes with it. */
static void
fill_small_disk (Scene *scene)
{
  scene_become (0);
  if (geteuid () != 0 || unshare (CLONE_NEWNS) != 0 ||
      mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
      mount ("blur", scene->top, "tmpfs", 0, "size=64k,mode=0777") != 0)
    _exit (MISSING);
  scene_become (NOBODY);

  check_put_seeded (scene->cache, KEY_A, 1, 20000);
  check_put_fails (scene->cache, KEY_B, 60000);
  check_put_fails (scene->cache, KEY_A, 60000);
  g_assert_cmpuint (scene_count_files (scene), ==, 1);
  check_hits (scene->cache, KEY_A, 1, 20000);
  check_put_seeded (scene->cache, KEY_B, 2, 20000);
  check_hits (scene->cache, KEY_B, 2, 20000);
}

SCENE_TEST (test_full_disk, "full-disk")
{
  if (! in_child (fill_small_disk, scene))
    g_test_skip ("no right to mount a small disk");
}

/* The bound. */

/* "1" for each of n entries that is there, "0" for one that is not. */
static char *
list_present (Scene *scene, guint n)
{
  char *present = g_strnfill (n, '0');

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *key = key_new_numbered (i);
      g_autofree char *path = scene_get_path (scene, key);

      if (file_exists (path))
        present[i] = '1';
    }
  return present;
}

/* Four entries fit. They are the older the lower their number, until one is used. */
SCENE_TEST (test_eviction, "eviction")
{
  static const struct {
    int used;
    gsize size;
    const char *present;
  } steps[] = {
    { -1, 1000, "1111" }, /* four, and nothing else yet */
    { 0, 1000, "10111" }, /* 1 is now the oldest */
    { -1, 1000, "100111" },
    { 3, 2000, "0001011" },   /* twice the size: two go, and 3 has been used since */
    { -1, 4000, "00000001" }, /* 7 is as large as the cache, but for a few bytes */
    { -1, 1, "000000011" },
    { -1, 1000, "0000000011" },
  };
  const gsize whole = 1000 + HEADER + SUM;
  g_autoptr (FxCache) cache = fx_cache_new (scene->dir, 4 * whole);
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autofree char *present = NULL;
      g_autofree char *used = key_new_numbered (MAX (steps[i].used, 0));

      g_usleep (20000); /* the clock of files ticks every 4 to 10 ms */
      if (steps[i].used >= 0)
        {
          g_autoptr (GBytes) bytes = fx_cache_get (cache, used);

          g_assert_nonnull (bytes);
        }
      while (n < strlen (steps[i].present))
        {
          g_autofree char *key = key_new_numbered (n);
          g_autofree char *path = scene_get_path (scene, key);

          check_put_seeded (cache, key, n, steps[i].size);
          if (i == 0)
            file_set_age (path, 1000 - 10 * n);
          n++;
        }
      present = list_present (scene, n);
      g_assert_cmpstr (present, ==, steps[i].present);
    }
}

/* A clock that was wrong must not evict an entry that was just put, nor other people's files. */
SCENE_TEST (test_future, "future")
{
  const gsize whole = 1000 + HEADER + SUM;
  g_autoptr (FxCache) cache = fx_cache_new (scene->dir, 2 * whole);
  g_autofree char *readme = g_build_filename (scene->dir, "README", NULL);
  g_autofree char *large = g_strnfill (5000, 'x');
  g_autofree char *present = NULL;

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *key = key_new_numbered (i);
      g_autofree char *path = scene_get_path (scene, key);

      check_put_seeded (cache, key, i, 1000);
      file_set_age (path, -100000 - 10 * (int) i);
      if (i == 0)
        file_write (readme, large, 5000);
    }
  present = list_present (scene, 3);
  g_assert_cmpstr (present, ==, "011");
  g_assert_true (file_exists (readme));

  /* Nor an entry that is put once the clock is right again. */
  for (guint i = 3; i < 6; i++)
    {
      g_autofree char *key = key_new_numbered (i);

      check_put_seeded (cache, key, i, 1000);
      check_hits (cache, key, i, 1000);
      g_assert_cmpuint (scene_count_files (scene), ==, 3); /* the limit's two, and README */
    }
}
