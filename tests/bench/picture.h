/* A picture to blur: the same one for everybody, made of integers alone so that another language
 * makes it bit for bit as well (peers.py does). */
#pragma once

#include "format.h"

/* Returns width * height pixels of RGBA as FX_SAMPLE_U8 or FX_SAMPLE_U16, stored in sRGB's gamma,
 * or as FX_SAMPLE_FLOAT in linear light; free them with g_free. opaque: with an alpha of 1
 * everywhere.
 */
gpointer picture_new (FxSample sample, gboolean opaque, int width, int height);
