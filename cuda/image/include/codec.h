/* Rows of stored samples <-> planes of premultiplied floats in the light of the blur, on the CPU.
 * kernels/pixel.cuh does the same on the GPU. */
#ifndef FX_CODEC_H
#define FX_CODEC_H

#include "plan.h"

G_BEGIN_DECLS

/* Reads n pixels of plan->format into planes, one a channel. */
void fx_codec_decode (const BlurPlan *plan, const void *pixels, int n, float *const *planes);

/* The inverse, rounding to the nearest; integers are clamped to their range. Uses planes as scratch
 * space. */
void fx_codec_encode (const BlurPlan *plan, float *const *planes, int n, void *pixels);

G_END_DECLS

#endif
