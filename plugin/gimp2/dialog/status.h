/* The status line at the bottom of the dialog: which device computed the preview, or why there is
 * none; and what it has in common with hints. */
#pragma once

#include <gtk/gtk.h>

/* Creates a label like GIMP's hints: in italics, and wrapped. text may be NULL. */
GtkWidget *hint_new (const char *text);

/* Creates the status line. Returns its label, for status_set, and sets row to the widget to pack
 * into the dialog, which owns the label. Its size does not depend on the text: it takes the width
 * that it is given, and is two lines high. */
GtkWidget *status_new (GtkWidget **row);

/* Shows text. If it needs more than two lines, it is cut off at the bottom. A tooltip shows all of
 * it. */
void status_set (GtkWidget *label, const char *text);
