/* The dialog's last line: what computed the preview, or why there is none. */
#ifndef STATUS_H
#define STATUS_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Returns the label, for status_set. row is set to the widget that the dialog packs, which owns the
 * label. Its size does not depend on the text: it takes the width that it is given, and has two
 * lines. */
GtkWidget *status_new (GtkWidget **row);

/* A text that needs more than two lines is cut off below, and a tooltip has all of it. */
void status_set (GtkWidget *label, const char *text);

G_END_DECLS

#endif
