/* The control of a property that is one value: a number, a whole number that may be automatic, a
 * sum of bits, a choice or a switch. For the main thread. */
#ifndef VALUE_CONTROL_H
#define VALUE_CONTROL_H

#include "filter.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct ValueControl ValueControl;

/* Called when the value has changed, by the user's hand or by value_control_set. */
typedef void (*ValueControlChangedFunc) (gpointer data, double value);

/* settings: for what an automatic number stands for; they outlive the control. NULL: there is none
 * for a property of that kind. It shows no value yet. */
ValueControl *value_control_new (const FilterProperty *property, const FilterSettings *settings,
                                 ValueControlChangedFunc changed, gpointer data);
void value_control_free (ValueControl *control); /* after its widget; NULL is legal */

GtkWidget *value_control_get_widget (const ValueControl *control);

/* What a label's mnemonic leads to; NULL where each part has its own. */
GtkWidget *value_control_get_mnemonic_widget (const ValueControl *control);

void value_control_set (ValueControl *control, double value);

/* Shows what an automatic number stands for, once the settings have changed. */
void value_control_update (ValueControl *control);

G_END_DECLS

#endif
