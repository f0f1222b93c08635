/* The dialog's controls, one for each property of a filter: a matrix and pairs of numbers on top,
 * below them a table of what has a label beside it, and then the switches. */
#ifndef PARAMETERS_H
#define PARAMETERS_H

#include "filter.h"
#include "render-target.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct Parameters Parameters;

/* Called when a control has changed the settings, or made some that cannot be. */
typedef void (*ParametersChangedFunc) (gpointer data);

Parameters *parameters_new (const RenderTarget *target, const FilterSettings *settings,
                            ParametersChangedFunc changed, gpointer data);
void parameters_free (Parameters *parameters); /* after its widget; NULL is legal */

GtkWidget *parameters_get_widget (const Parameters *parameters);

/* Gives the keyboard to the first control. */
void parameters_grab_focus (Parameters *parameters);

/* What the controls say; while they say what cannot be, what they said before. */
const FilterSettings *parameters_get (const Parameters *parameters);

/* Whether what they say can be. */
gboolean parameters_are_valid (const Parameters *parameters);

/* Sets all controls, and tells of it once if anything changes. */
void parameters_set (Parameters *parameters, const FilterSettings *settings);

G_END_DECLS

#endif
