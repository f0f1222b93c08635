/* An image of noise in host memory, 8-bit RGBA with sRGB's curve, with memory for its result. */
#pragma once

#include "memory.h"

typedef struct {
  int width, height;
  gsize size; /* bytes of source, and of result */
  guint8 *source, *result;
  Memory memory; /* the two as an image */
} Noise;

/* Create an image of width x height pixels of random noise, and a copy of noise, which has memory
 * of its own. Free them with noise_free. */
Noise *noise_new (int width, int height);
Noise *noise_copy (const Noise *noise);
void noise_free (Noise *noise);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Noise, noise_free)

/* Fails the test if a sample of the results differs by more than one level, which is the most that
 * the engine's two devices may differ. Ignores pixels whose alpha in a is below 8. */
void noise_check_same (const Noise *a, const Noise *b);
