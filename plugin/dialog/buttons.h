/* Buttons of icons alone, and menus below a button. For the main thread. */
#ifndef BUTTONS_H
#define BUTTONS_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* As GIMP has them; the tooltip, translated, is also its name for those who do not see it. */
GtkWidget *icon_button_new (const char *icon, const char *tooltip);

/* Pops a menu up below the button that it is attached to, wherever the pointer is. */
void menu_popup_below (GtkMenu *menu);

G_END_DECLS

#endif
