/* The transforms and the tiles in double precision. */
#define CONVOLVE_FFT_PRECISE

#include "cpu-fft-lines.c"
#include "cpu-fft-tile.c"
