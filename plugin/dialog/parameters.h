/* The dialog's controls: all that a caller of the procedure may choose. */
#ifndef PARAMETERS_H
#define PARAMETERS_H

#include "render.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct Parameters Parameters;

/* Called when a control has changed the settings. */
typedef void (*ParametersChangedFunc) (gpointer data);

Parameters *parameters_new (const RenderTarget *target, const RenderSettings *settings,
                            ParametersChangedFunc changed, gpointer data);
void parameters_free (Parameters *parameters); /* after its widget; NULL is legal */

GtkWidget *parameters_get_widget (const Parameters *parameters);

/* Gives the keyboard to sigma. */
void parameters_grab_focus (Parameters *parameters);

const RenderSettings *parameters_get (const Parameters *parameters);

/* Sets all controls, and tells of it once if anything changes. */
void parameters_set (Parameters *parameters, const RenderSettings *settings);

G_END_DECLS

#endif
