/* A dialog's presets: a row like that at the top of GIMP's own filters, with a list of named
 * presets, a button that adds the current settings to it, and a menu that imports and exports
 * these, and deletes the preset that is chosen. The presets' file is in the folder of GIMP's own
 * presets, in the user's profile. For the main thread. */
#pragma once

#include "parameters.h"

#include <gtk/gtk.h>

/* Creates the row. The list offers last, which is copied, as the settings last used, then the
 * presets that come with the filter, then the user's. The row saves parameters' settings, and sets
 * them to those that the user has chosen; parameters must live until the row's widgets are
 * destroyed. Errors are shown as GIMP's messages.
 *
 * With the keyboard, Alt+S moves to the list, Tab to the two buttons, and Space presses one. */
GtkWidget *presets_new (const FilterSettings *last, Parameters *parameters);

/* Deselects the preset in the list. Call this whenever a setting changes; it does nothing if
 * the row itself has set them. */
void presets_unset (GtkWidget *presets);
