/* Cells, and sums of them. */

#include "pyramid-args.h"

/* These read and write a cell at once: as members of a struct, its floats would be read one by one.
 */
__device__ static inline pixel_t
load (const pixel_t *place)
{
#if CHANNELS == 4
  const float4 all = *(const float4 *) place;

  return pixel_t { { all.x, all.y, all.z, all.w } };
#else
  return *place;
#endif
}

__device__ static inline void
store (const pixel_t &cell, pixel_t *place)
{
#if CHANNELS == 4
  *(float4 *) place = float4 { cell.v[0], cell.v[1], cell.v[2], cell.v[3] };
#else
  *place = cell;
#endif
}

__device__ static inline void
add (const pixel_t &cell, float weight, pixel_t &sum)
{
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    sum.v[c] += weight * cell.v[c];
}

/* Copies a level to shared memory, where its weights can be found by a number. All threads of a
 * block must call this. */
__device__ static inline void
share (const FocusLevel &given, FocusLevel &level)
{
  if (threadIdx.x == 0)
    level = given;
  __syncthreads ();
}
