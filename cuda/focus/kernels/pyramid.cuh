/* The cells of levels. */

#include "sums.cuh"
#include "pyramid-args.h"

/* Copies a level to shared memory, where its weights can be found by a number. All threads of a
 * block must call this. */
__device__ static inline void
share (const FocusLevel &given, FocusLevel &level)
{
  if (threadIdx.x == 0)
    level = given;
  __syncthreads ();
}
