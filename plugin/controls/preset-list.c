#include "preset-list.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <libgimpbase/gimpbase.h>
#include <libgimpconfig/gimpconfig.h>
#include <string.h>
#include <unistd.h>

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_utf8_collate ((*(const Preset *const *) a)->name, (*(const Preset *const *) b)->name);
}

/* Returns the preset's index, or -1. */
static int
find_preset (const GPtrArray *presets, const char *name)
{
  for (guint i = 0; i < presets->len; i++)
    if (strcmp (((const Preset *) g_ptr_array_index (presets, i))->name, name) == 0)
      return (int) i;
  return -1;
}

/* Returns whether a preset that comes with the filter is shown under that name. */
static gboolean
comes_with (const FilterDescription *filter, const char *name)
{
  for (const FilterPreset *preset = filter->presets; preset && preset->name; preset++)
    if (strcmp (_ (preset->name), name) == 0)
      return TRUE;
  return FALSE;
}

static char *
make_unique (const FilterDescription *filter, const GPtrArray *presets, const char *name)
{
  char *unique = g_strdup (name);

  for (int number = 1; comes_with (filter, unique) || find_preset (presets, unique) >= 0; number++)
    {
      g_free (unique);
      unique = g_strdup_printf ("%s #%d", name, number);
    }
  return unique;
}

/* Creates an empty file for a backup, and returns its name: path with a tilde, and with a number if
 * there are such files already. Returns NULL if it cannot be created. Creating it ensures that no
 * other process uses the name. */
static char *
make_backup (const char *path)
{
  char *backup = g_strconcat (path, "~", NULL);
  int file;

  for (int number = 2; (file = g_open (backup, O_CREAT | O_EXCL | O_CLOEXEC, 0600)) == -1; number++)
    {
      gboolean taken = errno == EEXIST;

      g_free (backup);
      if (! taken)
        return NULL;
      backup = g_strdup_printf ("%s~%d", path, number);
    }
  close (file);
  return backup;
}

/* Renames the damaged file, and replaces problem by an error that says where the file is now. Older
 * backups stay. */
static void
put_aside (const char *path, GError **problem)
{
  g_autofree char *backup = make_backup (path);
  g_autofree char *shown = backup ? g_filename_display_name (backup) : NULL;
  GError *error;

  if (! backup)
    return;
  if (g_rename (path, backup) != 0)
    {
      g_unlink (backup);
      return;
    }
  error = g_error_new (GIMP_CONFIG_ERROR, GIMP_CONFIG_ERROR_PARSE,
                       _ ("%s; the file was renamed to '%s', and the list of presets is empty now"),
                       (*problem)->message, shown);
  g_error_free (*problem);
  *problem = error;
}

GPtrArray *
preset_list_load (const FilterDescription *filter, const char *path, GError **error)
{
  GError *problem = NULL;
  GPtrArray *presets = settings_file_read_presets (filter, path, &problem);

  if (presets)
    {
      g_ptr_array_sort (presets, compare_names);
      return presets;
    }
  if (g_error_matches (problem, GIMP_CONFIG_ERROR, GIMP_CONFIG_ERROR_PARSE))
    put_aside (path, &problem);
  g_propagate_error (error, problem);
  return NULL;
}

static gboolean
preset_list_save (const FilterDescription *filter, const char *path, GPtrArray *presets,
                  GError **error)
{
  g_ptr_array_sort (presets, compare_names);
  return settings_file_write_presets (filter, path, presets, error);
}

char *
preset_list_add (const char *path, const char *name, const FilterSettings *settings, GError **error)
{
  const FilterDescription *filter = filter_settings_get_filter (settings);
  g_autoptr (GPtrArray) presets = preset_list_load (filter, path, error);
  g_autofree char *unique = NULL;

  if (! presets)
    return NULL;
  unique = make_unique (filter, presets, name);
  g_ptr_array_add (presets, preset_new (unique, settings));
  return preset_list_save (filter, path, presets, error) ? g_steal_pointer (&unique) : NULL;
}

gboolean
preset_list_delete (const FilterDescription *filter, const char *path, const char *name,
                    GError **error)
{
  g_autoptr (GPtrArray) presets = preset_list_load (filter, path, error);
  int i;

  if (! presets)
    return FALSE;
  i = find_preset (presets, name);
  if (i < 0)
    return TRUE;
  g_ptr_array_remove_index (presets, i);
  return preset_list_save (filter, path, presets, error);
}
