/* A picture to blur: the same one for everybody, made of integers alone so that another language
 * makes it bit for bit as well (peers.py does). */
#pragma once

#include "format.h"

/* Returns gradients, hard edges, noise and, in the right part, soft and hard transparency: width *
 * height pixels of R'G'B'A, 8-bit; free them with g_free. */
guint8 *picture_new (int width, int height);

/* The same as FX_SAMPLE_U8 or FX_SAMPLE_U16, stored in sRGB's gamma, or as FX_SAMPLE_FLOAT in
 * linear light. opaque: with an alpha of 1 everywhere. */
gpointer picture_new_samples (FxSample sample, gboolean opaque, int width, int height);
