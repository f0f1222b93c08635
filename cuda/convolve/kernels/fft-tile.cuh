/* The places of the tiles of an area.
 *
 * Constant to define before this file: LENGTH, of what the kernel transforms. */

#define T_LINE (LENGTH / FFT_EACH) /* threads of a line */

/* Returns how many rows of the result a tile has. */
__device__ static inline int
get_tile_rows (const ConvolveFft &fft, int tile)
{
  return min (fft.step_y, fft.height - tile / fft.across * fft.step_y);
}

__device__ static inline int
get_tile_x (const ConvolveFft &fft, int tile)
{
  return fft.x + tile % fft.across * fft.step_x;
}

__device__ static inline int
get_tile_y (const ConvolveFft &fft, int tile)
{
  return fft.y + tile / fft.across * fft.step_y;
}
