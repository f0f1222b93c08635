/* The place and the size of a window. GIMP keeps both in a global parasite, from call to
 * call and until it is started again. For the main thread. */
#pragma once

#include <gtk/gtk.h>

/* Moves and resizes a window that is not shown yet to where one was closed whose key was the same,
 * or what is nearest to that and on one monitor. Without such a one, moves it beside the image's
 * window if there is room; the default size then gives way down to the size that the window
 * needs. */
void place_restore (GtkWindow *window, const char *key);

/* Keeps the place and size of a window that is shown. */
void place_keep (GtkWindow *window, const char *key);
