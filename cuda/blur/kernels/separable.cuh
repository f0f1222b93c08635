/* A separable FIR along both axes in one kernel.
 *
 * A block has TILE columns and proceeds down the rows of the result, RUN at a time. Incoming rows
 * are decoded into shared memory and filtered along x into a ring of rows, also in shared memory.
 * Once the ring holds all rows that RUN rows of the result depend on, these are filtered along y
 * and stored. So each pixel is read once and written once per block; only the columns beside a tile
 * and the rows at a block's start are read by two blocks.
 *
 * A thread computes one channel of RUN neighbours (blur-args.h) along the axis of the filter. Their
 * windows overlap, so each sample is read into a register once and used for RUN multiplications.
 *
 * Constants to define before this file, in addition to those of image.cuh: TILE; for a specialised
 * program also RADIUS_X, RADIUS_Y and the arrays weights_x and weights_y, from the centre
 * outwards. */

#include "blur-args.h"

#define THREADS (TILE * CHANNELS)
#define WARPS   (THREADS / 32)

/* The pixels of a run of rows that a thread reads; a warp reads along a row. */
#ifndef RADIUS_X
#define ROW_LOADS ((TILE + 2 * RADIUS_MAX + 31) / 32)
#else
#define ROW_LOADS ((TILE + 2 * RADIUS_X + 31) / 32)
#endif
#define LOADS     (ROW_LOADS * ((RUN + WARPS - 1) / WARPS))

/* The pitch of a column of RUN pixels and of a row of TILE pixels: one pixel more than needed, so
 * that threads that move along one and across the other use different banks. */
#define COLUMN_PITCH ((RUN + 1) * CHANNELS)
#define ROW_PITCH    ((TILE + 1) * CHANNELS)

/* Returns the floats of shared memory for a kernel's weights. */
__device__ static inline int
get_room (int radius)
{
  return (2 * radius + RUN) / RUN * RUN;
}

/* Unfolds the symmetric kernel into shared memory. */
__device__ static inline void
load_taps (const BlurTaps &taps, float *to)
{
#pragma unroll 1
  for (int i = threadIdx.x; i < get_room (taps.radius); i += THREADS)
    to[i] = i <= 2 * taps.radius ? taps.weights[abs (i - taps.radius)] : 0.0f;
}

/* Computes sum[p], the sum over t of weight t times sample t + p. get_weights (t, w) fills w with
 * RUN weights from t on. get_samples (t) returns the address of samples t to t + RUN - 1, stride
 * floats apart; t is a multiple of RUN. taps is odd, so there always is an incomplete run of taps
 * at the end. */
template <typename Weights, typename Samples>
__device__ static inline void
convolve_run (int taps, int stride, Weights get_weights, Samples get_samples, float (&sum)[RUN])
{
  const float *samples = get_samples (0);
  float window[RUN], weights[RUN];
  int t = 0;

#pragma unroll
  for (int i = 0; i < RUN; i++)
    {
      window[i] = samples[i * stride];
      sum[i] = 0.0f;
    }
  for (; t + RUN <= taps; t += RUN)
    {
      samples = get_samples (t + RUN);
      get_weights (t, weights);
#pragma unroll
      for (int i = 0; i < RUN; i++)
        {
#pragma unroll
          for (int p = 0; p < RUN; p++)
            sum[p] += weights[i] * window[(i + p) % RUN];
          window[i] = samples[i * stride];
        }
    }
  samples = get_samples (t + RUN);
  get_weights (t, weights);
#pragma unroll
  for (int i = 0; i < RUN - 1; i++)
    if (t + i < taps) /* a weight of 0 would turn infinity into NaN */
      {
#pragma unroll
        for (int p = 0; p < RUN; p++)
          sum[p] += weights[i] * window[(i + p) % RUN];
        if (t + i + 1 < taps)
          window[i] = samples[i * stride];
      }
}

/* Recomputes sums that are not finite. Samples under an alpha of 0 are ignored. Samples that are
 * not finite are added without weights, because the negative weights of a coarsest grid's FIR would
 * flip the sign of infinities. get_weight (t) returns a weight. alpha is the offset from a sample
 * to its alpha; 0: there is none. */
template <typename Weight, typename Samples>
__device__ static inline void
recompute_run (int taps, int stride, int alpha, Weight get_weight, Samples get_samples,
               float (&sum)[RUN])
{
  float all = fabsf (sum[0]) + fabsf (sum[RUN - 1]); /* with enough taps, these two depend on all
                                                        samples */

  if (taps < RUN - 1)
#pragma unroll
    for (int p = 1; p < RUN - 1; p++)
      all += fabsf (sum[p]);
  if (is_finite (all))
    return;
#pragma unroll
  for (int p = 0; p < RUN; p++)
    sum[p] = 0.0f;
#pragma unroll 1
  for (int t = 0; t < taps + RUN - 1; t++)
    {
      const float *sample = get_samples (t / RUN * RUN) + t % RUN * stride;

      if (sample[alpha] == 0.0f)
        continue;
#pragma unroll
      for (int p = 0; p < RUN; p++)
        if (t >= p && t < taps + p)
          sum[p] += is_finite (*sample) ? get_weight (t - p) * *sample : *sample;
    }
}

/* Computes result rows first to end - 1, columns left to right - 1. from is a source or a grid;
 * rows after last do not matter. find_result (y) returns the address of column 0 of result row y,
 * as if there were one. store (place, pixel) stores a pixel.
 *
 * shared has, if weights are not compiled in, the weights along x and along y; then line, first RUN
 * rows of the source as they come in, column by column, and later RUN rows of the result; then
 * ring, rows that are filtered along x. A thread's tasks differ: it reads every 32nd column of a
 * row, filters a run of pixels of a row, then a run of rows of one column, and stores whole pixels.
 * __syncthreads separates these. */
template <typename From, typename Find, typename Store>
__device__ static inline void
convolve (const From &from, const BlurTaps &taps_x, const BlurTaps &taps_y, int left, int right,
          int first, int end, int last, float *shared, Find find_result, Store store)
{
#ifdef RADIUS_X
  const int radius_x = RADIUS_X, radius_y = RADIUS_Y;
  float *line = shared;
  const auto get_x = [] (int t, float (&w)[RUN])
  {
#pragma unroll
    for (int i = 0; i < RUN; i++)
      w[i] = weights_x[min (abs (t + i - RADIUS_X), RADIUS_X)];
  };
  const auto get_weight_x = [] (int t) { return weights_x[abs (t - RADIUS_X)]; };
  const auto get_y = [] (int t, float (&w)[RUN])
  {
#pragma unroll
    for (int i = 0; i < RUN; i++)
      w[i] = weights_y[min (abs (t + i - RADIUS_Y), RADIUS_Y)];
  };
  const auto get_weight_y = [] (int t) { return weights_y[abs (t - RADIUS_Y)]; };
#else
  const int radius_x = taps_x.radius, radius_y = taps_y.radius;
  const float *room_x = shared, *room_y = shared + get_room (radius_x);
  float *line = shared + get_room (radius_x) + get_room (radius_y);
  const auto get_x = [room_x] (int t, float (&w)[RUN])
  {
    *(float4 *) w = *(const float4 *) (room_x + t);
    *(float4 *) (w + 4) = *(const float4 *) (room_x + t + 4);
  };
  const auto get_weight_x = [room_x] (int t) { return room_x[t]; };
  const auto get_y = [room_y] (int t, float (&w)[RUN])
  {
    *(float4 *) w = *(const float4 *) (room_y + t);
    *(float4 *) (w + 4) = *(const float4 *) (room_y + t + 4);
  };
  const auto get_weight_y = [room_y] (int t) { return room_y[t]; };

  load_taps (taps_x, shared);
  load_taps (taps_y, shared + get_room (radius_x));
#endif
  const int span = TILE + 2 * radius_x;
  const int warm = (2 * radius_y + RUN - 1) / RUN; /* runs of rows before the first result */
  float *ring = line + span * COLUMN_PITCH;
  const int i = threadIdx.x;
  /* Along x: the first pixel of the run, and which of its RUN rows' channels. */
  const int run = i / (RUN * CHANNELS) * RUN, task = i % (RUN * CHANNELS);
  const int row = task / CHANNELS, channel = task % CHANNELS;
  int slot = 0; /* of the ring, in runs of rows: where the next run goes */
  decltype (fetch (from, 0, 0)) ahead[LOADS]; /* the next run of rows, fetched early to hide the
                                                 memory latency */
  const auto get_x_of = [&] (int k) { return i % 32 + k % ROW_LOADS * 32; };
  const auto get_row_of = [&] (int k) { return i / 32 + k / ROW_LOADS * WARPS; };
  const auto fetch_run = [&] (int y)
  {
#pragma unroll
    for (int k = 0; k < LOADS; k += ROW_LOADS)
      if (get_row_of (k) < RUN)
        {
          const auto row = find_row (from, min (y + get_row_of (k), last));

#pragma unroll
          for (int n = k; n < k + ROW_LOADS; n++)
            if (get_x_of (n) < span)
              ahead[n] = fetch (from, row, left - radius_x + get_x_of (n));
        }
  };

  /* The first row of the result that the rows from y on complete. */
  const auto get_result_y = [&] (int y) { return y - warm * RUN + radius_y; };

  fetch_run (first - radius_y);
  for (int y = first - radius_y; get_result_y (y) < end; y += RUN)
    {
      float sum[RUN];

#pragma unroll
      for (int k = 0; k < LOADS; k++)
        {
          const int x = get_x_of (k), r = get_row_of (k);

          if (x < span && r < RUN)
            *(pixel_t *) (line + x * COLUMN_PITCH + r * CHANNELS) =
              finish (from, ahead[k], left - radius_x + x, min (y + r, last));
        }
      fetch_run (y + RUN);
      __syncthreads ();

      const auto get_samples_x = [&] (int t) { return line + (run + t) * COLUMN_PITCH + task; };

      convolve_run (2 * radius_x + 1, COLUMN_PITCH, get_x, get_samples_x, sum);
      if (FLOATING && (PREMULTIPLIED || SIGNED_WEIGHTS))
        recompute_run (2 * radius_x + 1, COLUMN_PITCH,
                       SIGNED_WEIGHTS ? 0 : CHANNELS - 1 - channel, get_weight_x, get_samples_x,
                       sum);
#pragma unroll
      for (int p = 0; p < RUN; p++)
        ring[(slot * RUN + row) * ROW_PITCH + (run + p) * CHANNELS + channel] = sum[p];
      slot = slot == warm ? 0 : slot + 1;
      __syncthreads ();

      if (get_result_y (y) < first)
        continue;
      /* The ring is full: the oldest run is in slot, where the next one will go. */
      const auto get_samples_y = [&] (int t)
      {
        const int s = slot + t / RUN;

        return ring + (s > warm ? s - warm - 1 : s) * RUN * ROW_PITCH + i;
      };

      convolve_run (2 * radius_y + 1, ROW_PITCH, get_y, get_samples_y, sum);
      if (FLOATING && SIGNED_WEIGHTS)
        recompute_run (2 * radius_y + 1, ROW_PITCH, 0, get_weight_y, get_samples_y, sum);
#pragma unroll
      for (int p = 0; p < RUN; p++)
        line[p * THREADS + i] = sum[p];
      __syncthreads ();

#pragma unroll 1
      for (int r = i / 32; r < RUN; r += WARPS)
        {
          const int to = get_result_y (y) + r;

          if (to >= end)
            break;

          const auto row = find_result (to) + left;

#pragma unroll
          for (int x = i % 32; x < TILE; x += 32)
            if (left + x < right)
              store (row + x, *(const pixel_t *) (line + r * THREADS + x * CHANNELS));
        }
      __syncthreads ();
    }
}
