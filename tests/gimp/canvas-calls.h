/* The canvas in this process, for Python. The results are texts to be freed: "ok", or what is
 * wrong. */
#pragma once

#include "filters.h"

/* Shows a preview of drawable, and forgets what went over the wire before. */
char *canvas_calls_show (gint32 drawable);
char *canvas_calls_hide (void);

/* Returns why the canvas cannot show drawable. */
char *canvas_calls_get_refusal (gint32 drawable);

/* Sets a blur of drawable, as canvas_set does; takes pixels. grow: from 2 on, the columns by which
 * it grows on each side. */
char *canvas_calls_set (double sigma_x, double sigma_y, int grow, const FxRect *changed,
                        gpointer pixels);

/* Writes all that is set, or a tile of it. Returns whether there is "more", or nothing ("done"), or
 * the canvas is "lost". removed: a layer to remove before a canvas looks for the second time
 * whether its layer is there, or -1. */
char *canvas_calls_write (gboolean all, gint32 removed);
