/* Converts samples of every type between pixels, arrays per channel and floats, one piece of a row
 * at a time. */
#pragma once

#include "format.h"

#define FX_PIECE 256 /* pixels processed at a time, which stay in the L1 cache */

/* The samples of a piece, one array per channel. */
typedef union {
  guint8 u8[4][FX_PIECE];
  guint16 u16[4][FX_PIECE];
  guint32 u32[4][FX_PIECE]; /* also float */
  guint64 u64[4][FX_PIECE]; /* also double */
} FxSamples;

/* NaN becomes 0, because a comparison with it is false. */
static inline float
fx_clamp_unit (float x)
{
  return MIN (MAX (x, 0.0f), 1.0f);
}

/* Convert between n pixels, at most FX_PIECE, and samples. */
G_GNUC_INTERNAL void fx_samples_split (const FxFormat *format, const void *pixels, int n,
                                       FxSamples *samples);
G_GNUC_INTERNAL void fx_samples_merge (const FxFormat *format, const FxSamples *samples, int n,
                                       void *pixels);

/* Convert between n samples of a channel and floats; storing rounds to nearest and clamps integers
 * to their range. */
G_GNUC_INTERNAL void fx_samples_load (FxSample sample, const FxSamples *samples, int channel, int n,
                                      float *plane);
G_GNUC_INTERNAL void fx_samples_store (FxSample sample, const float *plane, int channel, int n,
                                       FxSamples *samples);
