/* The disk cache and many processes: one that is killed, some at once, and one that damages. */
#include "cache-scene.h"

#include <sys/resource.h>

#define CROWD       50 /* processes */
#define SHARED_KEYS 8

static void
die_in_put (Scene *scene)
{
  struct rlimit limit = { 3000, 3000 }, none = { 0, 0 };
  g_autoptr (GBytes) bytes = bytes_new_seeded (1, 5000);

  setrlimit (RLIMIT_CORE, &none);
  setrlimit (RLIMIT_FSIZE, &limit);
  signal (SIGXFSZ, SIG_DFL);
  fx_cache_put (scene->cache, KEY_B, bytes, NULL);
}

/* Kills a process in the middle of a put. Returns the path of the file that it leaves. */
static char *
make_leftover (Scene *scene)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;
  int status;
  pid_t pid = fork ();

  if (pid == 0)
    {
      die_in_put (scene);
      _exit (0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status));
  dir = g_dir_open (scene->dir, 0, NULL);
  while ((name = g_dir_read_name (dir)))
    if (strcmp (name, KEY_A) != 0)
      return g_build_filename (scene->dir, name, NULL);
  return NULL;
}

SCENE_TEST (test_leftovers, "leftovers")
{
  g_autofree char *leftover = NULL;

  check_put_seeded (scene->cache, KEY_A, 1, 100);
  leftover = make_leftover (scene);
  g_assert_nonnull (leftover);
  check_misses (scene->cache, KEY_B);

  /* It may be a put under way: it stays for an hour. */
  file_set_age (leftover, 3000);
  check_put_seeded (scene->cache, KEY_A, 2, 100);
  g_assert_true (file_exists (leftover));
  file_set_age (leftover, 4000);
  check_put_seeded (scene->cache, KEY_A, 3, 100);
  g_assert_false (file_exists (leftover));
  check_hits (scene->cache, KEY_A, 3, 100);
  g_assert_cmpuint (scene_count_files (scene), ==, 1);
}

/* An entry that describes itself: it begins with the seed of its size and bytes. */
static GBytes *
make_self_checking (guint32 seed)
{
  g_autoptr (GBytes) tail = bytes_new_seeded (seed, seed % 5000);
  g_autoptr (GByteArray) all = g_byte_array_new ();

  g_byte_array_append (all, (guint8 *) &seed, sizeof seed);
  g_byte_array_append (all, g_bytes_get_data (tail, NULL), g_bytes_get_size (tail));
  return g_byte_array_free_to_bytes (g_steal_pointer (&all));
}

static void
check_self (GBytes *bytes)
{
  g_autoptr (GBytes) expected = NULL;
  guint32 seed;

  g_assert_cmpuint (g_bytes_get_size (bytes), >=, sizeof seed);
  memcpy (&seed, g_bytes_get_data (bytes, NULL), sizeof seed);
  expected = make_self_checking (seed);
  g_assert_true (g_bytes_equal (bytes, expected));
}

/* Gets and puts a few keys at random; the cache holds only some of them. */
static void
hammer (Scene *scene, guint32 seed)
{
  g_autoptr (FxCache) cache = fx_cache_new (scene->dir, 16000);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  guint n_hits = 0;

  for (int i = 0; i < 1500; i++)
    {
      g_autofree char *key = key_new_numbered (g_rand_int_range (rand, 0, 8));
      g_autoptr (GBytes) bytes = NULL;

      if (i % 3 == 0)
        {
          bytes = make_self_checking (g_rand_int (rand));
          check_put (cache, key, bytes);
          continue;
        }
      bytes = fx_cache_get (cache, key);
      if (bytes)
        check_self (bytes);
      n_hits += bytes != NULL;
    }
  g_assert_cmpuint (n_hits, >, 0);
}

/* Overwrites bytes of entries in place, as a failing disk would. */
static void
vandalise (Scene *scene, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  for (int i = 0; i < 3000; i++)
    {
      g_autofree char *key = key_new_numbered (g_rand_int_range (rand, 0, 8));
      g_autofree char *path = scene_get_path (scene, key);
      int fd = open (path, O_WRONLY);

      if (fd >= 0)
        {
          if (i % 2)
            (void) ! pwrite (fd, &i, 1, g_rand_int_range (rand, 0, 200));
          else
            (void) ! ftruncate (fd, g_rand_int_range (rand, 0, 300));
          close (fd);
        }
      g_usleep (300);
    }
}

static void
test_processes (Scene *scene, gconstpointer data)
{
  const gboolean vandal = GPOINTER_TO_INT (data);
  pid_t pids[3];

  for (int i = 0; i < 3; i++)
    {
      pids[i] = fork ();
      g_assert_cmpint (pids[i], >=, 0);
      if (pids[i] == 0)
        {
          if (vandal && i == 2)
            vandalise (scene, seed_get () + i);
          else
            hammer (scene, seed_get () + i);
          _exit (0);
        }
    }
  for (int i = 0; i < 3; i++)
    {
      int status;

      g_assert_cmpint (waitpid (pids[i], &status, 0), ==, pids[i]);
      g_assert_cmpint (status, ==, 0);
    }
  g_assert_cmpuint (scene_count_files (scene), <=, 8);
}

/* Gets the entries that exist, and puts the others; then all exist. */
static void
share (Scene *scene)
{
  g_autoptr (FxCache) cache = fx_cache_new (scene->dir, LIMIT);

  for (guint n = 0; n < SHARED_KEYS; n++)
    {
      g_autofree char *key = key_new_numbered (n);
      g_autoptr (GBytes) found = fx_cache_get (cache, key);
      g_autoptr (GBytes) bytes = make_self_checking (n);
      g_autoptr (GBytes) again = NULL;

      if (found)
        check_self (found);
      else
        check_put (cache, key, bytes);
      again = fx_cache_get (cache, key);
      g_assert_nonnull (again);
      check_self (again);
    }
}

/* Many processes at once, and not even the folder is there. */
SCENE_TEST (test_crowd, "crowd")
{
  pid_t pids[CROWD];
  int start[2];

  g_assert_cmpint (pipe (start), ==, 0);
  for (int i = 0; i < CROWD; i++)
    {
      pids[i] = fork ();
      g_assert_cmpint (pids[i], >=, 0);
      if (pids[i] == 0)
        {
          char c;

          close (start[1]);
          g_assert_cmpint (read (start[0], &c, 1), ==, 0); /* until all are there */
          share (scene);
          _exit (0);
        }
    }
  close (start[0]);
  close (start[1]);
  for (int i = 0; i < CROWD; i++)
    {
      int status;

      g_assert_cmpint (waitpid (pids[i], &status, 0), ==, pids[i]);
      g_assert_cmpint (status, ==, 0);
    }
  g_assert_cmpuint (scene_count_files (scene), ==, SHARED_KEYS);
}

TESTS (add_processes)
{
  SCENE_ADD ("processes", GINT_TO_POINTER (FALSE), test_processes);
  SCENE_ADD ("processes-and-damage", GINT_TO_POINTER (TRUE), test_processes);
}
