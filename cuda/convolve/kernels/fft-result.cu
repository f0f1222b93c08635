/* The last step of a convolution by Fourier transforms: transforms the rows of tiles back, and
 * stores the part of the result that is right.
 *
 * A block transforms LINES rows of a tile, one plane after the other.
 *
 * Constants to define before this file, in addition to those of result.cuh: LENGTH, PEAKS, LARGE,
 * RECOMPUTES (whether results that are not exact enough are marked, to be recomputed). FFT_REAL may
 * be defined. */

#include "pixel.cuh"
#include "image.cuh"
#include "convolve-args.h"
#include "fft-args.h"
#include "result.cuh"
#include "fft.cuh"
#include "fft-tile.cuh"

#define PLANES  ((CHANNELS + 1) / 2)
#define LINES   FFT_LINES (LENGTH)
#define THREADS FFT_ROW_THREADS (LENGTH)

/* Blocks on a multiprocessor, by the registers that they need. */
#define TOGETHER ((sizeof (FFT_REAL) > sizeof (float) ? 256 : 512) / THREADS)

__shared__ FFT_REAL memory[FFT_MEMORY (LENGTH, LINES)];

/* Clears sums below the noise, and colour with them if alpha is one of them. */
__device__ static inline pixel_t
clear_noise (pixel_t sum, const ConvolveFft &fft, float level)
{
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    if (fabsf (sum.v[c]) <= (ALPHA && c == COLORS ? fft.noise : fft.cleared) * level)
      sum.v[c] = 0.0f;
  if (DIVIDES_BY_ALPHA && fabsf (sum.v[CHANNELS - 1]) <= fmaxf (fft.noise * level, fft.least))
    sum = pixel_t ();
  return sum;
}

/* Whether the division by alpha and the curve magnify the errors of the sums too much: those of the
 * transform, and what clearing noise took from raw. */
__device__ static inline bool
is_faint (const pixel_t &sum, const pixel_t &raw, const ConvolveAfter &after, float error,
          float allowed)
{
  const float alpha = DIVIDES_BY_ALPHA ? sum.v[CHANNELS - 1] : 1.0f, scale = after.gain / alpha;
  pixel_t straight = sum;
  bool faint = false;
  float factor;

  if (alpha == 0.0f)
    return false;
#pragma unroll
  for (int c = 0; c < COLORS; c++)
    straight.v[c] = sum.v[c] * scale + after.offset[c];
  factor = get_compression (straight);
#pragma unroll
  for (int c = 0; c < COLORS; c++)
    {
      const float color = sum.v[c] * scale;
      const float lost = fabsf (raw.v[c] - sum.v[c]);
      const float off = (error * (1.0f + (DIVIDES_BY_ALPHA ? fabsf (color) : 0.0f)) + lost) *
                        fabsf (scale) * factor;
      const float value = straight.v[c] * factor;

      faint = faint || ! (fabsf (curve_out (value + off) - curve_out (value - off)) <=
                          2.0f * allowed);
    }
  return faint;
}

__device__ static inline void
list_place (const ConvolveFft &fft, unsigned place)
{
  const unsigned i = atomicAdd (&fft.list->count, 1u);

  if (i < (unsigned) fft.list_size)
    fft.list->places[i] = place;
}

/* Marks the result at x, y of the area, to be recomputed. */
__device__ static inline void
mark (const ConvolveFft &fft, int x, int y)
{
  if (LARGE)
    fft.flags[y / fft.flag_step_y * fft.flags_across + x / fft.flag_step_x] = 1;
  else
    list_place (fft, (unsigned) y * fft.width + x);
}

/* blockIdx.x is a group of LINES rows, blockIdx.y a tile, the first of which is tile number first
 * of the area. lines is the rows of a tile in memory. Skips a tile with values out of the range of
 * a transform. */
extern "C" __global__ void __launch_bounds__ (THREADS, TOGETHER)
kernel (FxSource source, ConvolveFft fft, ConvolveAfter after, int first, int lines,
        stored_t *result HIGHLIGHTS_PARAMETER)
{
  const int tile = first + (int) blockIdx.y;
  const int row = blockIdx.x * LINES + threadIdx.x / T_LINE, t = threadIdx.x % T_LINE;
  const int x = get_tile_x (fft, tile) + t, y = get_tile_y (fft, tile) + row;
  const int columns = min (fft.step_x, fft.x + fft.width - get_tile_x (fft, tile));
  const bool inside = row < get_tile_rows (fft, tile);
  const Line line = { memory + threadIdx.x / T_LINE * FFT_MEMORY (LENGTH, 1), 1, t };
  const float peak = PEAKS ? __uint_as_float (fft.peaks[tile]) : 1.0f;
  const float level = PEAKS && LARGE ? __uint_as_float (fft.levels[tile]) : peak;
  pixel_t sums[FFT_EACH];

  INIT_HIGHLIGHTS
#pragma unroll
  for (int p = 0; p < PLANES; p++)
    {
      const ConvolveComplex *from = fft.cells +
                                    ((long long) (blockIdx.y * PLANES + p) * lines + row) * LENGTH +
                                    t;
      ConvolveComplex v[FFT_EACH];

#pragma unroll
      for (int m = 0; m < FFT_EACH; m++)
        v[m] = inside ? from[m * T_LINE] : ConvolveComplex ();
      transform<LENGTH> (line, fft.along_x, v);
#pragma unroll
      for (int m = 0; m < FFT_EACH; m++)
        {
          sums[m].v[2 * p] = static_cast<float> (v[m].im);
          if (2 * p + 1 < CHANNELS)
            sums[m].v[2 * p + 1 < CHANNELS ? 2 * p + 1 : 0] = static_cast<float> (v[m].re);
        }
    }
  if (! inside || ! (peak <= FFT_PEAK_MAX (ALPHA, LARGE, RANGE)))
    return;

  stored_t *to = result + (long long) (y - fft.y) * fft.width + x - fft.x;

#pragma unroll
  for (int m = 0; m < FFT_EACH; m++)
    if (t + m * T_LINE < columns)
      {
        const pixel_t sum = clear_noise (sums[m], fft, level);

        if (RECOMPUTES && is_faint (sum, sums[m], after, fft.error * peak, fft.allowed))
          mark (fft, x + m * T_LINE - fft.x, y - fft.y);
        store_result (source, sum, after, x + m * T_LINE, y, to + m * T_LINE);
      }
}
