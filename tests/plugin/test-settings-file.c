/* Files of settings: every value and awkward names there and back, in a locale with a decimal comma
 * too, every kind of damage, and files that cannot be written. */
#include "blur.h"
#include "filters.h"
#include "test.h"
#include "settings-file.h"

#include <errno.h>
#include <gio/gio.h>
#include <libgimpbase/gimpbase.h>
#include <libgimpconfig/gimpconfig.h>
#include <locale.h>
#include <sys/resource.h>

typedef struct {
  char *folder;
  char *path; /* of a file in it, which is not there */
} Fixture;

/* In their order. */
enum { SIGMA_X, SIGMA_Y, KERNEL_SIZE, ABYSS, LIGHT, GROW, DEVICE, PROPERTIES };

static FilterSettings *
make_settings (const double values[PROPERTIES])
{
  FilterSettings *settings = filter_settings_new (&gaussian_blur);

  for (guint i = 0; i < PROPERTIES; i++)
    filter_settings_set (settings, i, values[i]);
  return settings;
}

static FilterSettings *plain;

#define PLAIN_SETTINGS                                                                  \
  "(sigma-x 3.5)\n(sigma-y 0.1)\n(kernel-size 35)\n(abyss white)\n(light perceptual)\n" \
  "(grow yes)\n(device cpu)\n"
#define FOOTER "# end of settings\n"

static void
set_up (Fixture *f, gconstpointer data)
{
  f->folder = g_dir_make_tmp ("settings-XXXXXX", NULL);
  g_assert_nonnull (f->folder);
  f->path = g_build_filename (f->folder, "made", "blur.settings", NULL);
}

static void
remove_file (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_remove (path);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_autofree char *made = g_path_get_dirname (f->path);

  remove_file (made, "blur.settings");
  remove_file (f->folder, "made");
  remove_file (f->folder, "file");
  g_assert_cmpint (g_rmdir (f->folder), ==, 0);
  g_free (f->path);
  g_free (f->folder);
}

static void
write_bytes (const Fixture *f, const char *bytes, gssize length)
{
  g_autofree char *made = g_path_get_dirname (f->path);

  g_assert_true (g_mkdir (made, 0700) == 0 || errno == EEXIST);
  g_remove (f->path); /* a longer file would not be truncated */
  g_assert_true (
    g_file_set_contents_full (f->path, bytes, length, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

static GPtrArray *
make_list (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) preset_free);
}

/* ---- there and back ---- */

static void
assert_same (const FilterSettings *a, const FilterSettings *b)
{
  for (guint i = 0; i < PROPERTIES; i++)
    g_assert_cmpfloat (filter_settings_get (a, i), ==, filter_settings_get (b, i));
}

static void
assert_same_lists (const GPtrArray *a, const GPtrArray *b)
{
  g_assert_cmpuint (a->len, ==, b->len);
  for (guint i = 0; i < a->len; i++)
    {
      const Preset *left = g_ptr_array_index (a, i);
      const Preset *right = g_ptr_array_index (b, i);

      g_assert_cmpstr (left->name, ==, right->name);
      assert_same (left->settings, right->settings);
    }
}

static void
assert_list_returns (const Fixture *f, GPtrArray *presets)
{
  g_autoptr (GPtrArray) read = NULL;
  GError *error = NULL;

  settings_file_write_presets (&gaussian_blur, f->path, presets, &error);
  g_assert_no_error (error);
  read = settings_file_read_presets (&gaussian_blur, f->path, &error);
  g_assert_no_error (error);
  assert_same_lists (read, presets);
}

static void
assert_import (const Fixture *f, const FilterSettings *settings)
{
  g_autoptr (FilterSettings) read = NULL;
  GError *error = NULL;

  read = settings_file_import (&gaussian_blur, f->path, &error);
  g_assert_no_error (error);
  assert_same (read, settings);
}

static void
assert_export_returns (const Fixture *f, const FilterSettings *settings)
{
  GError *error = NULL;

  settings_file_export (f->path, settings, &error);
  g_assert_no_error (error);
  assert_import (f, settings);
}

static const double sigmas[] = { 0.0,    5e-324,      1e-10, 0.1,    0.2,
                                 1 / 3., 12.34567891, 1e3,   4999.9, BLUR_SIGMA_MAX };
static const int kernel_sizes[] = { 0, 1, 3, BLUR_KERNEL_SIZE_MAX };

/* Each value of each member. */
static GPtrArray *
make_values (void)
{
  GPtrArray *presets = make_list ();

  for (int i = 0; i < 40; i++)
    {
      g_autofree char *name = g_strdup_printf ("preset %d", i);
      g_autoptr (FilterSettings)
        settings = make_settings ((double[]) { [SIGMA_X] = sigmas[i % 10],
                                               [SIGMA_Y] = sigmas[9 - i % 10],
                                               [KERNEL_SIZE] = kernel_sizes[i / 10],
                                               [ABYSS] = i % 4,
                                               [LIGHT] = i / 4 % 2,
                                               [GROW] = i / 3 % 2,
                                               [DEVICE] = i % 3 });

      g_ptr_array_add (presets, preset_new (name, settings));
    }
  return presets;
}

static void
assert_values_return (const Fixture *f)
{
  g_autoptr (GPtrArray) presets = make_values ();

  assert_list_returns (f, presets);
  for (guint i = 0; i < presets->len; i++)
    assert_export_returns (f, ((const Preset *) g_ptr_array_index (presets, i))->settings);
}

FIXTURE_TEST (test_values, "/settings-file/values")
{
  assert_values_return (f);
}

FIXTURE_TEST (test_names, "/settings-file/names")
{
  static const char *const names[] = {
    "plain",
    "two words",
    "\"quoted\"",
    "back\\slash",
    "\\",
    "(parentheses)",
    "# no comment",
    "/* nor one */",
    "tab\tand\nnewline",
    "\001\033\177",
    "Weichzeichnung äöüß",
    "ぼかし",
    "🌫",
    "plain",
    " ",
    "%s%n",
    "; '",
  };
  g_autoptr (GPtrArray) presets = make_list ();
  g_autofree char *longest = g_strnfill (10000, 'x');

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_ptr_array_add (presets, preset_new (names[i], plain));
  g_ptr_array_add (presets, preset_new (longest, plain));
  assert_list_returns (f, presets);
}

FIXTURE_TEST (test_empty_list, "/settings-file/empty-list")
{
  g_autoptr (GPtrArray) presets = make_list ();

  assert_list_returns (f, presets);
}

/* A file as GIMP itself writes it. */
FIXTURE_TEST (test_style, "/settings-file/style")
{
  static const char expected[] = "# settings\n\n(cuda-gaussian-blur \"Soft \\\"glow\\\"\"\n"
                                 "    (sigma-x 3.5)\n    (sigma-y 0.10000000000000001)\n"
                                 "    (kernel-size 35)\n    (abyss white)\n"
                                 "    (light perceptual)\n    (grow yes)\n    (device cpu))\n"
                                 "\n# end of settings\n";
  g_autoptr (GPtrArray) presets = make_list ();
  g_autofree char *text = NULL;

  g_ptr_array_add (presets, preset_new ("Soft \"glow\"", plain));
  assert_list_returns (f, presets);
  g_assert_true (g_file_get_contents (f->path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

/* A German locale, the system's or one made for the occasion. */
static gboolean
set_decimal_comma (const char *folder)
{
  g_autofree char *made = g_build_filename (folder, "de_DE.UTF-8", NULL);
  char *argv[] = { "localedef", "--no-archive", "-i", "de_DE", "-f", "UTF-8", made, NULL };

  if (setlocale (LC_NUMERIC, "de_DE.UTF-8"))
    return TRUE;
  g_spawn_sync (NULL, argv, NULL,
                G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                NULL, NULL, NULL, NULL, NULL);
  g_setenv ("LOCPATH", folder, TRUE);
  return setlocale (LC_NUMERIC, "de_DE.UTF-8") != NULL;
}

FIXTURE_TEST (test_locale, "/settings-file/locale")
{
  g_autofree char *locales = g_dir_make_tmp ("locales-XXXXXX", NULL);
  char *argv[] = { "rm", "-r", locales, NULL };

  if (set_decimal_comma (locales))
    {
      g_autofree char *half = g_strdup_printf ("%.1f", 0.5);

      g_assert_cmpstr (half, ==, "0,5");
      assert_values_return (f);
      test_style (f, data);
    }
  else
    g_test_skip ("no German locale");
  setlocale (LC_NUMERIC, "C");
  g_spawn_sync (NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
}

/* ---- what may be in a file ---- */

FIXTURE_TEST (test_comments_and_order, "/settings-file/comments-and-order")
{
  static const char text[] = "# by hand\n(grow yes) # always\n(device cpu)(light perceptual)\n"
                             "(abyss\nwhite) (kernel-size 35)\n\n(sigma-y 0.1)(sigma-x 35e-1)";

  write_bytes (f, text, -1);
  assert_import (f, plain);
}

FIXTURE_TEST (test_later_properties, "/settings-file/later-properties")
{
  static const char text[] = "(time 0)\n(curve (points \")\" 1.5 (-2 x)) yes)\n" PLAIN_SETTINGS
                             "(later)\n";

  write_bytes (f, text, -1);
  assert_import (f, plain);
}

/* ---- damage ---- */

static void
assert_parse_error (const Fixture *f, const GError *error)
{
  g_assert_error (error, GIMP_CONFIG_ERROR, GIMP_CONFIG_ERROR_PARSE);
  g_assert_nonnull (strstr (error->message, f->path));
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
}

/* A list cut off at length bytes is refused, or is complete. */
static void
assert_list_whole (const Fixture *f, const char *bytes, gsize length, const GPtrArray *presets)
{
  g_autoptr (GPtrArray) read = NULL;
  g_autoptr (GError) error = NULL;

  write_bytes (f, bytes, (gssize) length);
  read = settings_file_read_presets (&gaussian_blur, f->path, &error);
  if (read)
    assert_same_lists (read, presets);
  else
    assert_parse_error (f, error);
}

FIXTURE_TEST (test_truncated_list, "/settings-file/truncated-list")
{
  g_autoptr (GPtrArray) presets = make_list ();
  g_autofree char *bytes = NULL;
  gsize length, i;

  g_ptr_array_add (presets, preset_new ("first", plain));
  g_ptr_array_add (presets, preset_new ("zweiter \"ü\"", plain));
  assert_list_returns (f, presets);
  g_assert_true (g_file_get_contents (f->path, &bytes, &length, NULL));
  for (i = 0; i < length; i++)
    assert_list_whole (f, bytes, i, presets);
}

FIXTURE_TEST (test_truncated_export, "/settings-file/truncated-export")
{
  g_autofree char *bytes = NULL;
  gsize length, i;

  assert_export_returns (f, plain);
  g_assert_true (g_file_get_contents (f->path, &bytes, &length, NULL));
  for (i = 0; i < length; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FilterSettings) settings = NULL;

      write_bytes (f, bytes, (gssize) i);
      settings = settings_file_import (&gaussian_blur, f->path, &error);
      if (settings)
        assert_same (settings, plain);
      else
        assert_parse_error (f, error);
    }
}

/* Whichever byte is changed, there is an error, or the values are in range. */
FIXTURE_TEST (test_changed_bytes, "/settings-file/changed-bytes")
{
  static const char others[] = { '\0', '\n', ' ', '"', '#',  '(',   ')',
                                 '-',  '.',  '9', 'e', '\\', '\200' };
  g_autoptr (GPtrArray) presets = make_list ();
  g_autofree char *bytes = NULL;
  gsize length, i, j;

  g_ptr_array_add (presets, preset_new ("first", plain));
  assert_list_returns (f, presets);
  g_assert_true (g_file_get_contents (f->path, &bytes, &length, NULL));
  for (i = 0; i < length; i++)
    for (j = 0; j < G_N_ELEMENTS (others); j++)
      {
        g_autoptr (GPtrArray) read = NULL;
        g_autoptr (GError) error = NULL;
        char kept = bytes[i];

        bytes[i] = others[j];
        write_bytes (f, bytes, (gssize) length);
        bytes[i] = kept;
        read = settings_file_read_presets (&gaussian_blur, f->path, &error);
        if (! read)
          assert_parse_error (f, error);
        else if (read->len > 0) /* a comment may have begun before it */
          g_assert_true (
            filter_settings_check (((const Preset *) g_ptr_array_index (read, 0))->settings, NULL));
      }
}

typedef struct {
  const char *text;
  int line;              /* that the error names */
  const char *complaint; /* a part of the error */
} Damage;

#define LIST(settings) "(cuda-gaussian-blur \"name\"\n" settings ")\n\n" FOOTER

static const Damage damaged_lists[] = {
  { "", 1, "end with '# end of settings'" },
  { LIST (PLAIN_SETTINGS "(sigma-x 5000.001)"), 9, "sigma-x is 5000, but must be 0 to 5000" },
  { LIST (PLAIN_SETTINGS "(sigma-y -0.5)"), 9, "sigma-y is -0.5" },
  { LIST (PLAIN_SETTINGS "(sigma-y -5)"), 9, "sigma-y is -5, " },
  { LIST (PLAIN_SETTINGS "(sigma-y 1e999)"), 9, "sigma-y is inf" },
  { LIST (PLAIN_SETTINGS "(kernel-size 4)"), 9, "kernel-size is 4" },
  { LIST (PLAIN_SETTINGS "(kernel-size 10001)"), 9, "kernel-size is 10001" },
  { LIST (PLAIN_SETTINGS "(kernel-size -3)"), 9, "kernel-size is -3" },
  { LIST (PLAIN_SETTINGS "(kernel-size 4294967299)"), 9, "kernel-size is '4294967299'" },
  { LIST (PLAIN_SETTINGS "(kernel-size 18446744073709551619)"), 9, "must be a whole" },
  { LIST (PLAIN_SETTINGS "(kernel-size 3.5)"), 9, "'3.5', but must be a whole number" },
  { LIST (PLAIN_SETTINGS "(kernel-size yes)"), 9, "" },
  { LIST (PLAIN_SETTINGS "(abyss grey)"), 9, "abyss is 'grey', but must be one of: clamp, none" },
  { LIST (PLAIN_SETTINGS "(abyss 1)"), 9, "" },
  { LIST (PLAIN_SETTINGS "(grow maybe)"), 9, "one of: no, yes" },
  { LIST (PLAIN_SETTINGS "(device)"), 9, "" },
  { LIST (PLAIN_SETTINGS "(sigma-x 3,5)"), 9, "" },
  { LIST (PLAIN_SETTINGS "sigma-x"), 9, "" },
  { LIST (PLAIN_SETTINGS "(later (and"), 12, "" },
  { LIST ("(sigma-x 1)(sigma-y 1)(kernel-size 1)(abyss none)(light linear)(device gpu)"), 2,
    "grow is missing" },
  { LIST (""), 2, "sigma-x is missing" },
  { "(cuda-gaussian-blur \"\" " PLAIN_SETTINGS ")\n" FOOTER, 1, "name is empty" },
  { "(cuda-gaussian-blur \"\\377\" " PLAIN_SETTINGS ")\n" FOOTER, 1, "not in UTF-8" },
  { "(cuda-gaussian-blur \"\377\" " PLAIN_SETTINGS ")\n" FOOTER, 1, "not in UTF-8" },
  { "(cuda-gaussian-blur name " PLAIN_SETTINGS ")\n" FOOTER, 1, "" },
  { "(cuda-gaussian-blur \"name " PLAIN_SETTINGS ")\n" FOOTER, 10, "string" },
  { "(GimpGegl-config \"name\"\n(std-dev-x 1.5))\n" FOOTER, 1, "'GimpGegl-config'" },
  { PLAIN_SETTINGS FOOTER, 1, "'sigma-x'" },
  { "\n)\n" FOOTER, 2, "" },
  { "\211PNG\r\n\032\n" FOOTER, 1, "" },
};

FIXTURE_TEST (test_damaged_lists, "/settings-file/damaged-lists")
{
  for (gsize i = 0; i < G_N_ELEMENTS (damaged_lists); i++)
    {
      const Damage *damage = &damaged_lists[i];
      g_autofree char *line = g_strdup_printf ("in line %d: ", damage->line);
      g_autofree char *text = g_strescape (damage->text, NULL);
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", text);
      write_bytes (f, damage->text, -1);
      g_assert_null (settings_file_read_presets (&gaussian_blur, f->path, &error));
      assert_parse_error (f, error);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, line));
      g_assert_nonnull (strstr (error->message, damage->complaint));
    }
}

/* The scanner ends at a NUL byte, but the list does not. */
FIXTURE_TEST (test_nul_byte, "/settings-file/nul-byte")
{
  static const char text[] = "(cuda-gaussian-blur \"name\" " PLAIN_SETTINGS
                             ")\n\0\n" LIST (PLAIN_SETTINGS);
  g_autoptr (GError) error = NULL;

  write_bytes (f, text, sizeof text - 1);
  g_assert_null (settings_file_read_presets (&gaussian_blur, f->path, &error));
  assert_parse_error (f, error);
}

FIXTURE_TEST (test_damaged_import, "/settings-file/damaged-import")
{
  static const char *const texts[] = { "", "(sigma-x 1)", PLAIN_SETTINGS ")",
                                       PLAIN_SETTINGS "(light none)", LIST (PLAIN_SETTINGS) };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      write_bytes (f, texts[i], -1);
      g_assert_null (settings_file_import (&gaussian_blur, f->path, &error));
      assert_parse_error (f, error);
    }
}

/* ---- files that are not there or cannot be had ---- */

FIXTURE_TEST (test_no_file, "/settings-file/no-file")
{
  g_autoptr (GPtrArray) presets = NULL;
  g_autoptr (GError) error = NULL;

  presets = settings_file_read_presets (&gaussian_blur, f->path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (presets->len, ==, 0);
  g_assert_null (settings_file_import (&gaussian_blur, f->path, &error));
  g_assert_error (error, GIMP_CONFIG_ERROR, GIMP_CONFIG_ERROR_OPEN_ENOENT);
}

FIXTURE_TEST (test_folder_in_place_of_file, "/settings-file/folder-in-place-of-file")
{
  g_autoptr (GError) error = NULL;

  g_assert_null (settings_file_read_presets (&gaussian_blur, f->folder, &error));
  g_assert_error (error, GIMP_CONFIG_ERROR, GIMP_CONFIG_ERROR_OPEN);
  g_clear_error (&error);
  g_assert_false (settings_file_export (f->folder, plain, &error));
  g_assert_nonnull (error);
}

static void
assert_not_writable (const char *path)
{
  g_autoptr (GPtrArray) presets = make_list ();
  g_autoptr (GError) error = NULL;

  g_assert_false (settings_file_write_presets (&gaussian_blur, path, presets, &error));
  g_assert_nonnull (strstr (error->message, path));
  g_clear_error (&error);
  g_assert_false (settings_file_export (path, plain, &error));
  g_assert_nonnull (strstr (error->message, path));
}

/* A folder that cannot be made, for root either. */
FIXTURE_TEST (test_unwritable, "/settings-file/unwritable")
{
  g_autofree char *file = g_build_filename (f->folder, "file", NULL);
  g_autofree char *below = g_build_filename (file, "blur.settings", NULL);

  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  assert_not_writable (below);
  if (geteuid () == 0)
    return;
  g_assert_cmpint (g_chmod (f->folder, 0500), ==, 0);
  assert_not_writable (f->path);
  g_assert_cmpint (g_chmod (f->folder, 0700), ==, 0);
}

/* In a child, whose files cannot grow beyond some bytes. */
static void
write_with_limit (const char *path)
{
  static const struct rlimit limit = { 100, 100 };
  g_autoptr (GPtrArray) presets = make_values ();
  GError *error = NULL;

  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &limit);
  _exit (! settings_file_write_presets (&gaussian_blur, path, presets, &error) && error ? 0 : 1);
}

FIXTURE_TEST (test_full_disk, "/settings-file/full-disk")
{
  g_autoptr (GPtrArray) presets = make_list ();
  g_autoptr (GPtrArray) read = NULL;
  int status;
  pid_t pid;

  g_ptr_array_add (presets, preset_new ("kept", plain));
  assert_list_returns (f, presets);
  pid = fork ();
  if (pid == 0)
    write_with_limit (f->path);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
  read = settings_file_read_presets (&gaussian_blur, f->path, NULL);
  g_assert_nonnull (read);
  assert_same_lists (read, presets);
}

/* ---- a matrix ---- */

#define MATRIX_SETTINGS                                                                      \
  "(divisor -2)(offset 0.5)(channels 9)(alpha-weighting straight)(abyss none)(light linear)" \
  "(device cpu)"

FIXTURE_TEST (test_matrix, "/settings-file/matrix")
{
  static const double values[] = { 0.1, -1 / 3.0, 5e-324, 3e38, 0.0, -7.0 };
  g_autoptr (FilterSettings) settings = filter_settings_new (&convolution_matrix), read = NULL;
  g_autoptr (GPtrArray) presets = make_list ();
  g_autofree char *text = NULL;
  int size;

  for (size = 1; size <= 63; size += 2)
    {
      double *numbers;
      g_autoptr (FilterMatrix) matrix = filter_matrix_new_zero (3, size, &numbers);
      g_autofree char *name = g_strdup_printf ("3 x %d", size);

      for (int i = 0; i < size * 3; i++)
        numbers[i] = values[i % (int) G_N_ELEMENTS (values)] / (3 + i);
      filter_settings_set_matrix (settings, 0, matrix);
      filter_settings_set (settings, 1, 1e36 * size);
      g_ptr_array_add (presets, preset_new (name, settings));
    }
  settings_file_write_presets (&convolution_matrix, f->path, presets, NULL);
  g_ptr_array_unref (g_steal_pointer (&presets));
  presets = settings_file_read_presets (&convolution_matrix, f->path, NULL);
  g_assert_nonnull (presets);
  g_assert_cmpuint (presets->len, ==, 32);
  read = filter_settings_copy (((Preset *) g_ptr_array_index (presets, 31))->settings);
  g_assert_true (filter_matrix_equal (filter_settings_get_matrix (read, 0),
                                      filter_settings_get_matrix (settings, 0)));
  g_assert_cmpfloat (filter_settings_get (read, 1), ==, 1e36 * 63);
  g_assert_true (settings_file_export (f->path, settings, NULL));
  g_assert_true (g_file_get_contents (f->path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "(values \"3x63: 0.0333"));
}

/* Text that a person writes by hand is read, too. */
FIXTURE_TEST (test_damaged_matrix, "/settings-file/damaged-matrix")
{
  static const Damage damages[] = {
    { "(values \"0,5;-1;0\n1;1;1\n1;1;1\")" MATRIX_SETTINGS, 0, NULL },
    { "(values \"1 2 x\")" MATRIX_SETTINGS, 1, "The cell in row 1, column 3 is 'x'" },
    { "(values \"1 2\n3 4\")" MATRIX_SETTINGS, 2, "rows is 2, but must be an odd number" },
    { "(values \"\")" MATRIX_SETTINGS, 1, "" },
    { "(values 3)" MATRIX_SETTINGS, 1, "" },
    { "(values \"1 2 1e39\")" MATRIX_SETTINGS, 1, "The value in row 1, column 3 is 1e+39" },
    { "(values \"1 2 3)" MATRIX_SETTINGS, 1, "" },
    { MATRIX_SETTINGS, 1, "values is missing" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      g_autofree char *line = g_strdup_printf ("in line %d: ", damages[i].line);
      g_autoptr (FilterSettings) settings = NULL;
      g_autoptr (GError) error = NULL;

      write_bytes (f, damages[i].text, -1);
      settings = settings_file_import (&convolution_matrix, f->path, &error);
      if (! damages[i].complaint)
        {
          g_assert_no_error (error);
          g_assert_cmpfloat (filter_settings_get_matrix (settings, 0)->values[0], ==, 0.5);
          continue;
        }
      g_assert_null (settings);
      assert_parse_error (f, error);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, line));
      g_assert_nonnull (strstr (error->message, damages[i].complaint));
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_setenv ("GIO_USE_VFS", "local", TRUE);
  seed_test_init (&argc, &argv);
  plain = make_settings (
    (double[]) { 3.5, 0.1, 35, FX_ABYSS_WHITE, FX_LIGHT_PERCEPTUAL, TRUE, FX_DEVICE_CPU });
  status = g_test_run ();
  filter_settings_free (plain);
  return status;
}
