/* The presets of the gallery: each is what the dialog exports, for the filter that its first line
 * names, and is imported by that filter alone. test-gallery FOLDER. */
#include "filters.h"
#include "settings-file.h"
#include "test.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

static const char *folder;

typedef struct {
  char *folder; /* empty, but for what a test exports */
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->folder = g_dir_make_tmp ("gallery-XXXXXX", NULL);
  g_assert_nonnull (f->folder);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_assert_cmpint (g_rmdir (f->folder), ==, 0);
  g_free (f->folder);
}

static void
assert_exported (const Fixture *f, const FilterSettings *settings, const char *text)
{
  g_autofree char *path = g_build_filename (f->folder, "exported", NULL);
  g_autofree char *exported = NULL;

  g_assert_true (settings_file_export (path, settings, NULL));
  g_assert_true (g_file_get_contents (path, &exported, NULL, NULL));
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpstr (text, ==, exported);
}

/* Returns whether the filter imports the file. */
static gboolean
check_with (const Fixture *f, const FilterDescription *filter, const char *path, const char *text)
{
  g_autofree char *first = g_strdup_printf ("# GIMP '%s' settings\n", filter->title);
  g_autoptr (FilterSettings) settings = NULL;
  g_autoptr (GError) error = NULL;

  settings = settings_file_import (filter, path, &error);
  g_assert_cmpint (g_str_has_prefix (text, first), ==, settings != NULL);
  if (! settings)
    return FALSE;
  g_assert_true (filter_settings_check (settings, NULL));
  assert_exported (f, settings, text);
  return TRUE;
}

static void
check_preset (const Fixture *f, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text = NULL;
  int imported = 0;

  g_test_message ("%s", path);
  g_assert_true (g_str_has_suffix (name, ".settings"));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  for (int i = 0; filters[i]; i++)
    imported += check_with (f, filters[i], path, text);
  g_assert_cmpint (imported, ==, 1);
}

FIXTURE_TEST (test_presets, "/gallery/presets")
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  int presets = 0;

  g_assert_nonnull (dir);
  for (; (name = g_dir_read_name (dir)); presets++)
    check_preset (f, name);
  g_assert_cmpint (presets, >, 0);
}

int
main (int argc, char **argv)
{
  g_setenv ("GIO_USE_VFS", "local", TRUE);
  seed_test_init (&argc, &argv);
  g_assert_cmpint (argc, ==, 2);
  folder = argv[1];
  return g_test_run ();
}
