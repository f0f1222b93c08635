/* The fast Fourier transform of lines side by side, so that each operation is on a whole vector. In
 * double precision, which no sum over taps has to mend. */
#ifndef CONVOLVE_CPU_FFT_LINES_H
#define CONVOLVE_CPU_FFT_LINES_H

#include <glib.h>

G_BEGIN_DECLS

#define CONVOLVE_FFT_LINES 16

/* The same point of all lines. */
typedef struct {
  double re[CONVOLVE_FFT_LINES], im[CONVOLVE_FFT_LINES];
} ConvolveFftPoint;

/* Returns the factors for lines of n points, a power of two, which may be three times as large;
 * free them with g_free. */
double *convolve_fft_make_factors (int n);

/* Clones that a file calls itself are seen from outside unless that is said. */

/* Transforms n points in place. The frequencies are in the order that suits the inverse, the same
 * for each n. */
G_GNUC_INTERNAL void convolve_fft_transform (ConvolveFftPoint *points, int n,
                                             const double *factors);

/* Multiplies the frequencies by those of spectrum and transforms them back, n times too large. */
G_GNUC_INTERNAL void convolve_fft_multiply (ConvolveFftPoint *points,
                                            const ConvolveFftPoint *spectrum, int n);
G_GNUC_INTERNAL void convolve_fft_invert (ConvolveFftPoint *points, int n, const double *factors);

/* Turns 16 points of 16 lines into 16 lines of 16 points. to is not from. */
G_GNUC_INTERNAL void convolve_fft_transpose (const ConvolveFftPoint *from, ConvolveFftPoint *to);

G_END_DECLS

#endif
