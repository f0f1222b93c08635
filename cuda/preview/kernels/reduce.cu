/* Renders a view of a filtered image: mixes the result with the source under the mask, restores the
 * locked channels and averages the area that each view pixel covers. ../view.c does the same on the
 * CPU.
 *
 * A power of two of threads, its lanes, compute a view pixel: at most as many as the image columns
 * that it covers. The lanes process neighbouring pixels of a row. */

#include "pixel.cuh"

/* Pixels outside the image are 0, regardless of the filter's abyss policy. */
#define ABYSS ABYSS_NONE
#define BEYOND \
  {            \
    0, 0, 0, 0 \
  }
#include "image.cuh"
#include "reduce-args.h"

#define THREADS FX_REDUCE_THREADS

struct __align__ (4) rgba_t
{
  unsigned char v[4];
};

__device__ static inline float
get_weight (const FxCover &cover, int pixel)
{
  if (pixel == cover.first)
    return cover.weight_first;
  return pixel == cover.first + cover.count - 1 ? cover.weight_last : cover.weight;
}

/* The share of the filter's result in a pixel. In the margin that extends the image, it is the
 * maximum. */
__device__ static inline int
get_share (const FxSource &source, const unsigned char *mask, int x, int y)
{
  const int width = source.x1 - source.x0, height = source.y1 - source.y0;

  if (! mask || x < 0 || x >= width || y < 0 || y >= height)
    return 255;
  return mask[(long long) y * width + x];
}

/* Mixes in linear light. Coverage, which has one channel, is mixed as it is stored. */
__device__ static inline pixel_t
mix (const stored_t &before, const stored_t &after, float share, int coverage)
{
  pixel_t from = clear_transparent (decode (before)), to = clear_transparent (decode (after));

  if (coverage)
    {
      const float low = sample_in (before.v[0]), high = sample_in (after.v[0]);

      to.v[0] = curve_in (low + share * (high - low));
      return to;
    }
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    if (! FLOATING || to.v[c] != from.v[c]) /* infinity less infinity is NaN */
      to.v[c] = from.v[c] + share * (to.v[c] - from.v[c]);
  return to;
}

/* Restores the locked channels (bits), or all channels if the filter made the pixel transparent. */
__device__ static inline stored_t
keep (const FxSource &source, stored_t after, int locked, int column, int row)
{
  stored_t before = {};

  if (! is_beyond (source, column, row))
    before = fetch (source, column, row);
  if (ALPHA && after.v[CHANNELS - 1] == 0)
    return before;
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    if (locked >> c & 1)
      after.v[c] = before.v[c];
  return after;
}

__device__ static inline pixel_t
get_pixel (const FxSource &source, const unsigned char *mask, const FxResult &result, int x, int y,
           int coverage, int locked)
{
  const int share = result.pixels ? get_share (source, mask, x, y) : 0;
  const int column = x + source.x0, row = y + source.y0; /* of the extended image */
  stored_t after;
  pixel_t mixed;

  if (share == 0)
    return clear_transparent (finish (source, fetch (source, column, row), column, row));
  after = result
            .pixels[(long long) (y - result.top) * (result.right - result.left) + x - result.left];
  if (share < 255)
    {
      mixed = mix (fetch (source, column, row), after, share * (1.0f / 255.0f), coverage);
      if (! locked)
        return mixed;
      after = encode (mixed);
    }
  return clear_transparent (decode (locked ? keep (source, after, locked, column, row) : after));
}

/* This lane's part of the average over columns and rows. */
__device__ static inline pixel_t
add_up (const FxSource &source, const unsigned char *mask, const FxResult &result,
        const FxCover &columns, const FxCover &rows, int lane, int lanes, int coverage, int locked)
{
  pixel_t sum = {};

  for (int y = rows.first; y < rows.first + rows.count; y++)
    {
      const float weight = get_weight (rows, y);

      for (int x = columns.first + lane; x < columns.first + columns.count; x += lanes)
        {
          const pixel_t pixel = get_pixel (source, mask, result, x, y, coverage, locked);
          const float part = weight * get_weight (columns, x);

#pragma unroll
          for (int c = 0; c < CHANNELS; c++)
            sum.v[c] += part * pixel.v[c];
        }
    }
  return sum;
}

__device__ static inline unsigned char
to_byte (float x)
{
  return (unsigned char) __float2uint_rn (__saturatef (x) * 255.0f);
}

/* Converts an average, premultiplied and linear, to a view pixel. Grey fills all three colours. */
__device__ static inline rgba_t
show (const pixel_t &pixel)
{
  const float alpha = ALPHA ? pixel.v[CHANNELS - 1] : 1.0f;
  const float scale = fabsf (alpha) >= ALPHA_MIN ? 1.0f / alpha : 0.0f;
  rgba_t rgba;

#pragma unroll
  for (int c = 0; c < 3; c++)
    rgba.v[c] = to_byte (gamma_from_linear (unmultiply (pixel.v[COLORS == 3 ? c : 0], scale)));
  rgba.v[3] = to_byte (alpha);
  return rgba;
}

/* Renders rows of the view from first on, one for each blockIdx.y. width is the view's. lanes is a
 * power of two. */
extern "C" __global__ void
__launch_bounds__ (THREADS) kernel (FxSource source, const unsigned char *mask, FxResult result,
                                    const FxCover *columns, const FxCover *rows, int width,
                                    int first, int lanes, int coverage, int locked, rgba_t *view)
{
  __shared__ pixel_t sums[THREADS];
  const int i = threadIdx.x, lane = i % lanes;
  const int column = (int) blockIdx.x * (THREADS / lanes) + i / lanes;
  const int row = first + (int) blockIdx.y;
  FxCover cover = {};
  pixel_t sum;

  init_decode (THREADS);
  if (column < width)
    cover = columns[column];
  sum = add_up (source, mask, result, cover, rows[row], lane, lanes, coverage, locked);
  for (int n = lanes / 2; n > 0; n /= 2)
    {
      sums[i] = sum;
      __syncthreads ();
      if (lane < n)
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
          sum.v[c] += sums[i + n].v[c];
      __syncthreads ();
    }
  if (lane == 0 && column < width)
    view[(long long) row * width + column] = cover.count > 0 ? show (sum) : rgba_t ();
}
