/* The colours of the display, as GIMP's canvas shows them. */
#pragma once

#include "apply-target.h"

#include <gtk/gtk.h>

/* Converts the pixels of a view of target (RGBA, as fx_preview_render makes them) from the colours
 * of the image's profile to those of the display that widget is on. Does nothing for masks and
 * channels, or if GIMP does not manage colours. */
void display_convert (GtkWidget *widget, const ApplyTarget *target, guint8 *rgba, gsize pixels);
