/* Declarations shared by the kernel of a selective blur, and the C code. */
#ifndef SELECTIVE_ARGS_H
#define SELECTIVE_ARGS_H

#define SELECTIVE_REACH_MAX 200 /* as SELECTIVE_RADIUS_MAX */

/* Which values of two pixels are compared. */
#define SELECTIVE_STORED 0 /* their samples: integers as integers, others as floats */
#define SELECTIVE_CODES  1 /* the codes of linear samples */
#define SELECTIVE_VALUES 2 /* perceptual values, times scale */

/* A code is a perceptual value times SELECTIVE_WHITE, rounded: that of light is the number of
 * those lights i, from 1 to SELECTIVE_CODE_MAX, which are at most as bright. Light i is that of
 * (i - 1/2) / SELECTIVE_WHITE, in single precision; before the first is -infinity, after the last
 * infinity. In sRGB, 4 times white's value is 25 times as bright; brighter ones count as that. */
#define SELECTIVE_WHITE    65535
#define SELECTIVE_CODE_MAX (4 * SELECTIVE_WHITE)
#define SELECTIVE_LIGHTS   (SELECTIVE_CODE_MAX + 2)

typedef struct {
  float weights[SELECTIVE_REACH_MAX + 1]; /* by distance along an axis; their sum over the window's
                                             side is 1 */
  int radius;
  float delta;        /* the largest difference that counts */
  unsigned delta_u32; /* likewise, of 32-bit integers */
  float scale;        /* by which Soft multiplies values before it compares them: the similarity is
                         2 to the power of minus the squared distance */
  float unscale;      /* by which the mean is multiplied if what is compared is averaged, too */
} SelectiveWindow;

/* The rows of the source that a launch goes through: low to high - 1, counted from the first row of
 * a block. The sums of those before and after are in sums: plane n, of pitch floats, has sum n of
 * every thread, block by block and row by row, with across blocks in a row. */
typedef struct {
  float *sums;
  int low, high, across, pitch;
} SelectiveRows;

#ifdef __cplusplus
#define SELECTIVE_INLINE __device__ static inline
#else
#define SELECTIVE_INLINE static inline
#endif

/* Returns the code of light. value is nearly its perceptual value, so that the code is nearly
 * always the one near it, or else next to that. */
SELECTIVE_INLINE int
selective_find_code (const float *lights, float light, float value)
{
  const float near = value * SELECTIVE_WHITE + 0.5f;
  int low = near > 0.0f ? near < SELECTIVE_CODE_MAX ? (int) near : SELECTIVE_CODE_MAX : 0;
  int high = low + 1;

  if (lights[low] <= light && light < lights[high])
    return low;
  if (high <= SELECTIVE_CODE_MAX && lights[high] <= light && light < lights[high + 1])
    return high;
  if (light < lights[low] && lights[low - 1] <= light)
    return low - 1;
  low = 0;
  high = SELECTIVE_CODE_MAX + 1;
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
