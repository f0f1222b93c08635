/* A picture to blur: the same one for everybody, made of integers alone so that another language
 * makes it bit for bit as well (peers.py does). */
#pragma once

#include <glib.h>

/* Gradients, hard edges, noise and, in its right part, soft and hard transparency. Returns width *
 * height pixels of R'G'B'A, 8-bit; free them with g_free. */
guint8 *picture_new (int width, int height);

/* The same without alpha. */
guint8 *picture_new_rgb (int width, int height);

/* The same in linear light, as floats of RGBA. */
float *picture_new_linear (int width, int height);
