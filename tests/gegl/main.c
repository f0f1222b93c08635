/* The main function of programs that test an operation in GEGL's graphs, on one device: with the
 * module that the environment's CUDA_BLUR_TEST_MODULE names, in a user's data folder, where
 * setup.sh puts it too, and without the user's files. GEGL starts first, because an engine that
 * looks for NVRTC has GLib remember that folder.
 *
 * GLib's tests take every warning for a failure: none may come from the operation, and none from
 * GEGL of buffers that are left. */
#include "folder.h"
#include "tested.h"

#include <gegl.h>

static char *
make_folder (const char *top, const char *name)
{
  char *path = g_build_filename (top, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  return path;
}

static void
link_module (const char *folder)
{
  const char *module = g_getenv ("CUDA_BLUR_TEST_MODULE");
  g_autofree char *path = g_build_filename (folder, "cuda-blur.so", NULL);

  g_assert_nonnull (module);
  g_assert_cmpint (symlink (module, path), ==, 0);
}

static void
start_gegl (const char *folder)
{
  g_autofree char *modules = make_folder (folder, "data/gegl-0.4/plug-ins");
  g_autofree char *data = make_folder (folder, "data"), *cache = make_folder (folder, "cache");

  link_module (modules);
  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_setenv ("GEGL_SWAP", "RAM", TRUE);
  g_unsetenv ("GEGL_PATH");
  g_setenv ("CUDA_BLUR_TAKE_OVER", "no", TRUE);
  g_object_set (gegl_config (), "application-license", "GPL3", NULL); /* as GIMP does */
  gegl_init (NULL, NULL);
  g_assert_true (gegl_has_operation ("cuda:gaussian-blur"));
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("cuda-blur-test-XXXXXX", NULL);
  int status;

  g_assert_nonnull (folder);
  start_gegl (folder);
  status = tested_main (argc, argv);
  gegl_exit ();
  folder_remove (folder);
  return status;
}
