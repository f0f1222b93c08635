/* The transforms and the tiles in double precision. */
#define CONVOLVE_FFT_PRECISE

/* The same code for another type. */
#include "cpu-fft-lines.c" /* NOLINT(bugprone-suspicious-include) */
#include "cpu-fft-tile.c"  /* NOLINT(bugprone-suspicious-include) */
