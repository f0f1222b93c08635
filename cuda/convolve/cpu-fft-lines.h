/* The fast Fourier transform of lines side by side, so that each operation is on a whole vector. */
#ifndef CONVOLVE_CPU_FFT_LINES_H
#define CONVOLVE_CPU_FFT_LINES_H

#include <glib.h>

G_BEGIN_DECLS

#define CONVOLVE_FFT_LINES 16

/* cpu-fft-precise.c compiles the same code for double precision, under other names.
 * Clones that a file calls itself are seen from outside unless they are static. */
#ifdef CONVOLVE_FFT_PRECISE
typedef double ConvolveFftReal;
#define ConvolveFftPoint               ConvolveFftPrecisePoint
#define convolve_fft_make_factors      convolve_fft_make_precise_factors
#define convolve_fft_transform         convolve_fft_transform_precisely
#define convolve_fft_multiply          convolve_fft_multiply_precisely
#define convolve_fft_invert            convolve_fft_invert_precisely
#define convolve_fft_transpose         convolve_fft_transpose_precisely
#define convolve_fft_tile_init         convolve_fft_tile_init_precisely
#define convolve_fft_tile_get_spectrum convolve_fft_tile_get_precise_spectrum
#define convolve_fft_tile_convolve     convolve_fft_tile_convolve_precisely
#define CONVOLVE_FFT_SCOPE             static
#else
typedef float ConvolveFftReal;
#define CONVOLVE_FFT_SCOPE G_GNUC_INTERNAL
#endif

/* The same point of all lines. */
typedef struct {
  ConvolveFftReal re[CONVOLVE_FFT_LINES], im[CONVOLVE_FFT_LINES];
} ConvolveFftPoint;

/* Returns the factors for lines of n points, a power of two, which may be three times as large;
 * free them with g_free. */
ConvolveFftReal *convolve_fft_make_factors (int n);

/* Transforms n points in place. The frequencies are in the order that suits the inverse, the same
 * for each n. */
CONVOLVE_FFT_SCOPE void convolve_fft_transform (ConvolveFftPoint *points, int n,
                                                const ConvolveFftReal *factors);

/* Multiplies the frequencies by those of spectrum and transforms them back, n times too large. */
CONVOLVE_FFT_SCOPE void convolve_fft_multiply (ConvolveFftPoint *points,
                                               const ConvolveFftPoint *spectrum, int n);
CONVOLVE_FFT_SCOPE void convolve_fft_invert (ConvolveFftPoint *points, int n,
                                             const ConvolveFftReal *factors);

/* Turns 16 points of 16 lines into 16 lines of 16 points. to is not from. */
CONVOLVE_FFT_SCOPE void convolve_fft_transpose (const ConvolveFftPoint *from, ConvolveFftPoint *to);

G_END_DECLS

#endif
