#include "parameters.h"

#include "matrix-entry.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

#define ROWS 11 /* of a table, at most */

/* The control of one property. Members that do not apply are NULL. */
typedef struct {
  Parameters *parameters;
  const FilterProperty *property;
  guint index; /* the property's index */
  Pair *pair;  /* for this property and the next one */
  MatrixEntry *matrix;
  ValueControl *value;
  GtkWidget *widget; /* the widget of one of these */
} Control;

struct Parameters {
  ParametersTarget target;
  const FilterDescription *filter;
  FilterSettings *settings; /* the controls' settings */
  FilterSettings *valid;    /* the last valid settings */
  gboolean is_valid;        /* the controls' settings are valid */
  ParametersChangedFunc changed;
  gpointer data;
  gboolean quiet; /* the controls are being set: do not call changed */
  GtkWidget *widget;
  Control *controls; /* one for each property */
};

static MatrixEntry *
find_matrix (const Parameters *parameters)
{
  for (guint i = 0; i < parameters->filter->n_properties; i++)
    if (parameters->controls[i].matrix)
      return parameters->controls[i].matrix;
  return NULL;
}

void
parameters_show_facts (Parameters *parameters, const char *facts)
{
  MatrixEntry *matrix = find_matrix (parameters);

  if (matrix && parameters->is_valid)
    matrix_entry_set_message (matrix, facts ? facts : "");
}

/* Shows below the matrix why the settings are invalid, or facts about them; those that come late
 * replace older ones, or nothing. A dialog without a matrix has only valid settings. */
static void
notify_of_matrix (Parameters *parameters, MatrixEntry *matrix, const char *problem,
                  gboolean was_valid)
{
  gboolean late = parameters->target.has_facts;
  g_autofree char *facts = problem || late ? NULL
                                           : filter_settings_describe (parameters->settings, NULL);

  if (problem)
    matrix_entry_set_message (matrix, problem);
  else if (! late || ! was_valid)
    parameters_show_facts (parameters, facts);
}

/* Returns why a property has no effect on the drawable; NULL if it has one. */
static const char *
get_refusal (const FilterProperty *property, const ParametersTarget *target)
{
  switch (property->role)
    {
    case FILTER_ROLE_LIGHT:
      return target->coverage ? _ ("Light has no effect on layer masks and channels") : NULL;
    case FILTER_ROLE_HIGHLIGHTS:
      return target->coverage ? _ ("Layer masks and channels have no highlights") : NULL;
    case FILTER_ROLE_GROW:
      return target->grow_refusal;
    default:
      return NULL;
    }
}

/* Disables a control without an effect on the drawable, which says why, or with the chosen kind,
 * the first property. */
static void
admit (const Control *control)
{
  const FilterProperty *property = control->property;
  const char *refusal = get_refusal (property, &control->parameters->target);

  if (! control->widget || (property->role == FILTER_ROLE_NONE && ! property->kinds))
    return;
  gtk_widget_set_sensitive (control->widget,
                            ! refusal &&
                              filter_settings_use (control->parameters->settings, control->index));
  gimp_help_set_help_data (control->widget, refusal ? refusal : _ (property->tooltip), NULL);
}

static void
admit_all (const Parameters *parameters)
{
  for (guint i = 0; i < parameters->filter->n_properties; i++)
    admit (&parameters->controls[i]);
}

static void
parameters_check (Parameters *parameters)
{
  MatrixEntry *matrix = find_matrix (parameters);
  const char *problem = matrix ? matrix_entry_get_problem (matrix) : NULL;
  gboolean was_valid;
  g_autoptr (GError) error = NULL;

  if (! problem && ! filter_settings_check (parameters->settings, &error))
    problem = error->message;
  admit_all (parameters);
  was_valid = parameters->is_valid;
  parameters->is_valid = ! problem;
  if (! problem)
    filter_settings_assign (parameters->valid, parameters->settings);
  if (matrix)
    notify_of_matrix (parameters, matrix, problem, was_valid);
}

static void
parameters_notify (Parameters *parameters)
{
  if (parameters->quiet)
    return;
  parameters_check (parameters);
  parameters->changed (parameters->data);
}

/* Single values. */

static void
change_value (gpointer data, double value)
{
  const Control *control = data;

  filter_settings_set (control->parameters->settings, control->index, value);
  parameters_notify (control->parameters);
}

static void
make_value (Control *control)
{
  const Parameters *parameters = control->parameters;

  control->value = value_control_new (control->property, parameters->settings,
                                      parameters->target.new_slider, change_value, control);
  if (control->value)
    control->widget = value_control_get_widget (control->value);
}

/* Pairs. */

static void
take_pair (Control *control)
{
  Parameters *parameters = control->parameters;

  filter_settings_set (parameters->settings, control->index, control->pair->values[0]);
  filter_settings_set (parameters->settings, control->index + 1, control->pair->values[1]);
  for (guint i = 0; i < parameters->filter->n_properties; i++)
    if (parameters->controls[i].value)
      value_control_update (parameters->controls[i].value);
}

static void
change_pair (gpointer data)
{
  Control *control = data;

  take_pair (control);
  parameters_notify (control->parameters);
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
  control->pair = parameters->target.new_pair (control->property, values, change_pair, control,
                                               parameters->target.pair_data);
  control->widget = control->pair->widget;
}

static void
set_pair (Control *control, const FilterSettings *settings)
{
  double values[2], before[2];

  get_pair (settings, control->index, values);
  get_pair (control->parameters->settings, control->index, before);
  control->pair->set (control->pair, values);
  if (values[0] != before[0] || values[1] != before[1])
    take_pair (control);
}

/* A matrix. */

static void
change_matrix (gpointer data)
{
  Control *control = data;

  filter_settings_set_matrix (control->parameters->settings, control->index,
                              matrix_entry_get (control->matrix));
  parameters_notify (control->parameters);
}

static void
parameters_make_matrix (Control *control)
{
  const FilterSettings *settings = control->parameters->settings;

  control->matrix = matrix_entry_new (control->property,
                                      filter_settings_get_matrix (settings, control->index),
                                      change_matrix, control);
  control->widget = matrix_entry_get_widget (control->matrix);
}

/* All of them. */

void
parameters_set_grow_refusal (Parameters *parameters, const char *refusal)
{
  parameters->target.grow_refusal = refusal;
  admit_all (parameters);
}

static void
make_control (Control *control)
{
  const FilterProperty *property = control->property;

  if (property->pair)
    make_pair (control);
  else if (property->type == FILTER_MATRIX)
    parameters_make_matrix (control);
  else
    make_value (control);
  admit (control);
}

static void
set_control (Control *control, const FilterSettings *settings)
{
  if (control->pair)
    set_pair (control, settings);
  else if (control->matrix)
    matrix_entry_set (control->matrix, filter_settings_get_matrix (settings, control->index));
  else if (control->value)
    value_control_set (control->value, filter_settings_get (settings, control->index));
}

static void
set_controls (Parameters *parameters, const FilterSettings *settings)
{
  for (guint i = 0; i < parameters->filter->n_properties; i++)
    set_control (&parameters->controls[i], settings);
}

/* A slider has its label inside. */
static void
attach_slider (const Control *control, GtkWidget *table, guint row)
{
  gtk_table_attach (GTK_TABLE (table), control->widget, 0, 2, row, row + 1, GTK_EXPAND | GTK_FILL,
                    GTK_FILL, 0, 0);
}

static GtkWidget *
parameters_make_label (const Control *control)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (_ (control->property->label));
  GtkWidget *to = value_control_get_mnemonic_widget (control->value);

  gtk_misc_set_alignment (GTK_MISC (label), 0.0, 0.5);
  if (to)
    gtk_label_set_mnemonic_widget (GTK_LABEL (label), to);
  return label;
}

static void
attach_labelled (const Control *control, GtkWidget *table, guint row, GtkWidget *widget)
{
  gtk_table_attach (GTK_TABLE (table), parameters_make_label (control), 0, 1, row, row + 1,
                    GTK_FILL, GTK_FILL, 0, 0);
  gtk_table_attach (GTK_TABLE (table), widget, 1, 2, row, row + 1, GTK_EXPAND | GTK_FILL, GTK_FILL,
                    0, 0);
}

/* Returns whether there is a control, and it is a number without a slider, of which two fit into a
 * row. */
static gboolean
is_short (const Control *control)
{
  return control && control->value && control->property->type == FILTER_NUMBER &&
         control->property->slider.step == 0.0;
}

static void
attach_two (const Control *control, const Control *next, GtkWidget *table, guint row)
{
  GtkWidget *box = gtk_hbox_new (FALSE, 6);

  gtk_box_pack_start (GTK_BOX (box), control->widget, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), parameters_make_label (next), FALSE, FALSE, 6);
  gtk_box_pack_start (GTK_BOX (box), next->widget, FALSE, FALSE, 0);
  attach_labelled (control, table, row, box);
}

/* Returns the control at that place; NULL after the last one. */
static const Control *
get_shown (const Parameters *parameters, guint place)
{
  return place < parameters->filter->n_properties
           ? &parameters->controls[filter_get_shown (parameters->filter, place)]
           : NULL;
}

/* Attaches the control at *place to a row, and the next one, too, if two fit. Returns how many rows
 * that took: none if the control is not in a table. */
static guint
attach (const Parameters *parameters, const Control *control, guint *place, GtkWidget *table,
        guint row)
{
  if (! control->widget || control->pair || control->matrix ||
      control->property->type == FILTER_SWITCH)
    return 0;
  if (control->property->slider.step > 0.0)
    attach_slider (control, table, row);
  else if (is_short (control) && is_short (get_shown (parameters, *place + 1)))
    attach_two (control, get_shown (parameters, ++*place), table, row);
  else
    attach_labelled (control, table, row, control->widget);
  return 1;
}

static GtkWidget *
add_table (GtkWidget *tables)
{
  GtkWidget *table = gtk_table_new (1, 2, FALSE);

  gtk_table_set_row_spacings (GTK_TABLE (table), 6);
  gtk_table_set_col_spacings (GTK_TABLE (table), 6);
  gtk_box_pack_start (GTK_BOX (tables), table, TRUE, TRUE, 0);
  return table;
}

/* Packs a matrix and pairs first, then tables side by side, then switches. The window must fit on a
 * small screen. */
static void
parameters_arrange (Parameters *parameters)
{
  GtkBox *box = GTK_BOX (parameters->widget);
  GtkWidget *tables = gtk_hbox_new (FALSE, 12), *table = NULL;
  const Control *control;
  guint row = ROWS;

  for (guint place = 0; (control = get_shown (parameters, place)); place++)
    {
      if (row == ROWS)
        {
          table = add_table (tables);
          row = 0;
        }
      row += attach (parameters, control, &place, table, row);
    }
  for (guint place = 0; (control = get_shown (parameters, place)); place++)
    if (control->pair || control->matrix)
      gtk_box_pack_start (box, control->widget, control->matrix != NULL, TRUE, 0);
  gtk_box_pack_start (box, tables, FALSE, FALSE, 0);
  for (guint place = 0; (control = get_shown (parameters, place)); place++)
    if (control->property->type == FILTER_SWITCH)
      gtk_box_pack_start (box, control->widget, FALSE, FALSE, 0);
}

void
parameters_set (Parameters *parameters, const FilterSettings *settings)
{
  parameters->quiet = TRUE;
  set_controls (parameters, settings);
  filter_settings_assign (parameters->settings, settings); /* exactly, although controls may
                                                              round */
  parameters->quiet = FALSE;
  parameters_notify (parameters);
}

Parameters *
parameters_new (const ParametersTarget *target, const FilterSettings *settings,
                ParametersChangedFunc changed, gpointer data)
{
  Parameters *parameters = g_new0 (Parameters, 1);
  guint n;

  parameters->target = *target;
  parameters->filter = filter_settings_get_filter (settings);
  parameters->settings = filter_settings_copy (settings);
  parameters->valid = filter_settings_copy (settings);
  parameters->changed = changed;
  parameters->data = data;
  parameters->quiet = TRUE;
  parameters->widget = gtk_vbox_new (FALSE, 6);
  n = parameters->filter->n_properties;
  parameters->controls = g_new0 (Control, n);
  for (guint i = 0; i < n; i++)
    {
      parameters->controls[i] = (Control) { parameters, &parameters->filter->properties[i], i };
      if (i == 0 || ! parameters->controls[i - 1].pair)
        make_control (&parameters->controls[i]);
    }
  parameters_arrange (parameters);
  set_controls (parameters, settings);
  filter_settings_assign (parameters->settings, settings);
  parameters_check (parameters);
  parameters->quiet = FALSE;
  gtk_widget_show_all (parameters->widget);
  return parameters;
}

void
parameters_free (Parameters *parameters)
{
  if (! parameters)
    return;
  for (guint i = 0; i < parameters->filter->n_properties; i++)
    {
      g_free (parameters->controls[i].pair);
      matrix_entry_free (parameters->controls[i].matrix);
      value_control_free (parameters->controls[i].value);
    }
  g_free (parameters->controls);
  filter_settings_free (parameters->settings);
  filter_settings_free (parameters->valid);
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
    first->pair->grab_focus (first->pair);
  else if (first->matrix)
    matrix_entry_grab_focus (first->matrix);
  else
    gtk_widget_grab_focus (value_control_get_mnemonic_widget (first->value));
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
