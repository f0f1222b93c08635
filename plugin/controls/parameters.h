/* The dialog's controls, one for each property of a filter: on top a matrix and pairs of numbers,
 * then a table of sliders and of controls with labels beside them, and then the switches. */
#pragma once

#include "filter.h"
#include "pair.h"
#include "value-control.h"

#include <gtk/gtk.h>

typedef struct Parameters Parameters;

/* Facts besides the filter that the controls depend on. */
typedef struct {
  gboolean coverage;        /* the drawable is a mask or a channel, to which light does not apply */
  const char *grow_refusal; /* a translated sentence: why the drawable cannot be enlarged; NULL if
                               it can. The caller's */
  PairNewFunc new_pair;     /* makes the control of a pair; NULL if the filter has none */
  gpointer pair_data;
  SliderNewFunc new_slider; /* makes a number with a slider; NULL if the filter has none */
  gboolean has_facts;       /* parameters_show_facts will be called for all settings */
} ParametersTarget;

/* Called when a control has changed the settings, or has made them invalid. */
typedef void (*ParametersChangedFunc) (gpointer data);

/* Creates controls for target that show settings; both are copied. Does not call changed. Never
 * returns NULL. */
Parameters *parameters_new (const ParametersTarget *target, const FilterSettings *settings,
                            ParametersChangedFunc changed, gpointer data);
void parameters_free (Parameters *parameters); /* free it after its widget; NULL is legal */

GtkWidget *parameters_get_widget (const Parameters *parameters);

/* Changes the target's grow_refusal. */
void parameters_set_grow_refusal (Parameters *parameters, const char *refusal);

/* Moves the keyboard focus to the first control. */
void parameters_grab_focus (Parameters *parameters);

/* Returns the settings of the controls. If they are invalid, returns the last valid ones. Owned by
 * parameters. */
const FilterSettings *parameters_get (const Parameters *parameters);

/* Returns whether the settings of the controls are valid. */
gboolean parameters_are_valid (const Parameters *parameters);

/* Shows below a matrix, unless the settings are invalid, what filter_settings_describe says of
 * them; facts may be NULL. To make it takes a plan, so it may come late. */
void parameters_show_facts (Parameters *parameters, const char *facts);

/* Sets all controls, and calls changed once. */
void parameters_set (Parameters *parameters, const FilterSettings *settings);
