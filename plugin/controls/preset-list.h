/* The user's named presets, in a file (settings-file.h) that several dialogs may have open: each
 * change applies to the file's current contents; of two in the same moment one may be lost. Presets
 * are sorted by name, and each name is unique. This needs neither GTK nor a running GIMP. */
#pragma once

#include "settings-file.h"

/* Reads the presets, sorted, like settings_file_read_presets. If the file is damaged, renames it so
 * that nothing can overwrite it: adds a tilde to its name, as GIMP does, and a number if there is
 * such a file already. The error then says so. */
GPtrArray *preset_list_load (const FilterDescription *filter, const char *path, GError **error);

/* Returns the preset's name: name, with a number after it if the user or the filter has such a
 * preset already; free it. Returns NULL with error if the file cannot be read or written. */
char *preset_list_add (const char *path, const char *name, const FilterSettings *settings,
                       GError **error);

/* Returns TRUE also if there is no such preset. */
gboolean preset_list_delete (const FilterDescription *filter, const char *path, const char *name,
                             GError **error);
