/* Colour profiles with any curve. */
#pragma once

#include <gegl.h>

/* A space with sRGB's primaries and a curve of n samples, 0 to 65535, from stored 0 to 1. */
const Babl *icc_make_space (const guint16 *table, guint n);
