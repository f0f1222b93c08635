/* Codes of linear light, by which filters compare perceptual values alike on every device. Shared
 * by kernels and the C code.
 *
 * A code is a perceptual value times FX_LIGHT_CODES_WHITE, rounded: that of light is the number of
 * those lights i, from 1 to FX_LIGHT_CODES_MAX, which are at most as bright. Light i is that of
 * (i - 1/2) / FX_LIGHT_CODES_WHITE, in single precision; before the first is -infinity, after the
 * last infinity. In sRGB, 4 times white's value is 25 times as bright; brighter ones count as
 * that. */
#ifndef FX_CODES_H
#define FX_CODES_H

#define FX_LIGHT_CODES_WHITE 65535
#define FX_LIGHT_CODES_MAX   (4 * FX_LIGHT_CODES_WHITE)
#define FX_LIGHT_CODES       (FX_LIGHT_CODES_MAX + 2) /* lights */

#ifdef __cplusplus
#define FX_CODES_INLINE __device__ static inline
#else
#define FX_CODES_INLINE static inline
#endif

/* Returns the code of light. value is nearly its perceptual value, so that the code is nearly
 * always the one near it, or else next to that. */
FX_CODES_INLINE int
fx_light_codes_find (const float *lights, float light, float value)
{
  const float near = value * FX_LIGHT_CODES_WHITE + 0.5f;
  int low = near > 0.0f ? near < FX_LIGHT_CODES_MAX ? (int) near : FX_LIGHT_CODES_MAX : 0;
  int high = low + 1;

  if (lights[low] <= light && light < lights[high])
    return low;
  if (high <= FX_LIGHT_CODES_MAX && lights[high] <= light && light < lights[high + 1])
    return high;
  if (light < lights[low] && lights[low - 1] <= light)
    return low - 1;
  low = 0;
  high = FX_LIGHT_CODES_MAX + 1;
  while (high - low > 1)
    {
      const int middle = (low + high) / 2;

      if (lights[middle] <= light)
        low = middle;
      else
        high = middle;
    }
  return low;
}

#endif
