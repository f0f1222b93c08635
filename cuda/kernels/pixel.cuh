/* Stored pixels <-> premultiplied floats in the light of the blur. ../sample.c does the same on the
 * CPU.
 *
 * Constants, set before this file: SAMPLE (BlurSample), CHANNELS (1 to 4, an even number has alpha
 * last), CURVE (BlurCurve). */

#define ALPHA  (CHANNELS % 2 == 0)
#define COLORS (CHANNELS - ALPHA)

/* Below this alpha a colour cannot be told, and the division would overflow. */
#define ALPHA_MIN 1e-30f

#if SAMPLE == 0
typedef unsigned char sample_t;
#elif SAMPLE == 1 || SAMPLE == 3
typedef unsigned short sample_t;
#elif SAMPLE == 2
typedef unsigned int sample_t;
#elif SAMPLE == 4
typedef float sample_t;
#else
typedef double sample_t;
#endif

/* A pixel moves whole where its size is a power of two; larger than 16 bytes, in two halves. */
#if CHANNELS == 3
struct stored_t { sample_t v[3]; };
#else
struct __align__ (CHANNELS * sizeof (sample_t) < 16 ? CHANNELS * sizeof (sample_t) : 16) stored_t {
  sample_t v[CHANNELS];
};
#endif

struct pixel_t { float v[CHANNELS]; };

/* Half precision without cuda_fp16.h, which NVRTC might not find. */

__device__ static inline float
half_to_float (unsigned short half)
{
  float x;

  asm ("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(half));
  return x;
}

__device__ static inline unsigned short
float_to_half (float x)
{
  unsigned short half;

  asm ("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(x));
  return half;
}

/* sRGB's curve (IEC 61966-2-1). Not inlined: where it stands in unrolled loops it would double the
 * time to compile. */

__device__ static __noinline__ float
linear_from_gamma (float x)
{
  return x <= 0.04045f ? x * (1.0f / 12.92f) : powf ((x + 0.055f) * (1.0f / 1.055f), 2.4f);
}

__device__ static __noinline__ float
gamma_from_linear (float x)
{
  return x <= 0.0031308f ? x * 12.92f : 1.055f * powf (x, 1.0f / 2.4f) - 0.055f;
}

__device__ static inline float
curve_in (float x)
{
#if CURVE == 1
  return linear_from_gamma (x);
#elif CURVE == 2
  return gamma_from_linear (x);
#else
  return x;
#endif
}

__device__ static inline float
curve_out (float x)
{
#if CURVE == 1
  return gamma_from_linear (x);
#elif CURVE == 2
  return linear_from_gamma (x);
#else
  return x;
#endif
}

__device__ static inline float
sample_in (sample_t x)
{
#if SAMPLE == 0
  return x * (1.0f / 255.0f);
#elif SAMPLE == 1
  return x * (1.0f / 65535.0f);
#elif SAMPLE == 2
  return x * (1.0f / 4294967295.0f);
#elif SAMPLE == 3
  return half_to_float (x);
#else
  return (float) x;
#endif
}

__device__ static inline sample_t
sample_out (float x)
{
#if SAMPLE == 0
  return (sample_t) __float2uint_rn (__saturatef (x) * 255.0f);
#elif SAMPLE == 1
  return (sample_t) __float2uint_rn (__saturatef (x) * 65535.0f);
#elif SAMPLE == 2
  return __float2uint_rn (__saturatef (x) * 4294967296.0f); /* the conversion saturates at 2^32 - 1 */
#elif SAMPLE == 3
  return float_to_half (x);
#else
  return (sample_t) x;
#endif
}

__device__ static inline pixel_t
decode (const stored_t &stored)
{
  pixel_t pixel;

#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    pixel.v[c] = sample_in (stored.v[c]);
#pragma unroll
  for (int c = 0; c < COLORS; c++)
    pixel.v[c] = curve_in (pixel.v[c]) * (ALPHA ? pixel.v[CHANNELS - 1] : 1.0f);
  return pixel;
}

__device__ static inline stored_t
encode (const pixel_t &pixel)
{
  float alpha = ALPHA ? pixel.v[CHANNELS - 1] : 1.0f;
  stored_t stored;

#pragma unroll
  for (int c = 0; c < COLORS; c++)
    stored.v[c] = sample_out (curve_out (fabsf (alpha) >= ALPHA_MIN ? pixel.v[c] / alpha : 0.0f));
  if (ALPHA)
    stored.v[CHANNELS - 1] = sample_out (alpha);
  return stored;
}
