/* Files of settings in the style in which GIMP 2.10 keeps those of its own filters: a list of named
 * presets, or one filter's settings on their own. Needs neither GTK nor a running GIMP.
 *
 * What is read is complete and has passed filter_settings_check, or there is an error that names
 * the file and the line. Properties of later versions are skipped. Writing replaces the file as a
 * whole or, on failure, leaves it as it was; a missing folder is made. Numbers do not depend on the
 * locale. */
#ifndef SETTINGS_FILE_H
#define SETTINGS_FILE_H

#include "filter.h"

G_BEGIN_DECLS

typedef struct {
  char *name; /* UTF-8, not empty */
  FilterSettings *settings;
} Preset;

/* settings: copied. */
Preset *preset_new (const char *name, const FilterSettings *settings);
void preset_free (Preset *preset);

/* Of Preset, which the array frees; empty where there is no such file. NULL with error, of
 * GIMP_CONFIG_ERROR, on failure: GIMP_CONFIG_ERROR_PARSE if the file is damaged. */
GPtrArray *settings_file_read_presets (const Filter *filter, const char *path, GError **error);

/* Their settings must be filter's and have passed filter_settings_check. */
gboolean settings_file_write_presets (const Filter *filter, const char *path,
                                      const GPtrArray *presets, GError **error);

/* As GIMP's "Import Current Settings from File"; free them. NULL with error on failure. */
FilterSettings *settings_file_import (const Filter *filter, const char *path, GError **error);

/* As GIMP's "Export Current Settings to File"; settings must have passed filter_settings_check. */
gboolean settings_file_export (const char *path, const FilterSettings *settings, GError **error);

G_END_DECLS

#endif
