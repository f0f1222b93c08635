/* The separable FIR, a kernel for each axis: source rows -> ring of floats -> result rows.
 *
 * Constants, set before this file, beside those of pixel.cuh: ABYSS (BlurAbyss), BEYOND (the
 * premultiplied pixel beyond the edge), RADIUS_X, RADIUS_Y, weights_x, weights_y (from the centre
 * outwards).
 *
 * A thread computes RUN neighbours along the axis of its filter. Their windows overlap, so a sample
 * is read once into a register window and serves RUN multiplications. Long kernels are summed in
 * slabs, which keeps the rounding error from growing with their length. */

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

#include "pixel.cuh"

#define RUN 8

#define TAPS_X (2 * RADIUS_X + 1)
#define TAPS_Y (2 * RADIUS_Y + 1)

/* filter_rows: a block has ROWS rows of TILE columns of the result. */
#define ROWS       16
#define TILE       128
#define ROW_BLOCK  (ROWS * TILE / RUN)
#define SLAB       (TAPS_X < 32 ? (TAPS_X + RUN - 1) / RUN * RUN : 32)
#define TILE_PITCH (ROWS + 2) /* RUN * TILE_PITCH is 16 modulo 32: two runs of 16 rows, 32 banks */

/* filter_columns: a block has COLUMN_BLOCK columns of RUN rows of the result. */
#define COLUMN_BLOCK 128
#define SLAB_Y       64

/* Row y of the image is at slot y modulo count, as CHANNELS planes of pitch floats each. */
struct ring_t {
  float *rows;
  long long pitch;
  int count;
};

/* Source rows first_row and on, columns x0 to x1 - 1 of an image of width x height. */
struct source_t {
  const stored_t *pixels;
  int x0, x1;
  int width;
};

__device__ static inline pixel_t
get_beyond ()
{
  const float beyond[4] = BEYOND;
  pixel_t pixel;

#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    pixel.v[c] = beyond[c];
  return pixel;
}

/* The pixel in column x of a source row, or what lies beyond the edge. Columns that no result needs
 * are not in the source: any finite value will do. */
__device__ static inline pixel_t
load_pixel (const source_t &source, const stored_t *row, int x)
{
  if (ABYSS == 0)
    x = min (max (x, 0), source.width - 1);
  if (x < source.x0 || x >= source.x1)
    return get_beyond ();
  return decode (row[x - source.x0]);
}

/* Filters rows source rows, the first of them row y of the image, for result columns x0 and on. */
extern "C" __global__ void __launch_bounds__ (ROW_BLOCK)
filter_rows (source_t source, ring_t ring, int x0, int y, int rows)
{
  __shared__ float tile[CHANNELS][TILE + SLAB][TILE_PITCH];
  const int row = threadIdx.x % ROWS;
  const int first = threadIdx.x / ROWS * RUN;
  const int block_row = blockIdx.y * ROWS;
  const int left = x0 + (int) blockIdx.x * TILE;
  float total[CHANNELS][RUN] = {};

  for (int slab = 0; slab < TAPS_X; slab += SLAB)
    {
      float window[CHANNELS][RUN];
      float sum[CHANNELS][RUN] = {};

      __syncthreads ();
      for (int i = threadIdx.x; i < ROWS * (TILE + SLAB); i += ROW_BLOCK)
        {
          const int r = i / (TILE + SLAB);
          const int column = i % (TILE + SLAB);
          const long long offset =
            (long long) min (block_row + r, rows - 1) * (source.x1 - source.x0);
          const pixel_t pixel =
            load_pixel (source, source.pixels + offset, left - RADIUS_X + slab + column);

#pragma unroll
          for (int c = 0; c < CHANNELS; c++)
            tile[c][column][r] = pixel.v[c];
        }
      __syncthreads ();

#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
#pragma unroll
        for (int i = 0; i < RUN; i++)
          window[c][i] = tile[c][first + i][row];
      for (int t = 0; t < SLAB; t += RUN)
#pragma unroll
        for (int i = 0; i < RUN; i++)
          {
            const int tap = slab + t + i;

            if (tap < TAPS_X) /* not a weight of 0: it would make NaN of infinity */
              {
                const float weight = weights_x[abs (tap - RADIUS_X)];

#pragma unroll
                for (int c = 0; c < CHANNELS; c++)
#pragma unroll
                  for (int p = 0; p < RUN; p++)
                    sum[c][p] += weight * window[c][(i + p) % RUN];
              }
#pragma unroll
            for (int c = 0; c < CHANNELS; c++)
              window[c][i] = tile[c][first + t + i + RUN][row];
          }
#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
#pragma unroll
        for (int p = 0; p < RUN; p++)
          total[c][p] += sum[c][p];
    }

  const long long column = (long long) blockIdx.x * TILE + first;

  if (block_row + row >= rows || column >= ring.pitch)
    return;
  float *out = ring.rows + (y + block_row + row) % ring.count * CHANNELS * ring.pitch + column;
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
#pragma unroll
    for (int p = 0; p < RUN; p++)
      out[c * ring.pitch + p] = total[c][p];
}

/* Result rows y to y + rows - 1. ring_offset: what to add to a row's number so that it lies from 0
 * to 2 ring.count - 1 and is its slot modulo ring.count. */
extern "C" __global__ void __launch_bounds__ (COLUMN_BLOCK)
filter_columns (ring_t ring, int ring_offset, int height, int width, int y, int rows,
                stored_t *result)
{
  const int x = blockIdx.x * COLUMN_BLOCK + threadIdx.x;
  const int first = blockIdx.y * RUN;
  const int last_row = y + rows - 1 + RADIUS_Y;
  float window[CHANNELS][RUN];
  float total[CHANNELS][RUN] = {};

  if (x >= width)
    return;

  /* The ring's sample at row number n of the image, or beyond its edge. */
  const auto load = [&] (int n, int slot, float (&to)[CHANNELS][RUN])
  {
    const pixel_t beyond = get_beyond ();
    const bool outside = ABYSS != 0 && (n < 0 || n >= height);
    int row = min (min (max (n, 0), height - 1), last_row) + ring_offset;

    row -= row >= ring.count ? ring.count : 0;
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
      to[c][slot] = outside ? beyond.v[c]
                            : ring.rows[((long long) row * CHANNELS + c) * ring.pitch + x];
  };

  const int top = y + first - RADIUS_Y;

#pragma unroll
  for (int i = 0; i < RUN; i++)
    load (top + i, i, window);
  for (int slab = 0; slab < TAPS_Y; slab += SLAB_Y)
    {
      float sum[CHANNELS][RUN] = {};

      for (int t = slab; t < min (slab + SLAB_Y, TAPS_Y); t += RUN)
#pragma unroll
        for (int i = 0; i < RUN; i++)
          {
            if (t + i < TAPS_Y)
              {
                const float weight = weights_y[abs (t + i - RADIUS_Y)];

#pragma unroll
                for (int c = 0; c < CHANNELS; c++)
#pragma unroll
                  for (int p = 0; p < RUN; p++)
                    sum[c][p] += weight * window[c][(i + p) % RUN];
              }
            load (top + t + i + RUN, i, window);
          }
#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
#pragma unroll
        for (int p = 0; p < RUN; p++)
          total[c][p] += sum[c][p];
    }

#pragma unroll
  for (int p = 0; p < RUN; p++)
    if (first + p < rows)
      {
        pixel_t pixel;

#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
          pixel.v[c] = total[c][p];
        result[(long long) (first + p) * width + x] = encode (pixel);
      }
}
