/* Shared by the files for AVX2 and AVX-512: the power of sRGB's curve, 255 * 1.055 * x^(1/2.4) for
 * x from 2^-9 to 1. It is a power of the mantissa, by a polynomial, times a power of the exponent,
 * by a table. */
#ifndef FX_BYTES_X86_H
#define FX_BYTES_X86_H

#define SRGB_START  0.0031308f               /* of the power; below, the curve is straight */
#define SRGB_SLOPE  (255.0f * 12.92f)        /* of the straight part */
#define SRGB_OFFSET (255.0f * 0.055f - 0.5f) /* subtracted from the power, to round it */

/* m^(1/2.4) for m from 1 to 2, as a polynomial of m - 1.5, exact to 2.4e-8 of it: a least-squares
 * fit whose weights were changed until the errors at its peaks were the same. */
#define POWER_DEGREE 7
static const float power_terms[POWER_DEGREE + 1] = { 1.18405366f,     0.328903615f,
                                                     -0.0639566854f,  0.0225090571f,
                                                     -0.00962592382f, 0.00455273176f,
                                                     -0.00274351775f, 0.00156484847f };

/* 255 * 1.055 * 2^(k / 2.4), for k from -15 to 0. The lowest four bits of a float's exponent, which
 * is 127 for 1, are the place. */
static const float power_scales[16] = { 3.53472114f, 4.71828699f, 6.29815722f, 8.40703106f,
                                        11.2220402f, 14.9796267f, 19.9954033f, 26.6906605f,
                                        35.627758f,  47.5573502f, 63.4814453f, 84.7375641f,
                                        113.111076f, 150.985184f, 201.541031f, 269.024994f };

#endif
