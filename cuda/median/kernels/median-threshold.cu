/* Gives pixels of a result their colour back if it changes by no more than the threshold.
 * cpu-threshold.c does the same on the CPU.
 *
 * Constants to define before this file, in addition to those of image.cuh: THREADS of a block;
 * COMPARED, MEDIAN_STORED or MEDIAN_CODES; and for codes the curve of the samples. */

#include "cells.cuh"
#include "image.cuh"
#include "codes.h"

#define INTEGERS (SAMPLE == SAMPLE_U8 || SAMPLE == SAMPLE_U16 || SAMPLE == SAMPLE_U32)

#if COMPARED == MEDIAN_CODES
__device__ static inline float
find_light_code (const float *lights, sample_t sample)
{
  const float light = sample_in (sample);

  return (float) fx_light_codes_find (lights, light, gamma_from_linear (light));
}
#endif

/* Two infinities do not differ. */
__device__ static inline bool
differ (const MedianWindow &window, const float *lights, sample_t a, sample_t b)
{
#if COMPARED == MEDIAN_CODES
  return fabsf (find_light_code (lights, a) - find_light_code (lights, b)) > window.delta_u32;
#elif INTEGERS
  return (unsigned) (max (a, b) - min (a, b)) > window.delta_u32;
#else
  return fabsf (sample_in (a) - sample_in (b)) > window.delta;
#endif
}

/* Rows top to end - 1, columns left to right - 1. result is the address of the first pixel; width
 * pixels are a row. */
extern "C" __global__ void __launch_bounds__ (THREADS)
kernel (FxSource source, MedianWindow window, const float *lights, int left, int right, int top,
        int end, int width, stored_t *result)
{
  const int x = left + (int) blockIdx.x * THREADS + (int) threadIdx.x, y = top + (int) blockIdx.y;
  bool changes = false;

  if (x >= right || y >= end)
    return;

  stored_t *place = result + (long long) (y - top) * width + x - left, stored = *place;
  stored_t before = fetch (source, x, y);

#pragma unroll
  for (int c = 0; c < COLORS; c++)
    {
      before.v[c] = get_sample (get_code (before.v[c])); /* NaN becomes infinity */
      changes |= differ (window, lights, before.v[c], stored.v[c]);
    }
  if (changes)
    return;
#pragma unroll
  for (int c = 0; c < COLORS; c++)
    stored.v[c] = before.v[c];
  *place = stored;
}
