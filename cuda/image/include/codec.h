/* Rows of stored samples <-> planes of premultiplied floats in the light of the blur, on the CPU.
 * kernels/pixel.cuh does the same on the GPU. */
#ifndef BLUR_SAMPLE_H
#define BLUR_SAMPLE_H

#include "plan.h"

G_BEGIN_DECLS

/* Reads n pixels of plan->format into planes, one a channel. */
void blur_sample_decode (const BlurPlan *plan, const void *pixels, int n, float *const *planes);

/* The inverse, rounding to the nearest; integers are clamped to their range. Uses planes as scratch
 * space. */
void blur_sample_encode (const BlurPlan *plan, float *const *planes, int n, void *pixels);

G_END_DECLS

#endif
