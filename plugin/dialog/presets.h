/* The dialog's presets: a row like that at the top of GIMP's own filters, with a list of named
 * presets, a button that adds the current settings to it, and a menu that imports, exports and
 * manages them. The presets' file is in the folder of GIMP's own presets, in the user's profile.
 * For the main thread. */
#ifndef PRESETS_H
#define PRESETS_H

#include "filter.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef const FilterSettings *(*PresetsGetFunc) (gpointer data);
typedef void (*PresetsSetFunc) (gpointer data, const FilterSettings *settings);

/* Creates the row. The list offers last, which is copied, as the settings last used, then the
 * presets that come with the filter, then the user's. get returns
 * the dialog's settings; set is called with the settings that the user has chosen, which have
 * passed filter_settings_check. Both are called by the row's widgets, and so no longer after these
 * are destroyed. Errors are shown as GIMP's messages.
 *
 * With the keyboard, Alt+S moves to the list, Tab to the two buttons, and Space presses one. */
GtkWidget *presets_new (const FilterSettings *last, PresetsGetFunc get, PresetsSetFunc set,
                        gpointer data);

/* Deselects the preset in the list. Call this whenever a setting changes; it does nothing during
 * set. */
void presets_unset (GtkWidget *presets);

G_END_DECLS

#endif
