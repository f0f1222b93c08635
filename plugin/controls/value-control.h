/* The control of a property with a single value: a number, with a slider or without, a whole number
 * that may be automatic, a sum of bits, a choice or a switch. For the main thread. */
#pragma once

#include "filter.h"

#include <gtk/gtk.h>

typedef struct ValueControl ValueControl;

/* Called when the user or value_control_set has changed the value. */
typedef void (*ValueControlChangedFunc) (gpointer data, double value);

/* Creates a number of property, with its label, its tooltip and a slider, as each toolkit has them:
 * a GtkSpinButton whose adjustment has no range yet. property stays valid. */
typedef GtkWidget *(*SliderNewFunc) (const FilterProperty *property);

/* Creates a control. It does not show the value yet: call value_control_set. settings, from which
 * it computes what an automatic number stands for, must outlive it. new_slider may be NULL if
 * property has no slider. Returns NULL if there is no control for such a property. */
ValueControl *value_control_new (const FilterProperty *property, const FilterSettings *settings,
                                 SliderNewFunc new_slider, ValueControlChangedFunc changed,
                                 gpointer data);
void value_control_free (ValueControl *control); /* free it after its widget; NULL is legal */

GtkWidget *value_control_get_widget (const ValueControl *control);

/* Returns the widget for a label's mnemonic; NULL if each part has its own. */
GtkWidget *value_control_get_mnemonic_widget (const ValueControl *control);

void value_control_set (ValueControl *control, double value);

/* Shows what an automatic number stands for; call this when the settings have changed. */
void value_control_update (ValueControl *control);
