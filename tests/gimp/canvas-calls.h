/* The canvas in this process, for Python. Texts are "ok", or what is wrong. */
#pragma once

#include <libgimp/gimp.h>

#include "filters.h"

/* Settings of the Gaussian blur, with nothing beyond the edge, on the CPU. */
FilterSettings *canvas_calls_make_settings (double sigma_x, double sigma_y, gboolean grow);

/* Shows a preview of drawable, and forgets what went over the wire before. */
const char *canvas_calls_show (gint32 drawable);
void canvas_calls_hide (void);

/* Returns why the canvas cannot show drawable. */
const char *canvas_calls_get_refusal (gint32 drawable);

/* Sets a blur of drawable, as canvas_set does, whose pixels have that many bytes, and changes the
 * part of that place and size. grow: from 2 on, the columns by which it grows on each side. */
const char *canvas_calls_set (double sigma_x, double sigma_y, int grow, int x, int y, int width,
                              int height, const char *pixels, int size);

/* Writes all that is set, or a tile of it. Returns whether there is "more", or nothing ("done"), or
 * the canvas is "lost". removed: a layer to remove before a canvas looks for the second time
 * whether its layer is there, or -1. */
const char *canvas_calls_write (gboolean all, gint32 removed);

/* Shows a preview of drawable and takes it away again; kills this process instead of sending GIMP
 * the message of that number. */
void canvas_calls_die (gint32 drawable, int message);
