/* The colours of the display, as GIMP's canvas shows them. */
#ifndef DISPLAY_H
#define DISPLAY_H

#include "render-target.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Converts the pixels of a view of target (RGBA, as fx_preview_render makes them) from the colours
 * of the image's profile to those of the display that widget is on. Does nothing for masks and
 * channels, or if GIMP does not manage colours. */
void display_convert (GtkWidget *widget, const RenderTarget *target, guint8 *rgba, gsize pixels);

G_END_DECLS

#endif
