/* The inner loops of a FIR along either axis.
 *
 * A thread computes RUN neighbours along the axis of the filter. Their windows overlap, so a sample
 * is read once into a register window and serves RUN multiplications. Long kernels are summed in
 * slabs, which keeps the rounding error from growing with their length. */

#define RUN 8

/* Along x: a block of ROW_BLOCK threads has ROWS rows of TILE columns of the result. */
#define ROWS       16
#define TILE       128
#define ROW_BLOCK  (ROWS * TILE / RUN)
#define TILE_PITCH (ROWS + 2) /* RUN * TILE_PITCH is 16 modulo 32: two runs of 16 rows, 32 banks */

/* Along y: a block has COLUMN_BLOCK columns of RUN rows of the result. */
#define COLUMN_BLOCK 128
#define COLUMN_SLAB  64

typedef float run_t[CHANNELS][RUN];

/* Stores a run of neighbours in 16 bytes at a time: the threads of a warp are in different rows, and
 * would else write each sector of memory RUN times over. to: at a multiple of RUN floats. */
__device__ static inline void
store_run (float *to, const float (&run)[RUN])
{
#pragma unroll
  for (int i = 0; i < RUN; i += 4)
    *(float4 *) (to + i) = make_float4 (run[i], run[i + 1], run[i + 2], run[i + 3]);
}

/* load (row, column): the pixel of a row of the block at the first output's first tap + column.
 * weight (tap). store (row, column, run): takes RUN results from column of the tile on. */
template <int SLAB, typename Load, typename Weight, typename Store>
__device__ static inline void
convolve_rows (int taps, Load load, Weight weight, Store store)
{
  __shared__ float tile[CHANNELS][TILE + SLAB][TILE_PITCH];
  const int row = threadIdx.x % ROWS;
  const int first = threadIdx.x / ROWS * RUN;
  run_t total = {};

  for (int slab = 0; slab < taps; slab += SLAB)
    {
      run_t window, sum = {};

      __syncthreads ();
      for (int i = threadIdx.x; i < ROWS * (TILE + SLAB); i += ROW_BLOCK)
        {
          const int r = i / (TILE + SLAB);
          const int column = i % (TILE + SLAB);
          const pixel_t pixel = load (r, slab + column);

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
            if (slab + t + i < taps) /* not a weight of 0: it would make NaN of infinity */
              {
                const float w = weight (slab + t + i);

#pragma unroll
                for (int c = 0; c < CHANNELS; c++)
#pragma unroll
                  for (int p = 0; p < RUN; p++)
                    sum[c][p] += w * window[c][(i + p) % RUN];
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
  store (row, first, total);
}

/* load (row): the pixel of this thread's column at the first output's first tap + row. total: RUN
 * results, one below the other. */
template <typename Load, typename Weight>
__device__ static inline void
convolve_column (int taps, Load load, Weight weight, run_t &total)
{
  run_t window;

#pragma unroll
  for (int i = 0; i < RUN; i++)
    {
      const pixel_t pixel = load (i);

#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
        {
          window[c][i] = pixel.v[c];
          total[c][i] = 0.0f;
        }
    }
  for (int slab = 0; slab < taps; slab += COLUMN_SLAB)
    {
      run_t sum = {};

      for (int t = slab; t < min (slab + COLUMN_SLAB, taps); t += RUN)
#pragma unroll
        for (int i = 0; i < RUN; i++)
          {
            const pixel_t pixel = load (t + i + RUN);

            if (t + i < taps)
              {
                const float w = weight (t + i);

#pragma unroll
                for (int c = 0; c < CHANNELS; c++)
#pragma unroll
                  for (int p = 0; p < RUN; p++)
                    sum[c][p] += w * window[c][(i + p) % RUN];
              }
#pragma unroll
            for (int c = 0; c < CHANNELS; c++)
              window[c][i] = pixel.v[c];
          }
#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
#pragma unroll
        for (int p = 0; p < RUN; p++)
          total[c][p] += sum[c][p];
    }
}
