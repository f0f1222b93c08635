/* The folders that NVRTC is loaded from. The linker puts the functions here in place of those that
 * the compiler calls. */
#include "compiler.h"
#include "error.h"
#include "folder.h"
#include "nvrtc-folders.h"
#include "rerun.h"
#include "safe-path.h"
#include "test.h"

#include <gmodule.h>

#define PRINT "--print"

gboolean __real_fx_path_is_safe (const char *path);
gboolean __wrap_fx_path_is_safe (const char *path);
GModule *__wrap_g_module_open (const char *name, GModuleFlags flags);

static enum { AS_IT_IS, SAFE, UNSAFE } paths; /* what is said of them */
static int opened, opened_on_host;            /* by their paths */

gboolean
__wrap_fx_path_is_safe (const char *path)
{
  return paths == AS_IT_IS ? __real_fx_path_is_safe (path) : paths == SAFE;
}

GModule *
__wrap_g_module_open (const char *name, GModuleFlags flags)
{
  opened += strchr (name, '/') != NULL;
  opened_on_host += g_str_has_prefix (name, FX_HOST "/");
  return NULL;
}

typedef struct {
  guint toolkit, lib, file; /* permissions of toolkit/, toolkit/lib64/ and of the library in that */
  gboolean safe;
} Case;

static void
check (const char *top, const Case *c)
{
  g_autofree char *toolkit = g_build_filename (top, "toolkit", NULL);
  g_autofree char *lib = g_build_filename (toolkit, "lib64", NULL);
  g_autofree char *file = g_build_filename (lib, "libnvrtc.so.13", NULL);
  g_autofree char *link = g_build_filename (top, "link", NULL);

  g_assert_cmpint (g_mkdir_with_parents (lib, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  g_assert_cmpint (g_chmod (file, c->file), ==, 0);
  g_assert_cmpint (g_chmod (lib, c->lib), ==, 0);
  g_assert_cmpint (g_chmod (toolkit, c->toolkit), ==, 0);
  g_test_message ("%o %o %o", c->toolkit, c->lib, c->file);
  g_assert_cmpint (fx_path_is_safe (file), ==, c->safe);
  g_assert_cmpint (symlink (file, link), ==, 0);
  g_assert_cmpint (fx_path_is_safe (link), ==, c->safe); /* the link's target counts */
  folder_remove (toolkit);
  folder_remove (link);
}

/* A link that everybody may replace leads to a file that nobody may. */
static void
check_link (const char *top)
{
  g_autofree char *open = g_build_filename (top, "open", NULL);
  g_autofree char *link = g_build_filename (open, "cuda", NULL);
  g_autofree char *file = g_build_filename (link, "libnvrtc.so.13", NULL);
  g_autofree char *safe = g_build_filename (top, "cuda-13.0", NULL);

  g_assert_cmpint (g_mkdir (open, 0755), ==, 0);
  g_assert_cmpint (g_mkdir (safe, 0755), ==, 0);
  g_assert_cmpint (symlink (safe, link), ==, 0);
  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  g_assert_true (fx_path_is_safe (file));
  g_assert_cmpint (g_chmod (open, 0777), ==, 0);
  g_assert_false (fx_path_is_safe (file));
}

TEST (test_modes, "/safe-path/modes")
{
  static const Case cases[] = {
    { 0755, 0755, 0644, TRUE },  { 0775, 0775, 0664, TRUE },  { 0755, 0755, 0666, FALSE },
    { 0755, 0777, 0644, FALSE }, { 0777, 0755, 0644, FALSE }, /* another lib64 can be put there */
    { 01777, 0755, 0644, TRUE }, { 0755, 01777, 0644, TRUE },
  };
  g_autoptr (GError) error = NULL;
  g_autofree char *top = g_dir_make_tmp ("safe-path-XXXXXX", &error);
  g_autofree char *missing = g_build_filename (top, "missing", NULL);

  g_assert_no_error (error);
  if (! fx_path_is_safe (top))
    {
      g_test_skip ("the system's temporary folder is not safe itself");
      folder_remove (top);
      return;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    check (top, &cases[i]);
  check_link (top);
  g_assert_false (fx_path_is_safe (missing));
  g_assert_true (fx_path_is_safe ("/"));
  g_assert_false (fx_path_is_safe ("."));
  folder_remove (top);
}

/* In a sticky folder, another user may replace the entries that belong to that user. */
TEST (test_foreign, "/safe-path/foreign")
{
  g_autofree char *top = g_dir_make_tmp ("safe-path-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (top, "library", NULL);

  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  if (! fx_path_is_safe (file) || chown (file, 12345, 12345) != 0)
    g_test_skip ("a file cannot be given away here");
  else
    {
      g_assert_true (fx_path_is_safe (file)); /* its folder is closed to all but root */
      g_assert_cmpint (g_chmod (top, 01777), ==, 0);
      g_assert_false (fx_path_is_safe (file));
    }
  folder_remove (top);
}

/* The compiler asks, of each library that it would open by its path. */
TEST (test_compiler, "/safe-path/compiler")
{
  for (paths = SAFE; paths <= UNSAFE; paths++)
    {
      g_autoptr (GError) error = NULL;

      opened = opened_on_host = 0;
      g_assert_null (fx_compiler_open (0, &error));
      g_assert_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE);
      g_assert_cmpint (opened > 0, ==, paths == SAFE);
      g_assert_cmpint (opened_on_host > 0, ==, paths == SAFE);
    }
  paths = AS_IT_IS;
}

static void
add_toolkit (const char *host, const char *name)
{
  g_autofree char *lib = g_build_filename (host, "usr", "local", name, "lib64", NULL);

  g_assert_cmpint (g_mkdir_with_parents (lib, 0755), ==, 0);
}

/* A Flatpak sees the files of its host in a folder; links there lead outside of it. */
TEST (test_host, "/safe-path/host")
{
  static const char *const expected[] = { "usr/local/cuda/lib64",       "usr/local/cuda-13.0/lib64",
                                          "usr/local/cuda-12.10/lib64", "usr/local/cuda-12.9/lib64",
                                          "usr/lib/x86_64-linux-gnu",   "usr/lib64" };
  g_autofree char *host = g_dir_make_tmp ("safe-path-XXXXXX", NULL);
  g_autofree char *link = g_build_filename (host, "usr/local/cuda", NULL);
  g_auto (GStrv) none = fx_nvrtc_folders ("/nonexistent");
  g_auto (GStrv) folders = NULL;
  const guint n = G_N_ELEMENTS (expected);
  guint length;

  add_toolkit (host, "cuda-12.9");
  add_toolkit (host, "cuda-13.0");
  add_toolkit (host, "cuda-12.10");
  add_toolkit (host, "other");
  g_assert_cmpint (symlink ("/etc/alternatives/cuda", link), ==, 0);
  folders = fx_nvrtc_folders (host);
  length = g_strv_length (folders);
  g_assert_cmpstr (folders[0], ==, "");
  g_assert_cmpuint (length, ==, g_strv_length (none) + 4);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *folder = g_build_filename (host, expected[i], NULL);

      g_assert_cmpstr (folders[length - n + i], ==, folder);
    }
  folder_remove (host);
}

/* Prints the folders of a user who has a Python's environment and Conda at home. */
static int
print_folders (void)
{
  g_autofree char *environment = g_build_filename (g_get_home_dir (), "venv", NULL);
  g_autofree char *conda = g_build_filename (g_get_home_dir (), "conda", NULL);
  g_auto (GStrv) folders = NULL;
  g_autofree char *lines = NULL;

  g_setenv ("VIRTUAL_ENV", environment, TRUE);
  g_setenv ("CONDA_PREFIX", conda, TRUE);
  folders = fx_nvrtc_folders (FX_HOST);
  lines = g_strjoinv ("\n", folders);
  g_print ("%s", lines);
  return 0;
}

static void
add_python (const char *home, const char *prefix, const char *version)
{
  g_autofree char *lib = g_build_filename (home, prefix, "lib", version, NULL);

  g_assert_cmpint (g_mkdir_with_parents (lib, 0755), ==, 0);
}

/* The user's folders, newest Python first, lie between the toolkit's and the host's. A program with
 * privileges does not search them. */
TEST (test_user, "/safe-path/user")
{
#define WHEELS(lib) lib "/site-packages/nvidia/cu13/lib", lib "/site-packages/nvidia/cuda_nvrtc/lib"
  static const char *const expected[] = {
    ".local/share/gimp-cuda-blur/cuda/lib",
    "venv/lib/python3.11/site-packages/nvidia/cu13/lib",
    "venv/lib/python3.9/site-packages/nvidia/cu13/lib",
    "venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib",
    "venv/lib/python3.9/site-packages/nvidia/cuda_nvrtc/lib",
    WHEELS (".local/lib/python3.11"),
    "conda/lib",
    WHEELS ("conda/lib/python3.12"),
  };
  g_autofree char *home = g_dir_make_tmp ("safe-path-XXXXXX", NULL);
  g_autofree char *variable = g_strconcat ("HOME=", home, NULL);
  g_autofree char *said = NULL;
  g_autofree char *privileged = NULL;
  g_autoptr (GString) wanted = g_string_new ("/usr/local/cuda/lib64\n");

  add_python (home, "venv", "python3.9");
  add_python (home, "venv", "python3.11");
  add_python (home, ".local", "python3.11");
  add_python (home, "conda", "python3.12");
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    g_string_append_printf (wanted, "%s/%s\n", home, expected[i]);
  g_string_append (wanted, FX_HOST);
  said = rerun_self (FALSE, PRINT, variable);
  g_assert_nonnull (strstr (said, wanted->str));
  privileged = rerun_self (TRUE, PRINT, variable);
  g_assert_true (! privileged || ! strstr (privileged, home));
  folder_remove (home);
}

int
main (int argc, char **argv)
{
  if (argc == 2 && strcmp (argv[1], PRINT) == 0)
    return print_folders ();
  seed_test_init (&argc, &argv);
  return g_test_run ();
}
