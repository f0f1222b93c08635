/* Converts sums to stored pixels.
 *
 * Constants to define before this file, in addition to those of image.cuh: DIVIDES_BY_ALPHA
 * (whether colour is divided by alpha's sum), ALPHA_MATRIX (whether that sum has other weights than
 * colour), WRITTEN (the bits of the channels to write). */

#define WRITES_ALL (WRITTEN == (1 << CHANNELS) - 1)

/* own is the source's pixel. */
__device__ static inline stored_t
get_result (pixel_t sum, const ConvolveAfter &after, const stored_t &own)
{
  const float scale = DIVIDES_BY_ALPHA ? get_scale (sum.v[CHANNELS - 1]) * after.gain : 1.0f;
  float factor;
  stored_t stored;

#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    {
      const float straight = DIVIDES_BY_ALPHA && c < COLORS ? unmultiply (sum.v[c], scale)
                                                            : sum.v[c];

      sum.v[c] = straight + after.offset[c];
    }
  factor = get_compression (sum);
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    {
      const float value = sum.v[c];

      stored.v[c] = sample_out (to_number (c < COLORS ? curve_out (value * factor) : value));
      if (! (WRITTEN >> c & 1))
        stored.v[c] = own.v[c];
    }
  return stored;
}

/* Stores the result for the pixel at x, y in place. */
__device__ static inline void
store_result (const FxSource &source, const pixel_t &sum, const ConvolveAfter &after, int x,
              int y, stored_t *place)
{
  *place = get_result (sum, after, WRITES_ALL ? stored_t () : fetch (source, x, y));
}
