/* FIRs by vectors of LANES floats. fir.c includes this for each kind of vector unit, with
 *     LANES   floats of a vector
 *     PARTS   vectors that are summed side by side
 *     TARGET  the attribute that has functions compiled for the unit
 *     NAME    gives a function the unit's name
 * The compiler would not cut vectors that are larger than the unit's into such, but compute each
 * float by itself. */

typedef float NAME (Vector)
  __attribute__ ((vector_size (LANES * sizeof (float)), aligned (4), may_alias));

/* A tile of the result: PARTS vectors (parts) at each of up to PLACES places. Their sums fit into
 * registers, and are enough to hide the latency of an addition. The first sample of place j is
 * share * j taps after that of place 0. */
typedef struct {
  NAME (Vector) part[PLACES][PARTS];
} NAME (Sums);

/* Adds the parts at in, of tap k of place 0, to the sums of places first to end - 1. The parts are
 * gap floats apart. */
TARGET static FX_INLINE void
NAME (tile_add) (const float *in, int parts, gsize gap, const float *weights, int k, int share,
                 int first, int end, NAME (Sums) * sums)
{
  NAME (Vector) samples[PARTS];

#pragma GCC unroll 4
  for (int p = 0; p < parts; p++)
    samples[p] = *(const NAME (Vector) *) (in + p * gap);
#pragma GCC unroll 4
  for (int j = first; j < end; j++)
#pragma GCC unroll 4
    for (int p = 0; p < parts; p++)
      sums->part[j][p] += weights[k - share * j] * samples[p];
}

/* Computes a tile with the given numbers of places and parts. Neighbouring taps are stride floats
 * apart. Each sample is loaded once for all sums. The first and the last share * (places - 1)
 * samples contribute only to some sums; taps must exceed that number. Place j of the result is
 * stored at out + j * pitch, its parts out_gap floats apart. */
TARGET static FX_INLINE void
NAME (convolve_tile) (const float *in, gsize stride, int parts, gsize gap, const float *weights,
                      int taps, int places, int share, float *out, gsize pitch, gsize out_gap)
{
  NAME (Sums) total = { 0 };
  int all = share * (places - 1);

  /* Without the inner loops the compiler would keep an address for each tap, and spill them. */
#pragma GCC unroll 4
  for (int g = 0; g < places - 1; g++)
#pragma GCC unroll 1
    for (int k = share * g; k < share * (g + 1); k++)
      NAME (tile_add) (in + k * stride, parts, gap, weights, k, share, 0, g + 1, &total);
  for (int k = all; k < MIN (all + SLAB, taps); k++)
    NAME (tile_add) (in + k * stride, parts, gap, weights, k, share, 0, places, &total);
  for (int first = all + SLAB; first < taps; first += SLAB)
    {
      int end = MIN (first + SLAB, taps);
      NAME (Sums) sum = { 0 };

      for (int k = first; k < end; k++)
        NAME (tile_add) (in + k * stride, parts, gap, weights, k, share, 0, places, &sum);
#pragma GCC unroll 4
      for (int j = 0; j < places; j++)
#pragma GCC unroll 4
        for (int p = 0; p < parts; p++)
          total.part[j][p] += sum.part[j][p];
    }
#pragma GCC unroll 4
  for (int g = 0; g < places - 1; g++)
#pragma GCC unroll 1
    for (int k = taps + share * g; k < taps + share * (g + 1); k++)
      NAME (tile_add) (in + k * stride, parts, gap, weights, k, share, g + 1, places, &total);
#pragma GCC unroll 4
  for (int j = 0; j < places; j++)
#pragma GCC unroll 4
    for (int p = 0; p < parts; p++)
      *(NAME (Vector) *) (out + j * pitch + p * out_gap) = total.part[j][p];
}

TARGET static void
NAME (column_convolve) (const float (*in)[FX_COLUMN], const float *weights, int taps, int count,
                        float *out, gsize pitch)
{
  int row;

  for (int x = 0; x < FX_COLUMN; x += PARTS * LANES)
    {
      for (row = 0; taps >= PLACES && row + PLACES <= count; row += PLACES)
        NAME (convolve_tile)
      (in[row] + x, FX_COLUMN, PARTS, LANES, weights, taps, PLACES, 1, out + row * pitch + x, pitch,
       LANES);
      for (; row < count; row++)
        NAME (convolve_tile)
      (in[row] + x, FX_COLUMN, PARTS, LANES, weights, taps, 1, 1, out + row * pitch + x, pitch,
       LANES);
    }
}

/* Computes PARTS blocks of a row of pixels of step floats. */
TARGET static FX_INLINE void
NAME (convolve_blocks) (const float *in, int step, const float *weights, int taps, float *out,
                        gsize pitch)
{
  int share = LANES / step;
  int places = taps > 3 * share ? 4 : taps > share ? 2 : 1;

  for (int x = 0; x < FX_COLUMN; x += places * LANES)
    if (places == 4)
      NAME (convolve_tile)
  (in + x, step, PARTS, FX_COLUMN, weights, taps, 4, share, out + x, LANES, pitch);
  else if (places == 2) NAME (convolve_tile) (in + x, step, PARTS, FX_COLUMN, weights, taps, 2,
                                              share, out + x, LANES, pitch);
  else NAME (convolve_tile) (in + x, step, PARTS, FX_COLUMN, weights, taps, 1, share, out + x,
                             LANES, pitch);
}

TARGET static void
NAME (row_convolve) (const float *in, int step, const float *weights, int taps, gsize n, float *out,
                     gsize pitch)
{
  for (gsize x = 0; x < n; x += PARTS * FX_COLUMN)
    {
      float *block = out + x / FX_COLUMN * pitch;

      if (step == 4)
        NAME (convolve_blocks) (in + x, 4, weights, taps, block, pitch);
      else if (step == 2)
        NAME (convolve_blocks) (in + x, 2, weights, taps, block, pitch);
      else
        NAME (convolve_blocks) (in + x, 1, weights, taps, block, pitch);
    }
}

#undef LANES
#undef PARTS
#undef TARGET
#undef NAME
