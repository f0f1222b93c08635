/* The source in its stored form, and rows of floats.
 *
 * Constants, set before this file, beside those of pixel.cuh: ABYSS (BlurAbyss), BEYOND (the
 * premultiplied pixel beyond the edge). */

/* Rows of an image of width columns: columns x0 to x1 - 1 of them are here. */
struct source_t {
  const stored_t *pixels;
  int x0, x1;
  int width;
};

/* Rows low to high - 1 of a grid, as CHANNELS planes of pitch floats each; row n is at slot
 * n + offset, less slots if that is not below slots. Further out lies what the abyss policy says, if
 * beyond_low or beyond_high is set, else the outermost row. A plane has the columns x_first to
 * x_first + columns - 1; further out, the outermost. */
struct rows_t {
  float *data;
  long long pitch;
  int slots, offset;
  int low, high;
  int beyond_low, beyond_high;
  int x_first, columns;
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

__device__ static inline int
clamp (int x, int low, int high)
{
  return min (max (x, low), high);
}

/* Column x of a source row. Where the image goes on but its columns are not here, no result depends
 * on them, or by less than the error allowed: the outermost stands for them. */
__device__ static inline pixel_t
load_source (const source_t &source, int row, int x)
{
  if (ABYSS != 0 && (x < 0 || x >= source.width))
    return get_beyond ();
  x = clamp (x, source.x0, source.x1 - 1);
  return decode (source.pixels[(long long) row * (source.x1 - source.x0) + x - source.x0]);
}

/* Where a row's plane is. n: low to high - 1. */
__device__ static inline float *
get_plane (const rows_t &rows, int n, int c)
{
  int slot = n + rows.offset;

  slot -= slot >= rows.slots ? rows.slots : 0;
  return rows.data + ((long long) slot * CHANNELS + c) * rows.pitch;
}

/* Sample i of a row's plane, counted from its first. */
__device__ static inline float
load_row (const rows_t &rows, int n, int c, int i)
{
  if ((n < rows.low && rows.beyond_low) || (n >= rows.high && rows.beyond_high))
    return get_beyond ().v[c];
  return get_plane (rows, clamp (n, rows.low, rows.high - 1), c)[i];
}

__device__ static inline pixel_t
load_pixel (const rows_t &rows, int n, int i)
{
  pixel_t pixel;

#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    pixel.v[c] = load_row (rows, n, c, i);
  return pixel;
}
