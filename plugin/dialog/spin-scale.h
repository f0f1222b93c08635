/* A spin button that is a slider as well, as GIMP's own filters have it: a bar behind the number
 * fills with its value and bears the label. A click on the bar sets the value, and dragging changes
 * it; on the number, and by keys and the wheel, it is a plain spin button. GIMP 2.10 has no such
 * widget in its libraries. */
#ifndef SPIN_SCALE_H
#define SPIN_SCALE_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Creates one without a range, whose adjustment is to be configured. label has a mnemonic, and may
 * end with a colon, which is left out. The bar is nearly linear up to the share bend of the range,
 * and logarithmic beyond: 0 < bend < 1. */
GtkWidget *spin_scale_new (const char *label, double bend);

G_END_DECLS

#endif
