/* CUDA's built-ins for the host's C++ compiler, so that the kernels run on the CPU: a block's threads
 * are fibers of one thread of the process (fibers.h), and what they share is local to that thread.
 *
 * The shim includes this before a program's source. */
#include <math.h>
#include <stdlib.h>
#include <algorithm>
#include <utility>

using std::max;
using std::min;

#define __global__
#define __device__
#define __constant__          static const
#define __shared__            thread_local /* in a function that implies static */
#define __align__(n)          __attribute__ ((aligned (n)))
#define __launch_bounds__(...)

struct float4 { float x, y, z, w; } __attribute__ ((aligned (16)));
struct uint3 { unsigned x, y, z; };

extern thread_local uint3 threadIdx, blockIdx;
extern "C" void (*shim_sync) (void);

static inline void
__syncthreads ()
{
  shim_sync ();
}

/* glibc has a __powf of its own. */
#define __powf powf

static inline float
__fdividef (float x, float y)
{
  return x / y;
}

static inline float
__saturatef (float x)
{
  return x > 0.0f ? min (x, 1.0f) : 0.0f; /* 0 for NaN */
}

static inline unsigned
__float2uint_rn (float x)
{
  const float rounded = rintf (x);

  if (! (rounded > 0.0f))
    return 0;
  return rounded < 4294967296.0f ? (unsigned) rounded : 0xffffffffu;
}

static inline float
half_to_float (unsigned short half)
{
  _Float16 x;

  __builtin_memcpy (&x, &half, sizeof x);
  return (float) x;
}

static inline unsigned short
float_to_half (float x)
{
  const _Float16 y = (_Float16) x;
  unsigned short half;

  __builtin_memcpy (&half, &y, sizeof half);
  return half;
}
