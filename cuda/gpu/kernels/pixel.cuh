/* Converts stored pixels to floats, premultiplied or straight, in the filter's light, and back.
 * ../../image/codec.c does the same on the CPU.
 *
 * fx_program_get_text defines a program's constants before its files: SAMPLE_..., CURVE_... and
 * ABYSS_..., with the values of the C enums, and those that the files require. This file requires
 * SAMPLE (one of SAMPLE_...), CHANNELS (1 to 4; an even number has alpha last), CURVE (one of
 * CURVE_...), FLOATING (whether the image's samples can be infinite). Optional: STRAIGHT, if colour
 * is not multiplied by alpha; SIGNED_WEIGHTS, in a kernel whose result has negative weights; TRC_A
 * to TRC_G, for a curve that is not sRGB's; TRC_TABLE, the number of entries, for a curve that is a
 * table: the host copies the table into the loaded program, so that one program serves all tables;
 * HIGHLIGHTS, if highlights are expanded: their parameters are then a kernel's last argument, so
 * that one program serves all of them. */

#ifndef SIGNED_WEIGHTS
#define SIGNED_WEIGHTS 0
#endif

#ifndef STRAIGHT
#define STRAIGHT 0
#endif

#define ALPHA         (CHANNELS % 2 == 0)
#define COLORS        (CHANNELS - ALPHA)
#define PREMULTIPLIED (ALPHA && ! STRAIGHT)

/* Below this alpha, colour is undetermined and the division would overflow. */
#define ALPHA_MIN 1e-30f

#define INFINITE    __int_as_float (0x7f800000) /* NVRTC has no header that defines them */
#define NEARLY_ZERO __int_as_float (0x00800000) /* normal; a finite colour multiplied by it becomes
                                                   0 */

#if SAMPLE == SAMPLE_U8
typedef unsigned char sample_t;
#elif SAMPLE == SAMPLE_U16 || SAMPLE == SAMPLE_HALF
typedef unsigned short sample_t;
#elif SAMPLE == SAMPLE_U32
typedef unsigned int sample_t;
#elif SAMPLE == SAMPLE_FLOAT
typedef float sample_t;
#else
typedef double sample_t;
#endif

/* A pixel is moved as one word if its size is a power of two, or as two if it exceeds 16 bytes. */
#if CHANNELS == 3
struct stored_t { sample_t v[3]; };
#else
struct __align__ (CHANNELS * sizeof (sample_t) < 16 ? CHANNELS * sizeof (sample_t) : 16) stored_t {
  sample_t v[CHANNELS];
};
#endif

/* A decoded pixel, in the filter's light; premultiplied unless STRAIGHT is set. */
#if CHANNELS == 3
struct pixel_t { float v[3]; };
#else
struct __align__ (CHANNELS * sizeof (float)) pixel_t { float v[CHANNELS]; };
#endif

#define FX_STORED stored_t
#define FX_PIXEL  pixel_t
#include "args.h"

#ifdef __CUDACC__
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
#endif

#ifdef TRC_TABLE
/* The curve given by a table (FxTrcTable). */

#define TRC_LAST (TRC_TABLE - 1)

extern "C" {
__device__ float trc_entries[TRC_TABLE];
}

__device__ static inline float
linear_from_gamma (float x)
{
  const int k = (int) fminf (fmaxf (x * TRC_LAST, 0.0f), TRC_LAST - 1.0f);
  const float low = __ldg (&trc_entries[k]), high = __ldg (&trc_entries[k + 1]);
  const float part = fmaf (x, TRC_LAST, -(float) k);

  return fabsf (x) < INFINITE ? low + part * (high - low) : x;
}

/* The segment begins at the last entry below x, or at the first entry if there is none. Only the
 * first and the last segment may be flat here. */
__device__ static inline float
gamma_from_linear (float x)
{
  int k = 0;

#pragma unroll
  for (int step = TRC_TABLE / 2; step > 0; step /= 2)
    k += __ldg (&trc_entries[k + step]) < x ? step : 0;
  k = x < __ldg (&trc_entries[TRC_LAST]) ? k : TRC_LAST - 1;

  const float low = __ldg (&trc_entries[k]), rise = __ldg (&trc_entries[k + 1]) - low;
  const float part = rise > 0.0f ? (x - low) / rise : (float) (k > 0);

  return fabsf (x) < INFINITE ? ((float) k + part) * (1.0f / TRC_LAST) : x;
}

#elif defined TRC_G
/* The curve given by the constants (FxTrc). */

/* x to the power of p, a constant. Uses multiplication for the whole part of p, because __powf
 * computes its logarithm with a relative error of 2^-22, which the exponent scales. __powf returns
 * NaN for 0^0. */
__device__ static inline float
raise_base (float x, float p)
{
  const int whole = (int) p;
  const float rest = p - (float) whole;
  float power = rest > 0.0f ? __powf (x, rest) : 1.0f;

#pragma unroll
  for (int i = 0; i < whole; i++)
    power *= x;
  return power;
}

/* The segment below the power. Preserves infinities and NaN even if the slope is 0. */
__device__ static inline float
continue_straight (float x, float slope, float offset)
{
  if (slope == 0.0f)
    return fabsf (x) < INFINITE ? offset : x;
  return x * slope + offset;
}

__device__ static inline float
linear_from_gamma (float x)
{
  return x >= TRC_D ? raise_base (fmaxf (x * TRC_A + TRC_B, 0.0f), TRC_G) + TRC_E
                    : continue_straight (x, TRC_C, TRC_F);
}

__device__ static inline float
gamma_from_linear (float x)
{
  const float base = raise_base (fmaxf (x - TRC_E, 0.0f), 1.0f / TRC_G);

  if (x >= TRC_C * TRC_D + TRC_F)
    return fmaxf (base * (1.0f / TRC_A) - TRC_B / TRC_A, TRC_D);
  if (TRC_C == 0.0f)
    return continue_straight (x, 0.0f, fminf (TRC_D, 0.0f));
  return continue_straight (x, 1.0f / TRC_C, -TRC_F / TRC_C);
}

#else
/* sRGB's curve (IEC 61966-2-1). __powf computes its logarithm with a relative error of 2^-22, which
 * the exponent scales: with 0.4 instead of 2.4, the error of the power is at most 6e-7. */

__device__ static inline float
linear_from_gamma (float x)
{
  const float u = (x + 0.055f) * (1.0f / 1.055f);

  return x <= 0.04045f ? x * (1.0f / 12.92f) : u * u * __powf (u, 0.4f);
}

__device__ static inline float
gamma_from_linear (float x)
{
  return x <= 0.0031308f ? x * 12.92f : 1.055f * __powf (x, 1.0f / 2.4f) - 0.055f;
}
#endif

#ifdef HIGHLIGHTS
/* Highlights (FxHighlights). A kernel that decodes, or compresses and encodes, declares its last
 * parameter by HIGHLIGHTS_PARAMETER, and begins with INIT_HIGHLIGHTS. */
#define HIGHLIGHTS_PARAMETER , FxHighlights given
#define INIT_HIGHLIGHTS      init_highlights (given);
#define RANGE                highlights.gain /* of white, as fx_codec_get_range */

__shared__ FxHighlights highlights;

__device__ static inline void
init_highlights (const FxHighlights &given)
{
  if (threadIdx.x == 0)
    highlights = given;
  __syncthreads ();
}

/* The brightest channel, at least 0. A NaN does not count. */
__device__ static inline float
get_brightest (const pixel_t &pixel)
{
  float most = 0.0f;

#pragma unroll
  for (int c = 0; c < COLORS; c++)
    most = fmaxf (most, pixel.v[c]);
  return most;
}

/* The factor that expands a straight colour. */
__device__ static inline float
get_expansion (const pixel_t &pixel)
{
  const float m = get_brightest (pixel), above = m - highlights.threshold;

  return above <= 0.0f ? 1.0f
         : m < 1.0f    ? 1.0f + __fdividef (highlights.bend * above * above, m)
                       : highlights.gain;
}

/* The factor that compresses it. The root and the divisions are accurate to 2 units in the last
 * place, and much faster than exact ones. */
__device__ static inline float
get_compression (const pixel_t &pixel)
{
  const float f = get_brightest (pixel), above = f - highlights.threshold;
  const float square = 1.0f + 4.0f * highlights.bend * above;
  const float root = __fdividef (2.0f * above, 1.0f + square * rsqrtf (square));

  return above <= 0.0f         ? 1.0f
         : f < highlights.gain ? __fdividef (highlights.threshold + root, f)
                               : __fdividef (1.0f, highlights.gain);
}
#else
#define HIGHLIGHTS_PARAMETER
#define INIT_HIGHLIGHTS
#define RANGE 1.0f

__device__ static inline float
get_expansion (const pixel_t &pixel)
{
  return 1.0f;
}

__device__ static inline float
get_compression (const pixel_t &pixel)
{
  return 1.0f;
}
#endif

__device__ static inline float
curve_in (float x)
{
  return CURVE == CURVE_TO_LINEAR       ? linear_from_gamma (x)
         : CURVE == CURVE_TO_PERCEPTUAL ? gamma_from_linear (x)
                                        : x;
}

__device__ static inline float
curve_out (float x)
{
  return CURVE == CURVE_TO_LINEAR       ? gamma_from_linear (x)
         : CURVE == CURVE_TO_PERCEPTUAL ? linear_from_gamma (x)
                                        : x;
}

__device__ static inline float
sample_in (sample_t x)
{
#if SAMPLE == SAMPLE_U8
  return x * (1.0f / 255.0f);
#elif SAMPLE == SAMPLE_U16
  return x * (1.0f / 65535.0f);
#elif SAMPLE == SAMPLE_U32
  return x * (1.0f / 4294967295.0f);
#elif SAMPLE == SAMPLE_HALF
  return half_to_float (x);
#else
  return (float) x;
#endif
}

__device__ static inline sample_t
sample_out (float x)
{
#if SAMPLE == SAMPLE_U8
  return (sample_t) __float2uint_rn (__saturatef (x) * 255.0f);
#elif SAMPLE == SAMPLE_U16
  return (sample_t) __float2uint_rn (__saturatef (x) * 65535.0f);
#elif SAMPLE == SAMPLE_U32
  return __float2uint_rn (__saturatef (x) * 4294967296.0f); /* the conversion saturates at 2^32 -
                                                               1 */
#elif SAMPLE == SAMPLE_HALF
  return float_to_half (x);
#else
  return (sample_t) x;
#endif
}

#if SAMPLE == SAMPLE_U8 && CURVE != CURVE_NONE
#define COLOR_TABLE 1
__shared__ float color_table[FX_COLOR_TABLE];
#endif

/* All n threads of a block must call this before any of them decodes. */
__device__ static inline void
init_decode (int n)
{
#ifdef COLOR_TABLE
#pragma unroll 1
  for (int i = threadIdx.x; i < FX_COLOR_TABLE; i += n)
    color_table[i] = curve_in (sample_in ((sample_t) i));
  __syncthreads ();
#endif
}

__device__ static inline float
decode_color (sample_t x)
{
#ifdef COLOR_TABLE
  return color_table[x];
#else
  return curve_in (sample_in (x));
#endif
}

/* An infinite colour under an alpha of 0 becomes NaN, which clear_transparent removes. */
__device__ static inline pixel_t
decode (const stored_t &stored)
{
  const float alpha = ALPHA ? sample_in (stored.v[CHANNELS - 1]) : 1.0f;
  pixel_t pixel;
  float factor;

#pragma unroll
  for (int c = 0; c < COLORS; c++)
    pixel.v[c] = decode_color (stored.v[c]);
  factor = get_expansion (pixel) * (PREMULTIPLIED ? alpha : 1.0f);
#pragma unroll
  for (int c = 0; c < COLORS; c++)
    pixel.v[c] *= factor;
  if (ALPHA)
    pixel.v[CHANNELS - 1] = alpha;
  return pixel;
}

/* Clears a pixel whose alpha is 0, even if its colour is infinite. A kernel that sums many samples
 * tests the sum first, and clears them only if it is not finite. */
__device__ static inline pixel_t
clear_transparent (pixel_t pixel)
{
  if (FLOATING && PREMULTIPLIED && pixel.v[CHANNELS - 1] == 0.0f)
    pixel = pixel_t ();
  return pixel;
}

__device__ static inline bool
is_finite (float x)
{
  return fabsf (x) < INFINITE;
}

/* May be FALSE for finite channels whose sum overflows. */
__device__ static inline bool
is_finite (const pixel_t &pixel)
{
  float all = fabsf (pixel.v[0]);

#pragma unroll
  for (int c = 1; c < CHANNELS; c++)
    all += fabsf (pixel.v[c]);
  return is_finite (all);
}

/* Replaces NaN, which is the sum of infinities of both signs, by an infinity: NaN is never
 * stored. */
__device__ static inline float
to_number (float x)
{
  return FLOATING ? fminf (x, INFINITE) : x;
}

/* The factor that makes colour straight again. If alpha is nearly 0, finite colour becomes 0 and
 * infinite colour is preserved. */
__device__ static inline float
get_scale (float alpha)
{
  return fabsf (alpha) >= ALPHA_MIN ? __fdividef (1.0f, alpha) : FLOATING ? NEARLY_ZERO : 0.0f;
}

/* Multiplies a colour that may be infinite, although rounding may have made its alpha negative. */
__device__ static inline float
unmultiply (float color, float scale)
{
  return FLOATING && ! is_finite (color) ? color : color * scale;
}

__device__ static inline stored_t
encode (const pixel_t &pixel)
{
  const float alpha = ALPHA ? pixel.v[CHANNELS - 1] : 1.0f;
  const float scale = get_scale (alpha);
  stored_t stored;

#pragma unroll
  for (int c = 0; c < COLORS; c++)
    stored.v[c] = sample_out (to_number (curve_out (PREMULTIPLIED ? pixel.v[c] * scale
                                                                  : pixel.v[c])));
  if (ALPHA)
    stored.v[CHANNELS - 1] = sample_out (to_number (alpha));
  if (SIGNED_WEIGHTS && FLOATING && PREMULTIPLIED && ! is_finite (pixel))
#pragma unroll
    for (int c = 0; c < COLORS; c++)
      stored.v[c] = sample_out (to_number (curve_out (unmultiply (pixel.v[c], scale))));
  return stored;
}
