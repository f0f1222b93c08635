#include "parameters.h"

#include "matrix-entry.h"
#include "pair.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

#define SPIN_WIDTH 8 /* characters */
#define DIGITS     4 /* of numbers, behind the point */
#define STEP       0.1
#define BITS_MAX   8

/* Of one property. What it has not is NULL. */
typedef struct {
  Parameters *parameters;
  const FilterProperty *property;
  guint index; /* the property's */
  Pair *pair;  /* of this property and the next one */
  MatrixEntry *matrix;
  GtkWidget *widget;         /* the control, or a box around it */
  GtkAdjustment *number;     /* of a number */
  GtkWidget *spin;           /* which shows that */
  GtkWidget *bits[BITS_MAX]; /* switches */
  GtkWidget *is_automatic;   /* a switch */
} Control;

struct Parameters {
  const RenderTarget *target;
  const Filter *filter;
  FilterSettings *settings; /* as the controls are */
  FilterSettings *valid;    /* the last ones that could be */
  gboolean is_valid;        /* those that the controls say can be */
  ParametersChangedFunc changed;
  gpointer data;
  gboolean quiet; /* the controls are being set */
  GtkWidget *widget;
  GtkSizeGroup *labels;
  Control *controls; /* one for each property */
};

static MatrixEntry *
find_matrix (const Parameters *parameters)
{
  guint i;

  for (i = 0; i < parameters->filter->n_properties; i++)
    if (parameters->controls[i].matrix)
      return parameters->controls[i].matrix;
  return NULL;
}

/* Below the matrix: why it cannot be, or what there is to know of it. Without one all that the
 * controls say can be. */
static void
tell_of_matrix (const Parameters *parameters, MatrixEntry *matrix, const char *problem)
{
  char *(*describe) (const FilterSettings *settings) = parameters->filter->describe;
  g_autofree char *facts = problem || ! describe ? NULL : describe (parameters->settings);

  matrix_entry_tell (matrix, problem ? problem : facts ? facts : "");
}

static void
check (Parameters *parameters)
{
  MatrixEntry *matrix = find_matrix (parameters);
  const char *problem = matrix ? matrix_entry_get_problem (matrix) : NULL;
  g_autoptr (GError) error = NULL;

  if (! problem && ! filter_settings_check (parameters->settings, &error))
    problem = error->message;
  parameters->is_valid = ! problem;
  if (! problem)
    filter_settings_assign (parameters->valid, parameters->settings);
  if (matrix)
    tell_of_matrix (parameters, matrix, problem);
}

static void
tell (Parameters *parameters)
{
  if (parameters->quiet)
    return;
  check (parameters);
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

/* Numbers by themselves. */

static GtkWidget *
make_spin (Control *control, double value, double minimum, double step, guint digits)
{
  const FilterProperty *property = control->property;
  GtkWidget *spin;

  control->number = GTK_ADJUSTMENT (
    gtk_adjustment_new (value, minimum, property->maximum, step, step * (digits ? 10 : 5), 0));
  spin = gimp_spin_button_new (control->number, step, digits);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), TRUE);
  gtk_entry_set_width_chars (GTK_ENTRY (spin), SPIN_WIDTH);
  gimp_help_set_help_data (spin, _ (property->tooltip), NULL);
  return spin;
}

static void
change_plain_number (GtkAdjustment *adjustment, Control *control)
{
  change (control, gtk_adjustment_get_value (adjustment));
}

/* In a box, so that it is not as wide as the table. */
static void
make_plain_number (Control *control)
{
  control->widget = gtk_hbox_new (FALSE, 6);
  control->spin = make_spin (control, get_value (control), control->property->minimum, STEP,
                             DIGITS);
  gtk_box_pack_start (GTK_BOX (control->widget), control->spin, FALSE, FALSE, 0);
  g_signal_connect (control->number, "value-changed", G_CALLBACK (change_plain_number), control);
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
  GtkWidget *spin = make_spin (control, shown, 1.0, step, 0);
  GtkWidget *automatic = gtk_check_button_new_with_mnemonic (_ (property->automatic.label));

  gtk_widget_set_sensitive (spin, value != 0);
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
  if (control->property->automatic.get && is_automatic (control))
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

/* Sums of bits, which are automatic where there is none. */

static int
count_bits (const FilterProperty *property)
{
  int n = 0;

  while (property->bits[n].name)
    n++;
  return n;
}

static void
set_bits (Control *control, int value)
{
  gboolean quiet = control->parameters->quiet;
  int i;

  control->parameters->quiet = TRUE;
  for (i = 0; i < count_bits (control->property); i++)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (control->bits[i]), value >> i & 1);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (control->is_automatic), value == 0);
  control->parameters->quiet = quiet;
}

static void
change_bits (GtkToggleButton *button, Control *control)
{
  int value = 0, i;

  if (control->parameters->quiet)
    return;
  for (i = 0; i < count_bits (control->property); i++)
    value |= gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (control->bits[i])) << i;
  set_bits (control, value);
  change (control, value);
}

/* No longer automatic, it begins with all of them. */
static void
change_automatic_bits (GtkToggleButton *button, Control *control)
{
  int value = gtk_toggle_button_get_active (button) ? 0 : (int) control->property->maximum;

  if (control->parameters->quiet)
    return;
  set_bits (control, value);
  change (control, value);
}

static GtkWidget *
add_bit (Control *control, const char *label, const char *tooltip, GCallback changed)
{
  GtkWidget *button = gtk_check_button_new_with_mnemonic (label);

  gimp_help_set_help_data (button, tooltip, NULL);
  gtk_box_pack_start (GTK_BOX (control->widget), button, FALSE, FALSE, 0);
  g_signal_connect (button, "toggled", changed, control);
  return button;
}

static void
make_bits (Control *control)
{
  const FilterProperty *property = control->property;
  int n = count_bits (property), i;

  g_return_if_fail (n <= BITS_MAX);
  control->widget = gtk_hbox_new (FALSE, 6);
  for (i = 0; i < n; i++)
    control->bits[i] = add_bit (control, _ (property->bits[i].label), _ (property->tooltip),
                                G_CALLBACK (change_bits));
  control->is_automatic = add_bit (control, _ (property->automatic.label),
                                   _ (property->automatic.tooltip),
                                   G_CALLBACK (change_automatic_bits));
}

/* A matrix. */

static void
change_matrix (gpointer data)
{
  Control *control = data;

  filter_settings_set_matrix (control->parameters->settings, control->index,
                              matrix_entry_get (control->matrix));
  tell (control->parameters);
}

static void
make_matrix (Control *control)
{
  const FilterSettings *settings = control->parameters->settings;

  control->matrix = matrix_entry_new (control->property,
                                      filter_settings_get_matrix (settings, control->index),
                                      change_matrix, control);
  control->widget = matrix_entry_get_widget (control->matrix);
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

/* A whole number by itself, which no filter has yet, gets none. */
static void
make_control (Control *control)
{
  const FilterProperty *property = control->property;

  if (property->control == FILTER_CONTROL_PAIR)
    make_pair (control);
  else if (property->automatic.get)
    make_number (control);
  else if (property->bits)
    make_bits (control);
  else if (property->type == FILTER_NUMBER)
    make_plain_number (control);
  else if (property->type == FILTER_MATRIX)
    make_matrix (control);
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
  double number;
  int value;

  if (control->matrix)
    {
      matrix_entry_set (control->matrix, filter_settings_get_matrix (settings, control->index));
      return;
    }
  number = filter_settings_get (settings, control->index);
  value = (int) number;
  if (control->pair)
    set_pair (control, settings);
  else if (control->property->bits)
    set_bits (control, value);
  else if (control->is_automatic)
    set_number (control, value);
  else if (control->number)
    gtk_adjustment_set_value (control->number, number);
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
  if (! control->property->bits) /* each has its own mnemonic */
    gtk_label_set_mnemonic_widget (GTK_LABEL (label),
                                   control->spin ? control->spin : control->widget);
}

/* A matrix and pairs, then the table, then switches. */
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
    if (control->pair || control->matrix)
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
  parameters->valid = filter_settings_copy (settings);
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
  check (parameters);
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
    {
      pair_free (parameters->controls[i].pair);
      matrix_entry_free (parameters->controls[i].matrix);
    }
  g_free (parameters->controls);
  filter_settings_free (parameters->settings);
  filter_settings_free (parameters->valid);
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
  const Control *first = &parameters->controls[0];

  if (first->pair)
    pair_grab_focus (first->pair);
  else if (first->matrix)
    matrix_entry_grab_focus (first->matrix);
  else
    gtk_widget_grab_focus (first->widget);
}

const FilterSettings *
parameters_get (const Parameters *parameters)
{
  return parameters->valid;
}

gboolean
parameters_are_valid (const Parameters *parameters)
{
  return parameters->is_valid;
}
