/* Check buttons, icon buttons, menus below a button, and legible entries. For the main thread. */
#pragma once

#include <gtk/gtk.h>

/* Creates a check button whose label has a mnemonic and looks the same ticked and not. Both texts
 * are translated. */
GtkWidget *check_button_new (const char *label, const char *tooltip);

/* Creates a button with an icon alone, in GIMP's style, which calls click with data alone. tooltip
 * is translated; it is also the button's name for assistive technology. */
GtkWidget *icon_button_new (const char *icon, const char *tooltip, GCallback click, gpointer data);

/* Opens menu below the widget that it is attached to, wherever the pointer is. */
void menu_popup_below (GtkMenu *menu);

/* Gives the text of an entry that is disabled the colour of disabled labels: its own is hardly
 * legible in GIMP 2.10's dark theme. In GTK 3 it is. */
void entry_keep_legible (GtkWidget *entry);
