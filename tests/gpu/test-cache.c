/* The disk cache: exact bytes and names; damage, bounds and processes are in cache-*.c. */
#include "cache-scene.h"
#include "config.h"

SCENE_TEST (test_bytes, "bytes")
{
  static const gsize sizes[] = { 0, 1, 2, 31, 4096, 65537, LIMIT - HEADER - SUM };
  g_autofree char *path = scene_get_path (scene, KEY_A);
  struct stat st;

  check_misses (scene->cache, KEY_A);
  g_assert_false (file_exists (scene->dir));
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      check_put_seeded (scene->cache, KEY_A, i, sizes[i]);
      check_hits (scene->cache, KEY_A, i, sizes[i]);
      check_misses (scene->cache, KEY_B);
      g_assert_cmpuint (scene_count_files (scene), ==, 1);
    }
  g_assert_cmpint (g_stat (scene->dir, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0700);
  g_assert_cmpint (g_stat (path, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0600);

  check_put_fails (scene->cache, KEY_B, LIMIT - HEADER - SUM + 1);
  check_hits (scene->cache, KEY_A, G_N_ELEMENTS (sizes) - 1, LIMIT - HEADER - SUM);
  fx_cache_free (NULL);
}

/* A folder's name may end in slashes, come from the environment, or have parents yet to make. */
SCENE_TEST (test_names, "names")
{
  g_autofree char *deep = g_build_filename (scene->top, "a", "b", "c//", NULL);
  g_autofree char *made = g_build_filename (scene->top, "a", "b", "c", KEY_A, NULL);
  g_autofree char *old = g_strdup (g_getenv ("CUDA_BLUR_CACHE_DIR"));
  g_autoptr (FxCache) cache = fx_cache_new (deep, LIMIT);
  g_autoptr (FxCache) from_environment = NULL;
  g_auto (FxConfig) config = { 0 };
  g_autofree char *in_dir = scene_get_path (scene, KEY_B);

  check_put_seeded (cache, KEY_A, 1, 10);
  check_hits (cache, KEY_A, 1, 10);
  g_assert_true (file_exists (made));

  g_setenv ("CUDA_BLUR_CACHE_DIR", scene->dir, TRUE);
  g_assert_true (fx_config_init (&config, FX_DEVICE_AUTO, NULL));
  from_environment = fx_cache_new (config.cache_dir, LIMIT);
  check_put_seeded (from_environment, KEY_B, 2, 10);
  g_assert_true (file_exists (in_dir));
  if (old)
    g_setenv ("CUDA_BLUR_CACHE_DIR", old, TRUE);
  else
    g_unsetenv ("CUDA_BLUR_CACHE_DIR");
}

int
main (int argc, char **argv)
{
  int status;

  seed_test_init (&argc, &argv);
  scene_drop_rights ();
  status = g_test_run ();
  scene_become (0);
  return status;
}
