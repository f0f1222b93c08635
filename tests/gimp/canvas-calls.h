/* The canvas in this process, for the tests in a window. The results are texts to be freed. */
#pragma once

#include <glib.h>

/* Shows a preview of drawable, hides it, and has it show a blur of both sigmas, which is that many
 * pixels; takes pixels. */
char *canvas_calls_show (gint32 drawable);
char *canvas_calls_hide (void);
char *canvas_calls_set (gint32 drawable, double sigma, gboolean grow, gpointer pixels);
