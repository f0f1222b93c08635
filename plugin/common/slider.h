/* A slider for a number that an entry shows, too. For the main thread. */
#ifndef SLIDER_H
#define SLIDER_H

#include "filter.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Returns the valid value to take in place of value: a whole number between 0 and property's least
 * becomes the least one, or 0 if the number comes down, from last. */
double slider_get_valid (const FilterProperty *property, double value, double last);

/* Creates a slider that follows number, and sets it if the user moves the slider. property must
 * stay valid. */
GtkWidget *slider_new (const FilterProperty *property, GtkAdjustment *number);

G_END_DECLS

#endif
