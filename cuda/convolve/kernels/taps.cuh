/* Weighted sums along a line of samples, and their recomputation if infinities occur. */

__device__ static inline int
round_taps (int taps)
{
  return (taps + STEP - 1) / STEP * STEP;
}

/* Adds M taps from t on. window[i] holds sample t + i, and is replaced by sample t + i + N. */
template <int M, int N>
__device__ static inline void
add_taps (const float *weights, const float *samples, int stride, float (&window)[N],
          float (&sum)[N])
{
  float w[M];

#pragma unroll
  for (int i = 0; i < M; i += 4)
    *(float4 *) (w + i) = *(const float4 *) (weights + i);
#pragma unroll
  for (int i = 0; i < M; i++)
    {
#pragma unroll
      for (int p = 0; p < N; p++)
        sum[p] += w[i] * window[(i + p) % N];
      window[i] = samples[i * stride];
    }
}

/* Adds to sum[p] the sum over t of weights[t] times sample t + p. taps is a multiple of STEP.
 * weights is in shared memory, aligned to 16 bytes. get_samples (t) returns the
 * address of N samples from t on, in shared memory, stride floats apart; t is a multiple of N. One
 * sample more than needed is read. */
template <int N, typename Samples>
__device__ static inline void
add_run (int taps, const float *weights, int stride, Samples get_samples, float (&sum)[N])
{
  const float *samples = get_samples (0);
  float window[N];
  int t = 0;

#pragma unroll
  for (int i = 0; i < N; i++)
    window[i] = samples[i * stride];
#pragma unroll 1
  for (; t + N <= taps; t += N)
    add_taps<N> (weights + t, get_samples (t + N), stride, window, sum);
  if (N > STEP && t < taps)
    add_taps<STEP> (weights + t, get_samples (t + N), stride, window, sum);
}

/* Recomputes the sum of one channel around a pixel, if it is not finite. An infinity whose weight
 * is 0 must not contribute, and products that cancel do not do so for infinities. */
__device__ static inline float
sum_with_care (const FxSource &source, const ConvolveTaps &taps, int x, int y, int channel)
{
  const bool is_alpha = ALPHA_MATRIX && channel == CHANNELS - 1;
  const float *weights = taps.weights + (is_alpha ? taps.rows * taps.columns : 0);
  float sum = 0.0f;

#pragma unroll 1
  for (int n = 0; n < taps.rows * taps.columns; n++)
    {
      const int from_x = x + taps.left + n / taps.rows, from_y = y + taps.top + n % taps.rows;
      const float weight = weights[n];

      if (weight == 0.0f)
        continue;

      const stored_t stored = fetch (source, from_x, from_y);
      const pixel_t pixel = clear_transparent (finish (source, stored, from_x, from_y));

#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
        if (c == channel)
          sum += weight * pixel.v[c];
    }
  return sum;
}

/* Recomputes those of a thread's sums that are not finite. The first one is at x, y; each further
 * one is a row below. */
template <int N>
__device__ static inline void
recompute_infinite (const FxSource &source, const ConvolveTaps &taps, int x, int y, int channel,
                    float (&sum)[N])
{
  float all = 0.0f;

#pragma unroll
  for (int p = 0; p < N; p++)
    all += fabsf (sum[p]);
  if (is_finite (all))
    return;
#pragma unroll
  for (int p = 0; p < N; p++)
    if (! is_finite (sum[p]))
      sum[p] = sum_with_care (source, taps, x, y + p, channel);
}
