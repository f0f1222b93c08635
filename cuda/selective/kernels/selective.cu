/* Means over windows of similar pixels. cpu-window.c does the same on the CPU.
 *
 * Constants to define before this file, in addition to those of image.cuh: THREADS of a block, and
 * RUN pixels of each, one below the other; COMPARED, one of SELECTIVE_STORED, SELECTIVE_CODES and
 * SELECTIVE_VALUES; SOFT, else edges are hard; COMPARES_OTHERS, if what is compared is not what is
 * averaged; LINEAR, if values are compared of samples that have another light. */

#include "pixel.cuh"
#include "image.cuh"
#include "sums.cuh"
#include "codes.h"
#include "selective-args.h"

#define INTEGERS (SAMPLE == SAMPLE_U8 || SAMPLE == SAMPLE_U16 || SAMPLE == SAMPLE_U32)
#define WORDS    (COMPARED == SELECTIVE_STORED && SAMPLE == SAMPLE_U32)
#define NO_NUMBER __int_as_float (0x7fc00000)

/* A pixel of a window: what is averaged, and the weight. */
struct __align__ (COLORS == 1 ? 8 : 16) cell_t { float v[COLORS], weight; };

/* The values that are compared. With three colours, the fourth float is padding. */
struct __align__ (COLORS == 1 ? 4 : 16) compared_t { float v[COLORS]; };

__device__ static inline float
get_compared (const SelectiveWindow &window, const float *lights, sample_t sample)
{
#if COMPARED == SELECTIVE_CODES
  const float light = sample_in (sample);

  return (float) fx_light_codes_find (lights, light, gamma_from_linear (light));
#elif COMPARED == SELECTIVE_VALUES
  return (LINEAR ? gamma_from_linear (sample_in (sample)) : sample_in (sample)) * window.scale;
#elif WORDS
  return __uint_as_float (sample);
#elif INTEGERS
  return (float) sample;
#else
  return sample_in (sample);
#endif
}

/* A pixel that does not count has NaN in compared or, if edges are soft, the weight 0. */
__device__ static inline cell_t
load (const SelectiveWindow &window, const float *lights, const stored_t &stored, bool beyond,
      compared_t &compared)
{
  const pixel_t pixel = decode (stored);
  const float alpha = ALPHA ? pixel.v[CHANNELS - 1] : 1.0f;
  cell_t cell;

  cell.weight = ! beyond && alpha > 0.0f && is_finite (alpha) ? alpha : 0.0f;
#pragma unroll
  for (int c = 0; c < COLORS; c++)
    {
      compared.v[c] = get_compared (window, lights, stored.v[c]);
      cell.v[c] = COMPARES_OTHERS ? pixel.v[c] : compared.v[c];
      if (FLOATING && (! is_finite (cell.v[c]) || ! is_finite (compared.v[c])))
        {
          compared.v[c] = NO_NUMBER;
          cell.weight = SOFT ? 0.0f : cell.weight;
        }
    }
  if (FLOATING && SOFT && cell.weight == 0.0f)
#pragma unroll
    for (int c = 0; c < COLORS; c++)
      cell.v[c] = compared.v[c] = 0.0f;
  return cell;
}

/* The sums of a pixel. If edges are soft, all colours have the same weights. */
#define WEIGHTS (SOFT ? 1 : COLORS)
struct sums_t { float v[COLORS], weights[WEIGHTS]; };

/* Adds value and weight to sums if x, which is off by so much from y, is similar. */
#if defined __CUDACC__ && ! WORDS
/* Four instructions: the compiler makes six, which add always and then select. */
__device__ static inline void
add_similar (const SelectiveWindow &window, float x, float y, float off, float value, float weight,
             float &sum, float &weights)
{
  asm ("{\n"
       "  .reg .pred similar;\n"
       "  .reg .f32 size;\n"
       "  abs.f32 size, %2;\n"
       "  setp.le.f32 similar, size, %3;\n"
       "  @similar fma.rn.f32 %0, %4, %5, %0;\n"
       "  @similar add.f32 %1, %1, %4;\n"
       "}"
       : "+f"(sum), "+f"(weights)
       : "f"(off), "f"(window.delta), "f"(weight), "f"(value));
}
#else
__device__ static inline void
add_similar (const SelectiveWindow &window, float x, float y, float off, float value, float weight,
             float &sum, float &weights)
{
#if WORDS
  const unsigned a = __float_as_uint (x), b = __float_as_uint (y);
  const bool similar = max (a, b) - min (a, b) <= window.delta_u32;
#else
  const bool similar = fabsf (off) <= window.delta;
#endif

  if (similar)
    {
      sum += weight * value;
      weights += weight;
    }
}
#endif

__device__ static inline void
add (const SelectiveWindow &window, const cell_t &cell, const compared_t &compared,
     const compared_t &middle, float weight, sums_t &sums)
{
  float off[COLORS];

#pragma unroll
  for (int c = 0; c < COLORS; c++)
    off[c] = compared.v[c] - middle.v[c];
#if SOFT
  float square = off[0] * off[0];

#pragma unroll
  for (int c = 1; c < COLORS; c++)
    square += off[c] * off[c];
  weight *= raise (-square);
#pragma unroll
  for (int c = 0; c < COLORS; c++)
    sums.v[c] += weight * (COMPARES_OTHERS ? cell.v[c] : off[c]);
  sums.weights[0] += weight;
#else
#pragma unroll
  for (int c = 0; c < COLORS; c++)
    add_similar (window, compared.v[c], middle.v[c], off[c],
                 COMPARES_OTHERS ? cell.v[c] : off[c], weight, sums.v[c], sums.weights[c]);
#endif
}

/* Adds a row's part of a thread's windows. The parts of a row are summed by themselves, so that
 * rounding errors stay small. cells and compared begin with the window's first pixel; below is the
 * row's distance from the first pixel's. */
__device__ static inline void
add_row (const SelectiveWindow &window, const float *weights, const cell_t *cells,
         const compared_t *compared, const compared_t (&middles)[RUN], int below,
         sums_t (&sums)[RUN])
{
  const int side = 2 * window.radius + 1;
  sums_t parts[RUN] = {};

#pragma unroll 4
  for (int k = 0; k < side; k++)
    {
      const cell_t cell = cells[k];
#if COMPARES_OTHERS
      const compared_t other = compared[k];
#else
      compared_t other;

#pragma unroll
      for (int c = 0; c < COLORS; c++)
        other.v[c] = cell.v[c];
#endif
      const float weight = weights[k] * cell.weight;

#pragma unroll
      for (int i = 0; i < RUN; i++)
        add (window, cell, other, middles[i], weight, parts[i]);
    }
#pragma unroll
  for (int i = 0; i < RUN; i++)
    {
      const int place = below - i + window.radius;

      if (place >= 0 && place < side) /* a weight of 0 would turn infinity into NaN */
        {
          const float weight = weights[place];

#pragma unroll
          for (int c = 0; c < COLORS; c++)
            sums[i].v[c] += weight * parts[i].v[c];
#pragma unroll
          for (int c = 0; c < WEIGHTS; c++)
            sums[i].weights[c] += weight * parts[i].weights[c];
        }
    }
}

/* Loads n rows of the source, columns columns each, from x, y on. Rows after last are in no window,
 * and may not be there yet: it stands for them. */
__device__ static inline void
load_rows (const FxSource &source, const SelectiveWindow &window, const float *lights, int x, int y,
           int last, int columns, int n, cell_t *cells, compared_t *compared)
{
#pragma unroll 1
  for (int r = 0; r < n; r++)
    {
      const stored_t *row = find_row (source, min (y + r, last));

#pragma unroll 1
      for (int i = threadIdx.x; i < columns; i += THREADS)
        {
          compared_t other;

          cells[r * columns + i] = load (window, lights, fetch (source, row, x + i),
                                         is_beyond (source, x + i, y + r), other);
          if (COMPARES_OTHERS)
            compared[r * columns + i] = other;
        }
    }
}

/* The result of a pixel. */
__device__ static inline stored_t
finish_pixel (const SelectiveWindow &window, const stored_t &stored, const cell_t &cell,
              const compared_t &middle, const sums_t &sums)
{
  pixel_t pixel = {};
  stored_t result;

#pragma unroll
  for (int c = 0; c < COLORS; c++)
    {
      const float mean = sums.v[c] / sums.weights[SOFT ? 0 : c];

      pixel.v[c] = COMPARES_OTHERS ? mean : (mean + middle.v[c]) * window.unscale;
    }
  result = encode (pixel);
#pragma unroll
  for (int c = 0; c < COLORS; c++)
    if (! (cell.weight > 0.0f && sums.weights[SOFT ? 0 : c] > 0.0f))
      result.v[c] = stored.v[c];
  if (ALPHA)
    result.v[CHANNELS - 1] = stored.v[CHANNELS - 1];
  return result;
}

/* Reads the sums of a thread that launches before have left, or leaves them to those after. */
__device__ static inline void
move_sums (const SelectiveRows &rows, bool leave, sums_t (&sums)[RUN])
{
  const int block = (int) blockIdx.y * rows.across + (int) blockIdx.x;
  float *place = rows.sums + block * THREADS + threadIdx.x;

#pragma unroll
  for (int i = 0; i < RUN; i++)
#pragma unroll
    for (int n = 0; n < COLORS + WEIGHTS; n++, place += rows.pitch)
      {
        float &sum = n < COLORS ? sums[i].v[n < COLORS ? n : 0]
                                : sums[i].weights[n < COLORS ? 0 : n - COLORS];

        if (leave)
          *place = sum;
        else
          sum = *place;
      }
}

/* Computes result rows top to end - 1, columns left to right - 1, or a part of their sums. result
 * is the address of row top, of width pixels from column x_first on. stage is how many rows of the
 * source are loaded at a time. */
extern "C" __global__ void __launch_bounds__ (THREADS)
kernel (FxSource source, SelectiveWindow window, SelectiveRows rows, const float *lights, int left,
        int right, int top, int end, int x_first, int width, int stage, stored_t *result)
{
  extern __shared__ float4 shared[];
  const int radius = window.radius, columns = THREADS + 2 * radius;
  const int first_x = left + (int) blockIdx.x * THREADS, x = first_x + (int) threadIdx.x;
  const int y = top + (int) blockIdx.y * RUN;
  float *weights = (float *) shared;
  cell_t *cells = (cell_t *) (shared + (2 * radius + 4) / 4);
  compared_t *compared = (compared_t *) (cells + stage * columns);
  compared_t middles[RUN];
  sums_t sums[RUN] = {};

  init_decode (THREADS);
#pragma unroll 1
  for (int i = threadIdx.x; i <= 2 * radius; i += THREADS)
    weights[i] = window.weights[abs (i - radius)];
#pragma unroll
  for (int i = 0; i < RUN; i++)
    load (window, lights, fetch (source, x, min (y + i, end - 1)), false, middles[i]);
  if (rows.low > -radius)
    move_sums (rows, false, sums);
#pragma unroll 1
  for (int row = rows.low; row < rows.high; row += stage)
    {
      const int n = min (stage, rows.high - row);

      load_rows (source, window, lights, first_x - radius, y + row, end - 1 + radius, columns, n,
                 cells, compared);
      __syncthreads ();
#pragma unroll 1
      for (int r = 0; r < n; r++)
        add_row (window, weights, cells + r * columns + threadIdx.x,
                 compared + r * columns + threadIdx.x, middles, row + r, sums);
      __syncthreads ();
    }
  if (rows.high < RUN + radius)
    {
      move_sums (rows, true, sums);
      return;
    }
#pragma unroll
  for (int i = 0; i < RUN; i++)
    if (x < right && y + i < end)
      {
        const stored_t stored = fetch (source, x, y + i);
        compared_t middle;
        const cell_t cell = load (window, lights, stored, false, middle);
        stored_t *place = result + (long long) (y + i - top) * width + x - x_first;

        *place = finish_pixel (window, stored, cell, middle, sums[i]);
      }
}
