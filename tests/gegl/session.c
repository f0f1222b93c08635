#include "session.h"

#include "folder.h"

#include <unistd.h>

static char *folder;

static char *
make_folder (const char *name)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  return path;
}

static void
link_module (const char *data)
{
  const char *module = g_getenv ("CUDA_BLUR_TEST_MODULE");
  g_autofree char *place = g_build_filename (data, "gegl-0.4", "plug-ins", NULL);
  g_autofree char *path = g_build_filename (place, "cuda-blur.so", NULL);

  g_assert_nonnull (module);
  g_assert_cmpint (g_mkdir_with_parents (place, 0700), ==, 0);
  g_assert_cmpint (symlink (module, path), ==, 0);
}

void
session_start (void)
{
  g_autofree char *data = NULL, *cache = NULL;

  folder = g_dir_make_tmp ("cuda-blur-test-XXXXXX", NULL);
  g_assert_nonnull (folder);
  data = make_folder ("data");
  cache = make_folder ("cache");
  link_module (data);
  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_setenv ("GEGL_SWAP", "RAM", TRUE);
  g_unsetenv ("GEGL_PATH");
  g_setenv ("CUDA_BLUR_TAKE_OVER", "no", TRUE);
  g_object_set (gegl_config (), "application-license", "GPL3", NULL); /* as GIMP does */
  gegl_init (NULL, NULL);
  g_assert_true (gegl_has_operation ("cuda:gaussian-blur"));
}

void
session_clean (void)
{
  folder_remove (folder);
  g_clear_pointer (&folder, g_free);
}

void
session_end (void)
{
  gegl_exit ();
  session_clean ();
}
