/* The list of named presets: its names, its order, and what becomes of a damaged file. */
#include "preset-list.h"
#include "filters.h"
#include "test.h"

#include <gio/gio.h>
#include <libgimpbase/gimpbase.h>
#include <libgimpconfig/gimpconfig.h>
#include <limits.h>

typedef struct {
  char *folder;
  char *path;   /* of a file in it, which is not there */
  char *backup; /* the backup of a damaged file */
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->folder = g_dir_make_tmp ("presets-XXXXXX", NULL);
  g_assert_nonnull (f->folder);
  f->path = g_build_filename (f->folder, "blur.settings", NULL);
  f->backup = g_strconcat (f->path, "~", NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_remove (f->path);
  g_remove (f->backup);
  g_assert_cmpint (g_rmdir (f->folder), ==, 0);
  g_free (f->backup);
  g_free (f->path);
  g_free (f->folder);
}

static void
add (Fixture *f, const char *name, double sigma, const char *expected)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (&gaussian_blur);
  GError *error = NULL;
  g_autofree char *added = NULL;

  filter_settings_set (settings, 0, sigma);
  added = preset_list_add (f->path, name, settings, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (added, ==, expected);
}

/* names: one after the other, with a comma after each; sigmas: in the same order. */
static void
assert_list (Fixture *f, const char *names, const double *sigmas)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) presets = preset_list_load (&gaussian_blur, f->path, &error);
  g_autoptr (GString) found = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < presets->len; i++)
    {
      const Preset *preset = g_ptr_array_index (presets, i);

      g_string_append_printf (found, "%s,", preset->name);
      g_assert_cmpfloat (filter_settings_get (preset->settings, 0), ==, sigmas[i]);
    }
  g_assert_cmpstr (found->str, ==, names);
}

FIXTURE_TEST (test_add, "/preset-list/add")
{
  assert_list (f, "", NULL);
  add (f, "soft", 2, "soft");
  add (f, "glow", 9, "glow");
  add (f, "soft", 3, "soft #1");
  add (f, "soft", 4, "soft #2");
  add (f, "soft #1", 5, "soft #1 #1");
  assert_list (f, "glow,soft,soft #1,soft #1 #1,soft #2,", (double[]) { 9, 2, 3, 5, 4 });
}

/* The names of presets that come with the filter are taken. */
FIXTURE_TEST (test_own, "/preset-list/own")
{
  g_autoptr (FilterSettings) settings = filter_settings_new (&lens_blur);
  const char *own = lens_blur.presets[0].name;
  g_autofree char *numbered = g_strconcat (own, " #1", NULL);
  g_autofree char *added = preset_list_add (f->path, own, settings, NULL);
  g_autofree char *other = preset_list_add (f->path, "mine", settings, NULL);
  g_autofree char *renamed = preset_list_rename (&lens_blur, f->path, "mine", own, NULL);
  g_autoptr (GPtrArray) presets = NULL;

  g_assert_cmpstr (added, ==, numbered);
  g_assert_cmpstr (other, ==, "mine");
  g_assert_true (g_str_has_prefix (renamed, own));
  g_assert_cmpstr (renamed, !=, own);
  g_assert_cmpstr (renamed, !=, numbered);
  g_assert_true (preset_list_delete (&lens_blur, f->path, own, NULL));
  presets = preset_list_load (&lens_blur, f->path, NULL);
  g_assert_cmpuint (presets->len, ==, 2);
}

static void
rename_preset (Fixture *f, const char *from, const char *to, const char *expected)
{
  GError *error = NULL;
  g_autofree char *name = preset_list_rename (&gaussian_blur, f->path, from, to, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (name, ==, expected);
}

FIXTURE_TEST (test_rename, "/preset-list/rename")
{
  add (f, "a", 1, "a");
  add (f, "b", 2, "b");
  rename_preset (f, "a", "c", "c");
  assert_list (f, "b,c,", (double[]) { 2, 1 });
  rename_preset (f, "b", "b", "b");
  rename_preset (f, "b", "c", "c #1");
  rename_preset (f, "none", "d", "d");
  assert_list (f, "c,c #1,", (double[]) { 1, 2 });
}

FIXTURE_TEST (test_delete, "/preset-list/delete")
{
  add (f, "a", 1, "a");
  add (f, "b", 2, "b");
  g_assert_true (preset_list_delete (&gaussian_blur, f->path, "none", NULL));
  g_assert_true (preset_list_delete (&gaussian_blur, f->path, "a", NULL));
  assert_list (f, "b,", (double[]) { 2 });
  g_assert_true (preset_list_delete (&gaussian_blur, f->path, "b", NULL));
  assert_list (f, "", NULL);
}

static void
assert_text (const char *path, const char *expected)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

/* It is refused once, its contents stay in the backup, and the list begins again. */
FIXTURE_TEST (test_damage, "/preset-list/damage")
{
  static const char damaged[] = "(cuda-gaussian-blur \"years of work\"\n(sigma-x";
  g_autoptr (FilterSettings) settings = filter_settings_new (&gaussian_blur);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (f->path, damaged, -1, NULL));
  g_assert_null (preset_list_add (f->path, "new", settings, &error));
  g_assert_error (error, GIMP_CONFIG_ERROR, GIMP_CONFIG_ERROR_PARSE);
  g_assert_nonnull (strstr (error->message, f->path));
  g_assert_nonnull (strstr (error->message, f->backup));
  assert_list (f, "", NULL);
  add (f, "new", 1, "new");
  assert_list (f, "new,", (double[]) { 1 });
  assert_text (f->backup, damaged);
}

/* Each damaged file is kept, whatever has the name of its copy already. */
FIXTURE_TEST (test_damage_again, "/preset-list/damage-again")
{
  static const char *const damaged[] = { "the first", "the second", "the third" };
  g_autofree char *folder = g_strconcat (f->backup, "2", NULL);
  g_autofree char *second = g_strconcat (f->backup, "3", NULL);
  g_autofree char *third = g_strconcat (f->backup, "4", NULL);
  const char *const kept[] = { f->backup, second, third };

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (damaged); i++)
    {
      g_autofree char *quoted = g_strconcat ("'", kept[i], "'", NULL);
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (f->path, damaged[i], -1, NULL));
      g_assert_null (preset_list_load (&gaussian_blur, f->path, &error));
      g_assert_error (error, GIMP_CONFIG_ERROR, GIMP_CONFIG_ERROR_PARSE);
      g_assert_nonnull (strstr (error->message, quoted));
      g_assert_false (g_file_test (f->path, G_FILE_TEST_EXISTS));
    }
  for (guint i = 0; i < G_N_ELEMENTS (damaged); i++)
    {
      assert_text (kept[i], damaged[i]);
      g_remove (kept[i]);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* A file that cannot be renamed, because its name is as long as possible, is not overwritten
 * either. */
FIXTURE_TEST (test_damage_stays, "/preset-list/damage-stays")
{
  g_autofree char *name = g_strnfill (NAME_MAX, 'x');
  g_autoptr (FilterSettings) settings = filter_settings_new (&gaussian_blur);

  g_free (f->path);
  f->path = g_build_filename (f->folder, name, NULL);
  /* Directly: a temporary file's name would be longer still. */
  g_assert_true (
    g_file_set_contents_full (f->path, "damaged", -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (preset_list_add (f->path, "new", settings, &error));
      g_assert_error (error, GIMP_CONFIG_ERROR, GIMP_CONFIG_ERROR_PARSE);
      g_assert_null (strstr (error->message, "was renamed to"));
      g_clear_error (&error);
      g_assert_false (preset_list_delete (&gaussian_blur, f->path, "old", &error));
      g_clear_error (&error);
      g_assert_null (preset_list_rename (&gaussian_blur, f->path, "old", "new", &error));
    }
  assert_text (f->path, "damaged");
}

/* No file, but no damaged one: there is nothing to rename. */
FIXTURE_TEST (test_folder_in_place_of_file, "/preset-list/folder-in-place-of-file")
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir (f->path, 0700), ==, 0);
  g_assert_null (preset_list_load (&gaussian_blur, f->path, &error));
  g_assert_error (error, GIMP_CONFIG_ERROR, GIMP_CONFIG_ERROR_OPEN);
  g_assert_true (g_file_test (f->path, G_FILE_TEST_IS_DIR));
}

int
main (int argc, char **argv)
{
  g_setenv ("GIO_USE_VFS", "local", TRUE);
  seed_test_init (&argc, &argv);
  return g_test_run ();
}
