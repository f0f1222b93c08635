/* Files of settings, in the format in which GIMP 2.10 stores those of its own filters: a list of
 * named presets, or one filter's settings alone. This needs neither GTK nor a running GIMP.
 *
 * Settings that are read are complete and have passed filter_settings_check; otherwise the error
 * names the file and the line. Properties of later versions are skipped. Writing replaces the whole
 * file, or leaves it unchanged on failure; it creates a missing folder. Numbers do not depend on
 * the locale. */
#pragma once

#include "filter.h"

typedef struct {
  char *name; /* UTF-8, not empty */
  FilterSettings *settings;
} Preset;

/* Creates a preset; name and settings are copied. Never returns NULL. */
Preset *preset_new (const char *name, const FilterSettings *settings);
void preset_free (Preset *preset);

/* Returns an array of Preset, which owns its presets; it is empty if there is no such file. Returns
 * NULL with GIMP_CONFIG_ERROR on failure: GIMP_CONFIG_ERROR_PARSE if the file is damaged. */
GPtrArray *settings_file_read_presets (const FilterDescription *filter, const char *path,
                                       GError **error);

/* Writes presets, whose settings must be filter's and have passed filter_settings_check. Returns
 * FALSE with error on failure. */
gboolean settings_file_write_presets (const FilterDescription *filter, const char *path,
                                      const GPtrArray *presets, GError **error);

/* Reads settings, like GIMP's "Import Current Settings from File"; free them. Returns NULL with
 * error on failure. */
FilterSettings *settings_file_import (const FilterDescription *filter, const char *path,
                                      GError **error);

/* Writes settings, which must have passed filter_settings_check, like GIMP's "Export Current
 * Settings to File". Returns FALSE with error on failure. */
gboolean settings_file_export (const char *path, const FilterSettings *settings, GError **error);
