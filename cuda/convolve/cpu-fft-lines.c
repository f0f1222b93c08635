/* A mixed-radix transform by decimation in frequency (Gentleman and Sande): a step of radix 3, if
 * the length is divisible by it, steps of radix 4, and one of radix 2 if two points are left. The
 * frequencies remain in permuted order, which the inverse transform expects. */
#include "cpu-fft-tile.h"

#include "vector.h"

#include <math.h>

/* Real and imaginary parts of the twiddle factors of a point, in a step of radix 3 and of radix
 * 4. */
#define THREE_FACTORS 4
#define FOUR_FACTORS  6

#define HALF 0.5
#define SINE 0.86602540378443864676 /* sin (2 pi / 3) */

/* Appends the twiddle factors of a step that divides lines of length points into parts. */
static double *
add_factors (double *next, int length, int parts)
{
  for (int k = 0; k < length / parts; k++)
    for (int power = 1; power < parts; power++)
      {
        double angle = -2.0 * G_PI * k * power / length;

        *next++ = cos (angle);
        *next++ = sin (angle);
      }
  return next;
}

void
convolve_fft_fill_factors (double *factors, int n)
{
  int length = n;

  if (n % 3 == 0)
    {
      factors = add_factors (factors, n, 3);
      length = n / 3;
    }
  for (; length >= 4; length /= 4)
    factors = add_factors (factors, length, 4);
}

/* A step of radix 3. a, b and c are a third of a line apart. */
static FX_INLINE void
split_three (ConvolveFftPoint *restrict a, ConvolveFftPoint *restrict b,
             ConvolveFftPoint *restrict c, const double *restrict w)
{
  for (int i = 0; i < CONVOLVE_FFT_LINES; i++)
    {
      double sum_re = b->re[i] + c->re[i], sum_im = b->im[i] + c->im[i];
      double left_re = a->re[i] - HALF * sum_re, left_im = a->im[i] - HALF * sum_im;
      double right_re = SINE * (b->im[i] - c->im[i]); /* times -i */
      double right_im = SINE * (c->re[i] - b->re[i]);
      double b_re = left_re + right_re, b_im = left_im + right_im;
      double c_re = left_re - right_re, c_im = left_im - right_im;

      a->re[i] += sum_re;
      a->im[i] += sum_im;
      b->re[i] = b_re * w[0] - b_im * w[1];
      b->im[i] = b_re * w[1] + b_im * w[0];
      c->re[i] = c_re * w[2] - c_im * w[3];
      c->im[i] = c_re * w[3] + c_im * w[2];
    }
}

/* The inverse of split_three, scaled by 3. */
static FX_INLINE void
join_three (ConvolveFftPoint *restrict a, ConvolveFftPoint *restrict b,
            ConvolveFftPoint *restrict c, const double *restrict w)
{
  for (int i = 0; i < CONVOLVE_FFT_LINES; i++)
    {
      double b_re = b->re[i] * w[0] + b->im[i] * w[1], b_im = b->im[i] * w[0] - b->re[i] * w[1];
      double c_re = c->re[i] * w[2] + c->im[i] * w[3], c_im = c->im[i] * w[2] - c->re[i] * w[3];
      double sum_re = b_re + c_re, sum_im = b_im + c_im;
      double left_re = a->re[i] - HALF * sum_re, left_im = a->im[i] - HALF * sum_im;
      double right_re = SINE * (c_im - b_im), right_im = SINE * (b_re - c_re); /* times i */

      a->re[i] += sum_re;
      a->im[i] += sum_im;
      b->re[i] = left_re + right_re;
      b->im[i] = left_im + right_im;
      c->re[i] = left_re - right_re;
      c->im[i] = left_im - right_im;
    }
}

/* A step of radix 4. a, b, c and d are a quarter of a line apart. */
static FX_INLINE void
split_four (ConvolveFftPoint *restrict a, ConvolveFftPoint *restrict b,
            ConvolveFftPoint *restrict c, ConvolveFftPoint *restrict d, const double *restrict w)
{
  for (int i = 0; i < CONVOLVE_FFT_LINES; i++)
    {
      double even_re = a->re[i] + c->re[i], even_im = a->im[i] + c->im[i];
      double odd_re = b->re[i] + d->re[i], odd_im = b->im[i] + d->im[i];
      double left_re = a->re[i] - c->re[i], left_im = a->im[i] - c->im[i];
      double right_re = b->im[i] - d->im[i], right_im = d->re[i] - b->re[i]; /* times -i */
      double b_re = left_re + right_re, b_im = left_im + right_im;
      double c_re = even_re - odd_re, c_im = even_im - odd_im;
      double d_re = left_re - right_re, d_im = left_im - right_im;

      a->re[i] = even_re + odd_re;
      a->im[i] = even_im + odd_im;
      b->re[i] = b_re * w[0] - b_im * w[1];
      b->im[i] = b_re * w[1] + b_im * w[0];
      c->re[i] = c_re * w[2] - c_im * w[3];
      c->im[i] = c_re * w[3] + c_im * w[2];
      d->re[i] = d_re * w[4] - d_im * w[5];
      d->im[i] = d_re * w[5] + d_im * w[4];
    }
}

/* The inverse of split_four, scaled by 4. */
static FX_INLINE void
join_four (ConvolveFftPoint *restrict a, ConvolveFftPoint *restrict b, ConvolveFftPoint *restrict c,
           ConvolveFftPoint *restrict d, const double *restrict w)
{
  for (int i = 0; i < CONVOLVE_FFT_LINES; i++)
    {
      double b_re = b->re[i] * w[0] + b->im[i] * w[1], b_im = b->im[i] * w[0] - b->re[i] * w[1];
      double c_re = c->re[i] * w[2] + c->im[i] * w[3], c_im = c->im[i] * w[2] - c->re[i] * w[3];
      double d_re = d->re[i] * w[4] + d->im[i] * w[5], d_im = d->im[i] * w[4] - d->re[i] * w[5];
      double even_re = a->re[i] + c_re, even_im = a->im[i] + c_im;
      double odd_re = a->re[i] - c_re, odd_im = a->im[i] - c_im;
      double left_re = b_re + d_re, left_im = b_im + d_im;
      double right_re = d_im - b_im, right_im = b_re - d_re; /* times i */

      a->re[i] = even_re + left_re;
      a->im[i] = even_im + left_im;
      b->re[i] = odd_re + right_re;
      b->im[i] = odd_im + right_im;
      c->re[i] = even_re - left_re;
      c->im[i] = even_im - left_im;
      d->re[i] = odd_re - right_re;
      d->im[i] = odd_im - right_im;
    }
}

/* A step of radix 2. It is its own inverse, scaled by 2. */
static FX_INLINE void
split_two (ConvolveFftPoint *restrict a, ConvolveFftPoint *restrict b)
{
  for (int i = 0; i < CONVOLVE_FFT_LINES; i++)
    {
      double re = a->re[i] - b->re[i], im = a->im[i] - b->im[i];

      a->re[i] += b->re[i];
      a->im[i] += b->im[i];
      b->re[i] = re;
      b->im[i] = im;
    }
}

FX_VECTORISED void
convolve_fft_transform (ConvolveFftPoint *points, int n, const double *factors)
{
  int third = n / 3, length = n, first, k;

  if (n % 3 == 0)
    {
      length = third;
      for (k = 0; k < third; k++, factors += THREE_FACTORS)
        split_three (points + k, points + third + k, points + 2 * third + k, factors);
    }
  for (; length >= 4; length /= 4)
    for (k = 0; k < length / 4; k++, factors += FOUR_FACTORS)
      for (first = k; first < n; first += length)
        split_four (points + first, points + first + length / 4, points + first + length / 2,
                    points + first + 3 * (length / 4), factors);
  for (first = 0; length == 2 && first < n; first += 2)
    split_two (points + first, points + first + 1);
}

FX_VECTORISED void
convolve_fft_invert (ConvolveFftPoint *points, int n, const double *factors)
{
  int third = n / 3, most = n % 3 ? n : third, length, first, k;
  const double *next = factors + (n % 3 ? 0 : THREE_FACTORS * third);

  for (length = most; length >= 4; length /= 4)
    next += FOUR_FACTORS * (length / 4);
  for (first = 0; length == 2 && first < n; first += 2)
    split_two (points + first, points + first + 1);
  for (length *= 4; length <= most; length *= 4)
    {
      next -= FOUR_FACTORS * (length / 4);
      for (k = 0; k < length / 4; k++)
        for (first = k; first < n; first += length)
          join_four (points + first, points + first + length / 4, points + first + length / 2,
                     points + first + 3 * (length / 4), next + FOUR_FACTORS * k);
    }
  for (k = 0; n % 3 == 0 && k < third; k++)
    join_three (points + k, points + third + k, points + 2 * third + k,
                factors + THREE_FACTORS * k);
}

FX_VECTORISED void
convolve_fft_multiply (ConvolveFftPoint *restrict points, const ConvolveFftPoint *restrict spectrum,
                       int n)
{
  for (int k = 0; k < n; k++)
    for (int i = 0; i < CONVOLVE_FFT_LINES; i++)
      {
        double re = points[k].re[i], im = points[k].im[i];

        points[k].re[i] = re * spectrum[k].re[i] - im * spectrum[k].im[i];
        points[k].im[i] = re * spectrum[k].im[i] + im * spectrum[k].re[i];
      }
}

FX_VECTORISED void
convolve_fft_transpose (const ConvolveFftPoint *restrict from, ConvolveFftPoint *restrict to)
{
  for (int k = 0; k < CONVOLVE_FFT_LINES; k++)
    for (int i = 0; i < CONVOLVE_FFT_LINES; i++)
      {
        to[k].re[i] = from[i].re[k];
        to[k].im[i] = from[i].im[k];
      }
}
