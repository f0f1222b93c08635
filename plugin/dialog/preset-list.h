/* The user's named presets, as they are in a file (settings-file.h) that several dialogs may have
 * open: each change is made to the file as it is at that moment. Their order is that of their
 * names, no two of which are the same. Needs neither GTK nor a running GIMP. */
#ifndef PRESET_LIST_H
#define PRESET_LIST_H

#include "settings-file.h"

G_BEGIN_DECLS

/* As settings_file_read_presets. Where the file is damaged it is renamed, with a tilde after its
 * name as GIMP does, and a number where there is such a file already, so that nothing can overwrite
 * it; the error says so. */
GPtrArray *preset_list_load (const Filter *filter, const char *path, GError **error);

/* These return the name that the preset got: name, with a number after it if there is such a preset
 * already. NULL with error if the file could not be read or written; free it. */
char *preset_list_add (const char *path, const char *name, const FilterSettings *settings,
                       GError **error);
char *preset_list_rename (const Filter *filter, const char *path, const char *old_name,
                          const char *name, GError **error);

/* TRUE too if there is no such preset. */
gboolean preset_list_delete (const Filter *filter, const char *path, const char *name,
                             GError **error);

G_END_DECLS

#endif
