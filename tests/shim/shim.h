/* CUDA's built-ins for the host's C++ compiler, so that kernels run on the CPU. The threads of a
 * block are fibers of one thread of the process (fibers.h), and shared memory is local to that
 * thread.
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
#define __constant__ static const
#define __shared__   thread_local /* this implies static in a function */
#define __align__(n) __attribute__ ((aligned (n)))
#define __launch_bounds__(...)

struct float4 {
  float x, y, z, w;
} __attribute__ ((aligned (16)));
struct uint3 {
  unsigned x, y, z;
} __attribute__ ((aligned (16))); /* so that no padding lies between a block's variables */

extern thread_local uint3 threadIdx, blockIdx;
extern "C" void (*shim_sync) (void);

static inline void
__syncthreads ()
{
  shim_sync ();
}

/* Reads memory that no launch writes. */
static inline float
__ldg (const float *place)
{
  return *place;
}

/* glibc has its own __powf. */
#define __powf powf

static inline float
__int_as_float (int bits)
{
  float x;

  __builtin_memcpy (&x, &bits, sizeof x);
  return x;
}

static inline float
__uint_as_float (unsigned bits)
{
  return __int_as_float ((int) bits);
}

static inline unsigned
__float_as_uint (float x)
{
  unsigned bits;

  __builtin_memcpy (&bits, &x, sizeof bits);
  return bits;
}

static inline long long
__double_as_longlong (double x)
{
  long long bits;

  __builtin_memcpy (&bits, &x, sizeof bits);
  return bits;
}

static inline double
__longlong_as_double (long long bits)
{
  double x;

  __builtin_memcpy (&x, &bits, sizeof x);
  return x;
}

/* Blocks run on several threads of the process. */
static inline unsigned
atomicMax (unsigned *place, unsigned value)
{
  unsigned old = __atomic_load_n (place, __ATOMIC_RELAXED);

  while (old < value && ! __atomic_compare_exchange_n (place, &old, value, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED))
    ;
  return old;
}

static inline unsigned
atomicAdd (unsigned *place, unsigned value)
{
  return __atomic_fetch_add (place, value, __ATOMIC_RELAXED);
}

static inline float
__fmul_rn (float x, float y)
{
  return x * y;
}

static inline float
rsqrtf (float x)
{
  return 1.0f / sqrtf (x);
}

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

/* Conversions of half, because not every C++ compiler has the type. */

static inline float
half_to_float (unsigned short half)
{
  const int exponent = half >> 10 & 31, mantissa = half & 1023;
  float x;

  if (exponent == 31)
    x = mantissa ? NAN : INFINITY;
  else
    x = exponent ? ldexpf (mantissa + 1024, exponent - 25) : ldexpf (mantissa, -24);
  return half & 0x8000 ? -x : x;
}

/* Rounds to nearest, ties to even. */
static inline unsigned short
float_to_half (float x)
{
  const unsigned short sign = signbit (x) ? 0x8000 : 0;
  const float size = fabsf (x);
  unsigned bits;

  if (! (size < 65520.0f)) /* 65520 is halfway between the largest half and the next one */
    return sign | (isnan (x) ? 0x7e00 : 0x7c00);
  if (size < 1.0f / 16384.0f)
    return sign | (unsigned short) rintf (size * 16777216.0f);
  __builtin_memcpy (&bits, &size, sizeof bits);
  bits += 0xfff + (bits >> 13 & 1);
  return sign | (unsigned short) ((bits - (112u << 23)) >> 13);
}
