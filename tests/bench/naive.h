/* A naive blur of RGB, 8-bit: size x size taps, integer weights, clamped edge; on the GPU, compiled
 * at run time, and on one thread of the CPU. Both give the same bytes. */
#pragma once

#include <glib.h>

/* The source of the kernel `naive` (naive.cu) for a size, odd, 1 to 61, and a sigma. Free it with
 * g_free. */
char *naive_get_source (int size, double sigma);

/* The same on the CPU. */
void naive_blur (int size, double sigma, const guint8 *in, guint8 *out, int width, int height);
