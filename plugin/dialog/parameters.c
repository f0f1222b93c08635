#include "parameters.h"

#include "pair.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

#define SPIN_WIDTH 8 /* characters */

/* Of one property. What it has not is NULL. */
typedef struct {
  Parameters *parameters;
  const FilterProperty *property;
  guint index;             /* the property's */
  Pair *pair;              /* of this property and the next one */
  GtkWidget *widget;       /* the control, or a box around it */
  GtkAdjustment *number;   /* of a whole number */
  GtkWidget *spin;         /* which shows that */
  GtkWidget *is_automatic; /* a switch */
} Control;

struct Parameters {
  const RenderTarget *target;
  const Filter *filter;
  FilterSettings *settings;
  ParametersChangedFunc changed;
  gpointer data;
  gboolean quiet; /* the controls are being set */
  GtkWidget *widget;
  GtkSizeGroup *labels;
  Control *controls; /* one for each property */
};

static void
tell (Parameters *parameters)
{
  if (! parameters->quiet)
    parameters->changed (parameters->data);
}

static void
change (const Control *control, double value)
{
  filter_settings_set (control->parameters->settings, control->index, value);
  tell (control->parameters);
}

static double
get_value (const Control *control)
{
  return filter_settings_get (control->parameters->settings, control->index);
}

/* Whole numbers, which may be automatic: then the number shows what that stands for, to
   start from. */

static gboolean
is_automatic (const Control *control)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (control->is_automatic));
}

/* What lies between two values that may be becomes the one above it. */
static void
change_number (GtkAdjustment *adjustment, Control *control)
{
  int value = (int) gtk_adjustment_get_value (adjustment);
  int step = control->property->automatic.step, over = (value - 1) % step;

  if (over != 0)
    gtk_adjustment_set_value (adjustment, value + step - over);
  else if (! is_automatic (control))
    change (control, value);
}

static void
change_automatic (GtkToggleButton *button, Control *control)
{
  gboolean automatic = gtk_toggle_button_get_active (button);

  gtk_widget_set_sensitive (control->spin, ! automatic);
  change (control, automatic ? 0 : (int) gtk_adjustment_get_value (control->number));
}

static void
make_number (Control *control)
{
  const FilterProperty *property = control->property;
  int value = (int) get_value (control), step = property->automatic.step;
  int shown = value ? value : property->automatic.get (control->parameters->settings);
  GtkWidget *box = gtk_hbox_new (FALSE, 6);
  GtkWidget *spin, *automatic = gtk_check_button_new_with_mnemonic (_ (property->automatic.label));

  control->number = GTK_ADJUSTMENT (
    gtk_adjustment_new (shown, 1, property->maximum, step, 5 * step, 0));
  spin = gimp_spin_button_new (control->number, 1.0, 0);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), TRUE);
  gtk_entry_set_width_chars (GTK_ENTRY (spin), SPIN_WIDTH);
  gtk_widget_set_sensitive (spin, value != 0);
  gimp_help_set_help_data (spin, _ (property->tooltip), NULL);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (automatic), value == 0);
  gimp_help_set_help_data (automatic, _ (property->automatic.tooltip), NULL);
  gtk_box_pack_start (GTK_BOX (box), spin, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), automatic, FALSE, FALSE, 0);
  control->widget = box;
  control->spin = spin;
  control->is_automatic = automatic;
  g_signal_connect (control->number, "value-changed", G_CALLBACK (change_number), control);
  g_signal_connect (automatic, "toggled", G_CALLBACK (change_automatic), control);
}

static void
set_number (Control *control, int value)
{
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (control->is_automatic), value == 0);
  if (value)
    gtk_adjustment_set_value (control->number, value);
}

static void
update_automatic (const Control *control)
{
  if (control->is_automatic && is_automatic (control))
    gtk_adjustment_set_value (control->number,
                              control->property->automatic.get (control->parameters->settings));
}

/* Pairs. */

static void
take_pair (Control *control)
{
  Parameters *parameters = control->parameters;
  guint i;

  filter_settings_set (parameters->settings, control->index, pair_get (control->pair, 0));
  filter_settings_set (parameters->settings, control->index + 1, pair_get (control->pair, 1));
  for (i = 0; i < parameters->filter->n_properties; i++)
    update_automatic (&parameters->controls[i]);
}

static void
change_pair (gpointer data)
{
  Control *control = data;

  take_pair (control);
  tell (control->parameters);
}

static void
get_pair (const FilterSettings *settings, guint index, double values[2])
{
  values[0] = filter_settings_get (settings, index);
  values[1] = filter_settings_get (settings, index + 1);
}

static void
make_pair (Control *control)
{
  Parameters *parameters = control->parameters;
  double values[2];

  get_pair (parameters->settings, control->index, values);
  control->pair = pair_new (control->property, values,
                            gimp_item_get_image (parameters->target->drawable), parameters->labels,
                            change_pair, control);
  control->widget = pair_get_widget (control->pair);
}

static void
set_pair (Control *control, const FilterSettings *settings)
{
  double values[2];

  get_pair (settings, control->index, values);
  pair_set (control->pair, values);
  if (values[0] != get_value (control) ||
      values[1] != filter_settings_get (control->parameters->settings, control->index + 1))
    take_pair (control);
}

/* Choices and switches. */

static void
change_choice (GtkWidget *combo, Control *control)
{
  int choice;

  gimp_int_combo_box_get_active (GIMP_INT_COMBO_BOX (combo), &choice);
  change (control, choice);
}

static void
make_choice (Control *control)
{
  const FilterChoice *choices = filter_property_get_choices (control->property);
  GtkWidget *combo = g_object_new (GIMP_TYPE_INT_COMBO_BOX, NULL);
  int i;

  for (i = 0; choices[i].name; i++)
    gimp_int_combo_box_append (GIMP_INT_COMBO_BOX (combo), GIMP_INT_STORE_VALUE, i,
                               GIMP_INT_STORE_LABEL, _ (choices[i].label), -1);
  gimp_help_set_help_data (combo, _ (control->property->tooltip), NULL);
  control->widget = combo;
  g_signal_connect (combo, "changed", G_CALLBACK (change_choice), control);
}

static void
change_switch (GtkToggleButton *button, Control *control)
{
  change (control, gtk_toggle_button_get_active (button));
}

static void
make_switch (Control *control)
{
  control->widget = gtk_check_button_new_with_mnemonic (_ (control->property->label));
  gimp_help_set_help_data (control->widget, _ (control->property->tooltip), NULL);
  g_signal_connect (control->widget, "toggled", G_CALLBACK (change_switch), control);
}

/* All of them. */

/* Whether a property has an effect on the drawable. */
static gboolean
applies (const FilterProperty *property, const RenderTarget *target)
{
  switch (property->role)
    {
    case FILTER_ROLE_LIGHT:
      return ! target->coverage;
    case FILTER_ROLE_GROW:
      return render_target_can_grow (target);
    default:
      return TRUE;
    }
}

/* A number by itself, which no filter has yet, gets none. */
static void
make_control (Control *control)
{
  const FilterProperty *property = control->property;

  if (property->control == FILTER_CONTROL_PAIR)
    make_pair (control);
  else if (property->automatic.get)
    make_number (control);
  else if (property->type == FILTER_CHOICE)
    make_choice (control);
  else if (property->type == FILTER_SWITCH)
    make_switch (control);
  if (control->widget)
    gtk_widget_set_sensitive (control->widget, applies (property, control->parameters->target));
}

static void
set_control (Control *control, const FilterSettings *settings)
{
  int value = (int) filter_settings_get (settings, control->index);

  if (control->pair)
    set_pair (control, settings);
  else if (control->number)
    set_number (control, value);
  else if (control->property->type == FILTER_CHOICE)
    gimp_int_combo_box_set_active (GIMP_INT_COMBO_BOX (control->widget), value);
  else if (control->property->type == FILTER_SWITCH)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (control->widget), value);
}

static void
set_controls (Parameters *parameters, const FilterSettings *settings)
{
  guint i;

  for (i = 0; i < parameters->filter->n_properties; i++)
    set_control (&parameters->controls[i], settings);
}

static void
attach (const Control *control, GtkWidget *table, int row)
{
  GtkWidget *label = gimp_table_attach_aligned (GTK_TABLE (table), 0, row,
                                                _ (control->property->label), 0.0, 0.5,
                                                control->widget, 1, FALSE);

  gtk_size_group_add_widget (control->parameters->labels, label);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label),
                                 control->spin ? control->spin : control->widget);
}

/* Pairs, then the table, then switches. */
static void
arrange (Parameters *parameters)
{
  GtkBox *box = GTK_BOX (parameters->widget);
  GtkWidget *table = gtk_table_new (1, 2, FALSE);
  const Control *controls = parameters->controls, *control;
  const Control *end = controls + parameters->filter->n_properties;
  int row = 0;

  gtk_table_set_row_spacings (GTK_TABLE (table), 6);
  gtk_table_set_col_spacings (GTK_TABLE (table), 6);
  for (control = controls; control < end; control++)
    if (control->pair)
      gtk_box_pack_start (box, control->widget, FALSE, FALSE, 0);
    else if (control->widget && control->property->type != FILTER_SWITCH)
      attach (control, table, row++);
  gtk_box_pack_start (box, table, FALSE, FALSE, 0);
  for (control = controls; control < end; control++)
    if (control->property->type == FILTER_SWITCH)
      gtk_box_pack_start (box, control->widget, FALSE, FALSE, 0);
}

void
parameters_set (Parameters *parameters, const FilterSettings *settings)
{
  parameters->quiet = TRUE;
  set_controls (parameters, settings);
  filter_settings_assign (parameters->settings, settings); /* to the bit, where a control rounds */
  parameters->quiet = FALSE;
  tell (parameters);
}

Parameters *
parameters_new (const RenderTarget *target, const FilterSettings *settings,
                ParametersChangedFunc changed, gpointer data)
{
  Parameters *parameters = g_new0 (Parameters, 1);
  guint i, n;

  parameters->target = target;
  parameters->filter = filter_settings_get_filter (settings);
  parameters->settings = filter_settings_copy (settings);
  parameters->changed = changed;
  parameters->data = data;
  parameters->quiet = TRUE;
  parameters->widget = gtk_vbox_new (FALSE, 6);
  parameters->labels = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  n = parameters->filter->n_properties;
  parameters->controls = g_new0 (Control, n);
  for (i = 0; i < n; i++)
    {
      parameters->controls[i] = (Control) { parameters, &parameters->filter->properties[i], i };
      if (i == 0 || ! parameters->controls[i - 1].pair)
        make_control (&parameters->controls[i]);
    }
  arrange (parameters);
  set_controls (parameters, settings);
  filter_settings_assign (parameters->settings, settings);
  parameters->quiet = FALSE;
  gtk_widget_show_all (parameters->widget);
  return parameters;
}

void
parameters_free (Parameters *parameters)
{
  guint i;

  if (! parameters)
    return;
  for (i = 0; i < parameters->filter->n_properties; i++)
    pair_free (parameters->controls[i].pair);
  g_free (parameters->controls);
  filter_settings_free (parameters->settings);
  g_object_unref (parameters->labels);
  g_free (parameters);
}

GtkWidget *
parameters_get_widget (const Parameters *parameters)
{
  return parameters->widget;
}

void
parameters_grab_focus (Parameters *parameters)
{
  if (parameters->controls[0].pair)
    pair_grab_focus (parameters->controls[0].pair);
  else if (parameters->controls[0].widget)
    gtk_widget_grab_focus (parameters->controls[0].widget);
}

const FilterSettings *
parameters_get (const Parameters *parameters)
{
  return parameters->settings;
}
