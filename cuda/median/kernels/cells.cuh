/* What the kernels of a median blur rank: cells, each the order code of a sample with the weight of
 * its pixel.
 *
 * Constants to define before this file: those of pixel.cuh. */

#include "pixel.cuh"
#include "median-args.h"

#if SAMPLE == SAMPLE_U8
typedef unsigned char code_t, weight_t;
#elif SAMPLE == SAMPLE_U16 || SAMPLE == SAMPLE_HALF
typedef unsigned short code_t, weight_t;
#elif SAMPLE == SAMPLE_DOUBLE
typedef unsigned long long code_t, weight_t;
#else
typedef unsigned code_t, weight_t;
#endif

/* One word or two, which a thread reads at once. Without alpha, all weights are 1. */
#if ALPHA
struct __align__ (2 * sizeof (code_t)) cell_t {
  code_t code;
  weight_t weight;
};
#else
struct cell_t { code_t code; };
#endif

__device__ static inline unsigned
get_weight (const cell_t &cell)
{
#if ALPHA
  return (unsigned) cell.weight;
#else
  return 1;
#endif
}

__device__ static inline code_t
get_code (sample_t sample)
{
#if SAMPLE == SAMPLE_HALF
  return median_order_half (sample);
#elif SAMPLE == SAMPLE_FLOAT
  return median_order_float (__float_as_uint (sample));
#elif SAMPLE == SAMPLE_DOUBLE
  return median_order_double ((unsigned long long) __double_as_longlong (sample));
#else
  return sample;
#endif
}

__device__ static inline sample_t
get_sample (code_t code)
{
#if SAMPLE == SAMPLE_HALF
  return median_restore_half (code);
#elif SAMPLE == SAMPLE_FLOAT
  return __uint_as_float (median_restore_float (code));
#elif SAMPLE == SAMPLE_DOUBLE
  return __longlong_as_double ((long long) median_restore_double (code));
#else
  return code;
#endif
}

__device__ static inline unsigned
weigh (sample_t alpha)
{
#if SAMPLE == SAMPLE_U8
  return alpha;
#elif SAMPLE == SAMPLE_U16
  return median_weigh_u16 (alpha);
#elif SAMPLE == SAMPLE_U32
  return median_weigh_u32 (alpha);
#elif SAMPLE == SAMPLE_DOUBLE
  return median_weigh_double (alpha);
#else
  return median_weigh_float (sample_in (alpha));
#endif
}
