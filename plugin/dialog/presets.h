/* The presets of the dialog: a row like that at the top of GIMP's own filters, with a list of named
 * presets, a button that adds the current settings to it, and a menu that imports, exports and
 * manages them. The presets are kept in the folder of GIMP's own, in the user's profile. For the
 * main thread. */
#ifndef PRESETS_H
#define PRESETS_H

#include "filter.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef const FilterSettings *(*PresetsGetFunc) (gpointer data);
typedef void (*PresetsSetFunc) (gpointer data, const FilterSettings *settings);

/* last: the settings that the list offers as the last used. get is asked for the dialog's settings,
 * set is given those that the user chose, which have passed filter_settings_check; the calls come
 * from the row's widgets, so that they end with it. Errors are GIMP's messages.
 *
 * By keyboard: Alt+S is the list; from there Tab leads to the two buttons, which Space presses. */
GtkWidget *presets_new (const FilterSettings *last, PresetsGetFunc get, PresetsSetFunc set,
                        gpointer data);

/* To be called whenever a setting changes: the list then names no preset any more. Within set it
 * does nothing. */
void presets_unset (GtkWidget *presets);

G_END_DECLS

#endif
