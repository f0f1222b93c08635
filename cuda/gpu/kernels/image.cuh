/* Access to pixels: the source as it is stored, and grids of floats.
 *
 * Constants to define before this file, in addition to those of pixel.cuh: ABYSS (one of
 * ABYSS_...), BEYOND (the premultiplied pixel beyond the edge, before highlights are expanded). The
 * defaults are below. These are constants because they affect the cost of every pixel; no kernel
 * tests them at run time. */

#ifndef ABYSS
#define ABYSS ABYSS_CLAMP
#define BEYOND \
  {            \
    0, 0, 0, 0 \
  }
#endif

__device__ static inline pixel_t
get_beyond ()
{
  const float beyond[4] = BEYOND;
  pixel_t pixel;

#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    pixel.v[c] = beyond[c];
#pragma unroll
  for (int c = 0; c < COLORS; c++)
    pixel.v[c] *= RANGE; /* black or white */
  return pixel;
}

__device__ static inline int
clamp (int x, int low, int high)
{
  return min (max (x, low), high);
}

/* The largest integer not above n / factor. */
__device__ static inline int
floor_div (int n, int factor)
{
  return n >= 0 ? n / factor : -((factor - 1 - n) / factor);
}

__device__ static inline int
get_slot (int y, int slots, int offset)
{
  const int slot = y + offset;

  return slot >= slots ? slot - slots : slot;
}

__device__ static inline bool
is_beyond (const FxSource &source, int x, int y)
{
  return ABYSS != ABYSS_CLAMP &&
         (x < source.left || x >= source.right || y < source.top || y >= source.bottom);
}

__device__ static inline void
prefetch (const void *place)
{
#ifdef __CUDACC__
  asm volatile("prefetch.global.L1 [%0];" : : "l"(place));
#endif
}

/* A pixel is read in two steps, so that other work can be done between them: fetch reads it from
 * memory, finish converts it to floats. */

/* If the image continues outside of the source, results depend on the pixels there by less than the
 * permitted error, so the outermost pixels of the source replace them. A caller that reads several
 * pixels of a row should find the row once, because that costs more than the pixels. */
__device__ static inline const stored_t *
find_row (const FxSource &source, int y)
{
  const int slot = get_slot (clamp (y, source.y0, source.y1 - 1), source.slots, source.offset);

  return source.pixels + (long long) slot * source.pitch;
}

__device__ static inline stored_t
fetch (const FxSource &source, const stored_t *row, int x)
{
  return row[clamp (x, source.x0, source.x1 - 1) - source.x0];
}

__device__ static inline stored_t
fetch (const FxSource &source, int x, int y)
{
  return fetch (source, find_row (source, y), x);
}

__device__ static inline pixel_t
finish (const FxSource &source, const stored_t &stored, int x, int y)
{
  return is_beyond (source, x, y) ? get_beyond () : decode (stored);
}

/* The first cell of a row in memory. */
__device__ static inline pixel_t *
get_row (const FxGrid &grid, int y)
{
  return grid.cells + (long long) get_slot (y, grid.slots, grid.offset) * grid.columns;
}

/* For a grid that is completely in memory. A cell outside equals the nearest cell of the grid. */
__device__ static inline const pixel_t *
find_row (const FxGrid &grid, int y)
{
  return get_row (grid, clamp (y, grid.y_first, grid.y_first + grid.rows - 1));
}

__device__ static inline pixel_t
fetch (const FxGrid &grid, const pixel_t *row, int x)
{
  return row[clamp (x - grid.x_first, 0, grid.columns - 1)];
}

__device__ static inline pixel_t
fetch (const FxGrid &grid, int x, int y)
{
  return fetch (grid, find_row (grid, y), x);
}

__device__ static inline pixel_t
finish (const FxGrid &grid, const pixel_t &pixel, int x, int y)
{
  return pixel;
}
