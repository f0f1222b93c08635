/* Sums along rows (FocusSums). Constants to define before this file: KEEP, if there are sums of
 * weights, INTEGERS, FLOATING. */

#include "lens-args.h"

#define NUMBERS (CHANNELS + KEEP)

#if INTEGERS
typedef unsigned sum_t;
#else
typedef double sum_t;
#endif

/* The words of a place. */
#if NUMBERS == 5
struct numbers_t { unsigned v[5]; };
#elif NUMBERS == 3
struct __align__ (16) numbers_t { unsigned v[4]; };
#else
struct __align__ (4 * NUMBERS) numbers_t { unsigned v[NUMBERS]; };
#endif

/* Reads a place at once: as members of a struct, its words would be read one by one. */
__device__ static inline numbers_t
load (const numbers_t *place)
{
#if NUMBERS == 3 || NUMBERS == 4
  const float4 all = *(const float4 *) place;

  return numbers_t { { __float_as_uint (all.x), __float_as_uint (all.y), __float_as_uint (all.z),
                       __float_as_uint (all.w) } };
#else
  return *place;
#endif
}
