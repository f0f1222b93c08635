/* Arithmetic over rows and columns of floats, for the processor's vector units. */
#pragma once

#include <glib.h>

/* Samples in one row of a block of columns: one or a few cache lines. */
#define FX_COLUMN 64

/* Returns the floats per row of a plane of width samples, with room for whole vectors. */
static inline gsize
fx_rows_get_pitch (int width)
{
  return ((gsize) width + FX_COLUMN - 1) & ~(gsize) (FX_COLUMN - 1);
}

/* out[i] += weight * row[i], for n samples. */
G_GNUC_INTERNAL void fx_row_accumulate (const float *row, float weight, gsize n, float *out);

/* out[i] = the sum over k of weights[k] * rows[k][i], for n samples, n a multiple of 64. */
G_GNUC_INTERNAL void fx_rows_combine (const float *const *rows, const float *weights, int taps,
                                      gsize n, float *out);

/* out[n * pitch + i] = the sum over k of weights[k] * in[n + k][i], for count rows of FX_COLUMN
 * samples; in has taps - 1 more rows than out. */
G_GNUC_INTERNAL void fx_column_convolve (const float (*in)[FX_COLUMN], const float *weights,
                                         int taps, int count, float *out, gsize pitch);

/* out[i] = the sum over k of weights[k] * in[i + k * step], for n samples, n a multiple of 256, and
 * step 1, 2 or 4: the samples of a pixel are adjacent, so that neighbouring sums at multiples of a
 * vector share their samples. in has (taps - 1) * step more samples than out. Each block of
 * FX_COLUMN results is stored pitch floats after the previous one. */
G_GNUC_INTERNAL void fx_row_convolve (const float *in, int step, const float *weights, int taps,
                                      gsize n, float *out, gsize pitch);

/* Returns the floats per pixel of fx_interleave: channels, or 4 for 3. */
static inline int
fx_interleave_get_step (int channels)
{
  return channels == 3 ? 4 : channels;
}

/* Converts n pixels between one plane per channel and pixels of step floats. With three channels,
 * the fourth float repeats the third. */
G_GNUC_INTERNAL void fx_interleave (float *const *planes, int channels, int n, float *pixels);
G_GNUC_INTERNAL void fx_deinterleave (const float *pixels, int channels, int n,
                                      float *const *planes);

/* Restores infinities in n results of a FIR. out[i] is the result for the taps samples that begin
 * at in[i], stride floats apart. Each out[i] that is not finite is replaced by the plain sum of
 * those of its samples that are not finite: an infinity of their sign, or NaN if both signs occur.
 * Without this, negative weights would flip the sign of infinities. Does not change a result that
 * overflowed from finite samples. */
void fx_rows_restore_infinities (const float *in, gsize stride, int taps, gsize n, float *out);
