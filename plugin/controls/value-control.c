#include "value-control.h"

#include "buttons.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

#define SPIN_WIDTH 8 /* in characters */
#define DIGITS     4 /* after the point */
#define STEP       0.1
#define BITS_MAX   8

/* Parts that a control does not have are NULL. */
struct ValueControl {
  const FilterProperty *property;
  const FilterSettings *settings;
  ValueControlChangedFunc changed;
  gpointer data;
  gboolean quiet;            /* several parts are being set */
  double last;               /* the last valid value of a number with a slider */
  GtkWidget *widget;         /* the control, or a box around it */
  GtkAdjustment *number;     /* of a number */
  GtkWidget *spin;           /* shows the number */
  GtkWidget *bits[BITS_MAX]; /* check buttons */
  GtkWidget *is_automatic;   /* a check button */
};

/* Plain numbers. */

static double
get_page (double step, guint digits)
{
  return step * (digits ? 10.0 : 5.0);
}

static GtkWidget *
value_control_make_spin (ValueControl *control, double minimum, double step, guint digits)
{
  const FilterProperty *property = control->property;
  GtkWidget *spin;

  control->number = GTK_ADJUSTMENT (gtk_adjustment_new (property->initial, minimum,
                                                        property->maximum, step,
                                                        get_page (step, digits), 0.0));
  spin = gimp_spin_button_new (control->number, step, digits);
  entry_keep_legible (spin);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), TRUE);
  gtk_entry_set_width_chars (GTK_ENTRY (spin), SPIN_WIDTH);
  gimp_help_set_help_data (spin, _ (property->tooltip), NULL);
  return spin;
}

static void
change_plain_number (GtkAdjustment *adjustment, ValueControl *control)
{
  control->changed (control->data, gtk_adjustment_get_value (adjustment));
}

/* The box prevents the number from becoming as wide as the table. */
static void
make_plain_number (ValueControl *control)
{
  control->widget = gtk_hbox_new (FALSE, 6);
  control->spin = value_control_make_spin (control, control->property->minimum, STEP, DIGITS);
  gtk_box_pack_start (GTK_BOX (control->widget), control->spin, FALSE, FALSE, 0);
  g_signal_connect (control->number, "value-changed", G_CALLBACK (change_plain_number), control);
}

/* Numbers with a slider. */

/* Returns the valid value to take in place of value: a whole number between 0 and property's least
 * becomes the least one, or 0 if the number comes down, from last. */
static double
get_valid (const FilterProperty *property, double value, double last)
{
  if (value <= 0.0 || value >= property->least)
    return value;
  return value < last ? 0.0 : property->least;
}

static void
change_slider (GtkAdjustment *adjustment, ValueControl *control)
{
  double value = gtk_adjustment_get_value (adjustment);
  double valid = get_valid (control->property, value, control->last);

  control->last = valid;
  if (valid != value)
    gtk_adjustment_set_value (adjustment, valid);
  else
    control->changed (control->data, value);
}

static void
make_slider (ValueControl *control, SliderNewFunc new_slider)
{
  const FilterProperty *property = control->property;
  double step = property->slider.step;
  int digits = property->slider.digits;

  control->spin = new_slider (property);
  control->widget = control->spin;
  control->last = property->initial;
  control->number = gtk_spin_button_get_adjustment (GTK_SPIN_BUTTON (control->spin));
  gtk_adjustment_configure (control->number, property->initial, property->minimum,
                            property->maximum, step, get_page (step, (guint) digits), 0.0);
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (control->spin), (guint) digits);
  gtk_entry_set_width_chars (GTK_ENTRY (control->spin), SPIN_WIDTH);
  g_signal_connect (control->number, "value-changed", G_CALLBACK (change_slider), control);
}

/* Whole numbers that may be automatic. If so, the control shows the number that 0 stands for. */

static gboolean
is_automatic (const ValueControl *control)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (control->is_automatic));
}

/* A number between two valid ones becomes the next larger one. */
static void
change_number (GtkAdjustment *adjustment, ValueControl *control)
{
  int value = (int) gtk_adjustment_get_value (adjustment);
  int step = control->property->automatic.step, over = (value - 1) % step;

  if (over != 0)
    gtk_adjustment_set_value (adjustment, value + step - over);
  else if (! is_automatic (control))
    control->changed (control->data, value);
}

static void
change_automatic (GtkToggleButton *button, ValueControl *control)
{
  gboolean automatic = gtk_toggle_button_get_active (button);

  gtk_widget_set_sensitive (control->spin, ! automatic);
  control->changed (control->data,
                    automatic ? 0 : (int) gtk_adjustment_get_value (control->number));
}

static void
value_control_make_number (ValueControl *control)
{
  const FilterProperty *property = control->property;
  GtkWidget *box = gtk_hbox_new (FALSE, 6);
  GtkWidget *spin = value_control_make_spin (control, 1.0, property->automatic.step, 0);
  GtkWidget *automatic = check_button_new (_ (property->automatic.label),
                                           _ (property->automatic.tooltip));

  gtk_widget_set_sensitive (spin, FALSE);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (automatic), TRUE);
  gtk_box_pack_start (GTK_BOX (box), spin, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), automatic, FALSE, FALSE, 0);
  control->widget = box;
  control->spin = spin;
  control->is_automatic = automatic;
  value_control_update (control);
  g_signal_connect (control->number, "value-changed", G_CALLBACK (change_number), control);
  g_signal_connect (automatic, "toggled", G_CALLBACK (change_automatic), control);
}

static void
set_number (ValueControl *control, int value)
{
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (control->is_automatic), value == 0);
  if (value)
    gtk_adjustment_set_value (control->number, value);
}

void
value_control_update (ValueControl *control)
{
  if (control->property->automatic.get && is_automatic (control))
    gtk_adjustment_set_value (control->number,
                              control->property->automatic.get (control->settings));
}

/* Sums of bits; a sum of 0 is automatic. */

static int
count_bits (const FilterProperty *property)
{
  int n = 0;

  while (property->bits[n].name)
    n++;
  return n;
}

static void
set_bits (ValueControl *control, int value)
{
  control->quiet = TRUE;
  for (int i = 0; i < count_bits (control->property); i++)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (control->bits[i]), value >> i & 1);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (control->is_automatic), value == 0);
  control->quiet = FALSE;
  control->changed (control->data, value);
}

static void
change_bits (GtkToggleButton *button, ValueControl *control)
{
  int value = 0;

  if (control->quiet)
    return;
  for (int i = 0; i < count_bits (control->property); i++)
    value |= gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (control->bits[i])) << i;
  set_bits (control, value);
}

/* Starts with all bits when the sum is no longer automatic. */
static void
change_automatic_bits (GtkToggleButton *button, ValueControl *control)
{
  if (! control->quiet)
    set_bits (control,
              gtk_toggle_button_get_active (button) ? 0 : (int) control->property->maximum);
}

static GtkWidget *
add_bit (ValueControl *control, const char *label, const char *tooltip, GCallback changed)
{
  GtkWidget *button = check_button_new (label, tooltip);

  gtk_box_pack_start (GTK_BOX (control->widget), button, FALSE, FALSE, 0);
  g_signal_connect (button, "toggled", changed, control);
  return button;
}

static void
make_bits (ValueControl *control)
{
  const FilterProperty *property = control->property;
  int n = count_bits (property);

  g_return_if_fail (n <= BITS_MAX);
  control->widget = gtk_hbox_new (FALSE, 6);
  for (int i = 0; i < n; i++)
    control->bits[i] = add_bit (control, _ (property->bits[i].label), _ (property->tooltip),
                                G_CALLBACK (change_bits));
  control->is_automatic = add_bit (control, _ (property->automatic.label),
                                   _ (property->automatic.tooltip),
                                   G_CALLBACK (change_automatic_bits));
}

/* Choices and switches. */

static void
change_choice (GtkWidget *combo, ValueControl *control)
{
  int choice;

  gimp_int_combo_box_get_active (GIMP_INT_COMBO_BOX (combo), &choice);
  control->changed (control->data, choice);
}

static void
value_control_make_choice (ValueControl *control)
{
  const FilterChoice *choices = filter_property_get_choices (control->property);
  GtkWidget *combo = g_object_new (GIMP_TYPE_INT_COMBO_BOX, NULL);

  for (int i = 0; choices[i].name; i++)
    gimp_int_combo_box_append (GIMP_INT_COMBO_BOX (combo), GIMP_INT_STORE_VALUE, i,
                               GIMP_INT_STORE_LABEL, _ (choices[i].label), -1);
  gimp_help_set_help_data (combo, _ (control->property->tooltip), NULL);
  control->widget = combo;
  g_signal_connect (combo, "changed", G_CALLBACK (change_choice), control);
}

static void
change_switch (GtkToggleButton *button, ValueControl *control)
{
  control->changed (control->data, gtk_toggle_button_get_active (button));
}

static void
value_control_make_switch (ValueControl *control)
{
  control->widget = check_button_new (_ (control->property->label), _ (control->property->tooltip));
  g_signal_connect (control->widget, "toggled", G_CALLBACK (change_switch), control);
}

/* All kinds. */

/* A whole number that is neither automatic nor a sum of bits needs a slider. */
static void
value_control_make (ValueControl *control, SliderNewFunc new_slider)
{
  const FilterProperty *property = control->property;

  if (property->slider.step > 0.0)
    make_slider (control, new_slider);
  else if (property->automatic.get)
    value_control_make_number (control);
  else if (property->bits)
    make_bits (control);
  else if (property->type == FILTER_NUMBER)
    make_plain_number (control);
  else if (property->type == FILTER_CHOICE)
    value_control_make_choice (control);
  else if (property->type == FILTER_SWITCH)
    value_control_make_switch (control);
}

ValueControl *
value_control_new (const FilterProperty *property, const FilterSettings *settings,
                   SliderNewFunc new_slider, ValueControlChangedFunc changed, gpointer data)
{
  ValueControl *control = g_new0 (ValueControl, 1);

  control->property = property;
  control->settings = settings;
  control->changed = changed;
  control->data = data;
  value_control_make (control, new_slider);
  if (control->widget)
    return control;
  g_free (control);
  return NULL;
}

void
value_control_free (ValueControl *control)
{
  g_free (control);
}

GtkWidget *
value_control_get_widget (const ValueControl *control)
{
  return control->widget;
}

GtkWidget *
value_control_get_mnemonic_widget (const ValueControl *control)
{
  if (control->property->bits)
    return NULL;
  return control->spin ? control->spin : control->widget;
}

void
value_control_set (ValueControl *control, double value)
{
  if (control->property->bits)
    set_bits (control, (int) value);
  else if (control->is_automatic)
    set_number (control, (int) value);
  else if (control->number)
    gtk_adjustment_set_value (control->number, value);
  else if (control->property->type == FILTER_CHOICE)
    gimp_int_combo_box_set_active (GIMP_INT_COMBO_BOX (control->widget), (int) value);
  else
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (control->widget), value != 0.0);
}
