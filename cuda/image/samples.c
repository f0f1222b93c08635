#include "samples.h"

#include "bits.h"
#include "vector.h"

#include <math.h>
#include <string.h>

/* The compiler vectorises the loop over a constant number of channels. */
#define CASE(function, count)             \
  case count:                             \
    function (pixels, count, n, samples); \
    break;

#define DEFINE_LOOP(name, member, type, statement)                                   \
  static FX_INLINE void name##_channels_##member (type *pixels, int channels, int n, \
                                                  FxSamples *samples)                \
  {                                                                                  \
    for (int i = 0; i < n; i++)                                                      \
      for (int c = 0; c < channels; c++)                                             \
        statement;                                                                   \
  }                                                                                  \
                                                                                     \
  FX_VECTORISED static void name##_##member (gpointer pixels, int channels, int n,   \
                                             FxSamples *samples)                     \
  {                                                                                  \
    switch (channels)                                                                \
      {                                                                              \
        CASE (name##_channels_##member, 1)                                           \
        CASE (name##_channels_##member, 2)                                           \
        CASE (name##_channels_##member, 3)                                           \
        CASE (name##_channels_##member, 4)                                           \
      }                                                                              \
  }

#define DEFINE_INTERLEAVE(member, type)                                               \
  DEFINE_LOOP (split, member, type, samples->member[c][i] = pixels[i * channels + c]) \
  DEFINE_LOOP (merge, member, type, pixels[i * channels + c] = samples->member[c][i])

DEFINE_INTERLEAVE (u8, guint8)
DEFINE_INTERLEAVE (u16, guint16)
DEFINE_INTERLEAVE (u32, guint32)
DEFINE_INTERLEAVE (u64, guint64)

/* Functions by the size of a sample. */
typedef void (*Interleave) (gpointer pixels, int channels, int n, FxSamples *samples);

void
fx_samples_split (const FxFormat *format, const void *pixels, int n, FxSamples *samples)
{
  static const Interleave split[] = {
    [1] = split_u8, [2] = split_u16, [4] = split_u32, [8] = split_u64
  };

  split[fx_sample_size (format->sample)]((gpointer) pixels, format->channels, n, samples);
}

void
fx_samples_merge (const FxFormat *format, const FxSamples *samples, int n, void *pixels)
{
  static const Interleave merge[] = {
    [1] = merge_u8, [2] = merge_u16, [4] = merge_u32, [8] = merge_u64
  };

  merge[fx_sample_size (format->sample)](pixels, format->channels, n, (FxSamples *) samples);
}

/* Conversion between one channel of samples and floats. */

FX_VECTORISED void
fx_samples_load (FxSample sample, const FxSamples *samples, int channel, int n, float *plane)
{
  switch (sample)
    {
    case FX_SAMPLE_U8:
      for (int i = 0; i < n; i++)
        plane[i] = samples->u8[channel][i] * (1.0f / 255.0f);
      break;
    case FX_SAMPLE_U16:
      for (int i = 0; i < n; i++)
        plane[i] = samples->u16[channel][i] * (1.0f / 65535.0f);
      break;
    case FX_SAMPLE_U32:
      for (int i = 0; i < n; i++)
        plane[i] = (float) (samples->u32[channel][i] * (1.0 / 4294967295.0));
      break;
    case FX_SAMPLE_HALF:
      for (int i = 0; i < n; i++)
        plane[i] = half_to_float (samples->u16[channel][i]);
      break;
    case FX_SAMPLE_FLOAT:
      memcpy (plane, samples->u32[channel], n * sizeof (float));
      break;
    case FX_SAMPLE_DOUBLE:
      for (int i = 0; i < n; i++)
        plane[i] = (float) double_from_bits (samples->u64[channel][i]);
      break;
    }
}

/* Replaces NaN, which is the sum of infinities of both signs, by an infinity: NaN is never
 * stored. */
static inline float
to_number (float x)
{
  return x == x ? x : INFINITY;
}

FX_VECTORISED void
fx_samples_store (FxSample sample, const float *plane, int channel, int n, FxSamples *samples)
{
  switch (sample)
    {
    case FX_SAMPLE_U8:
      for (int i = 0; i < n; i++)
        samples->u8[channel][i] = (guint8) (gint32) (fx_clamp_unit (plane[i]) * 255.0f + 0.5f);
      break;
    case FX_SAMPLE_U16:
      for (int i = 0; i < n; i++)
        samples->u16[channel][i] = (guint16) (gint32) (fx_clamp_unit (plane[i]) * 65535.0f + 0.5f);
      break;
    case FX_SAMPLE_U32:
      for (int i = 0; i < n; i++)
        samples->u32[channel][i] = (guint32) (gint64) (fx_clamp_unit (plane[i]) * 4294967295.0 +
                                                       0.5);
      break;
    case FX_SAMPLE_HALF:
      for (int i = 0; i < n; i++)
        samples->u16[channel][i] = float_to_half (to_number (plane[i]));
      break;
    case FX_SAMPLE_FLOAT:
      for (int i = 0; i < n; i++)
        samples->u32[channel][i] = bits_from_float (to_number (plane[i]));
      break;
    case FX_SAMPLE_DOUBLE:
      for (int i = 0; i < n; i++)
        samples->u64[channel][i] = bits_from_double (to_number (plane[i]));
      break;
    }
}
