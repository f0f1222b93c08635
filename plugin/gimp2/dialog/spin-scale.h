/* A spin button that is a slider as well, as GIMP's own filters have it: a bar behind the number
 * fills with its value and bears the label. A click on the bar sets the value, and dragging changes
 * it; on the number, and by keys and the wheel, it is a plain spin button. GIMP 2.10 has no such
 * widget in its libraries. */
#pragma once

#include "filter.h"

#include <gtk/gtk.h>

/* Creates one with the label, the tooltip and the bend of property, which must stay valid. The
 * label has a mnemonic, and may end with a colon, which is left out. The adjustment has no range
 * yet: configure it. For SliderNewFunc. */
GtkWidget *spin_scale_new (const FilterProperty *property);
