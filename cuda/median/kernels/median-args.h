/* Declarations shared by the kernels of a median blur, and the C code. */
#ifndef MEDIAN_ARGS_H
#define MEDIAN_ARGS_H

#define MEDIAN_REACH_MAX 400 /* as MEDIAN_RADIUS_MAX */

/* What a threshold compares. */
#define MEDIAN_NOTHING 0 /* there is none */
#define MEDIAN_STORED  1 /* samples: integers as integers, others as floats */
#define MEDIAN_CODES   2 /* the codes of linear samples */

#define MEDIAN_KEPT \
  6 /* words that a thread leaves to the next launch, in addition to its counters */

#define MEDIAN_ALPHA_STEPS 1024 /* the weight of a pixel whose alpha is 1, but of 8-bit samples */

typedef struct {
  double percentile, alpha_percentile; /* 0 to 1 */
  int radius;                          /* 1 to MEDIAN_REACH_MAX */
  int size;                            /* pixels in the window */
  unsigned alpha_rank;                 /* of alpha, and of colour without alpha: 1 to size */
  unsigned color_rank;
  unsigned delta_u32;                 /* the largest difference of integers or codes that is kept */
  float delta;                        /* likewise, of floats */
  short chords[MEDIAN_REACH_MAX + 1]; /* of the row at distance j: so many columns on each side of
                                         the middle; they do not increase */
} MedianWindow;

#ifdef __cplusplus
#define MEDIAN_INLINE __device__ static inline
#else
#define MEDIAN_INLINE static inline
#endif

/* Returns the rank that a percentile means among samples whose weights add up to total, which is
 * not 0: the weight that the samples up to the result have at least. */
MEDIAN_INLINE unsigned
median_get_rank (double percentile, unsigned total)
{
  const double rank = ceil (total * percentile);

  return rank > 1.0 ? (unsigned) rank : 1;
}

/* An order code is an unsigned integer as large as the sample, and in the same order. Integers are
 * their own. That of a floating-point sample has its sign bit flipped, or all bits if the sample is
 * negative; NaN has that of infinity. These return the order code of a sample's bits, and the bits
 * of an order code. */
#define MEDIAN_DEFINE_ORDER(name, type, sign, infinity)          \
  MEDIAN_INLINE type median_order_##name (type bits)             \
  {                                                              \
    if ((type) (bits & (type) ~(sign)) > (infinity))             \
      bits = (infinity);                                         \
    return (type) (bits ^ (bits & (sign) ? (type) -1 : (sign))); \
  }                                                              \
  MEDIAN_INLINE type median_restore_##name (type code)           \
  {                                                              \
    return (type) (code ^ (code & (sign) ? (sign) : (type) -1)); \
  }

MEDIAN_DEFINE_ORDER (half, unsigned short, (unsigned short) 0x8000, 0x7c00)
MEDIAN_DEFINE_ORDER (float, unsigned, 0x80000000u, 0x7f800000u)
MEDIAN_DEFINE_ORDER (double, unsigned long long, 0x8000000000000000ull, 0x7ff0000000000000ull)

/* Return the weight of a pixel with this alpha, which is rounded exactly. 8-bit alpha is the weight
 * itself. */
MEDIAN_INLINE unsigned
median_weigh_u16 (unsigned alpha)
{
  return (alpha * (2 * MEDIAN_ALPHA_STEPS) + 65535u) / (2 * 65535u);
}

MEDIAN_INLINE unsigned
median_weigh_u32 (unsigned alpha)
{
  const unsigned long long one = 4294967295u;

  return (unsigned) ((alpha * (2ull * MEDIAN_ALPHA_STEPS) + one) / (2 * one));
}

MEDIAN_INLINE unsigned
median_weigh_half (unsigned bits)
{
  const unsigned exponent = bits >> 10, shift = exponent < 1 ? 14 : 15 - exponent;

  if (bits == 0 || bits > 0x7c00u) /* also negative ones and NaN */
    return 0;
  if (bits >= 0x3c00u)
    return MEDIAN_ALPHA_STEPS;
  return ((bits & 0x3ffu) + (exponent > 0 ? 0x400u : 0) + (1u << (shift - 1))) >> shift;
}

MEDIAN_INLINE unsigned
median_weigh_float (float alpha)
{
  return alpha > 0.0f
           ? alpha < 1.0f ? (unsigned) (alpha * MEDIAN_ALPHA_STEPS + 0.5f) : MEDIAN_ALPHA_STEPS
           : 0;
}

MEDIAN_INLINE unsigned
median_weigh_double (double alpha)
{
  return alpha > 0.0
           ? alpha < 1.0 ? (unsigned) (alpha * MEDIAN_ALPHA_STEPS + 0.5) : MEDIAN_ALPHA_STEPS
           : 0;
}

#endif
