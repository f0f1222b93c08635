/* Each pixel's own Gaussian, as a sum over a window of one level. Constants to define before this
 * file: KEEP, if the pyramid has weights.
 *
 * The weights of a window are products of two vectors. A thread holds those of GATHER_CELLS columns
 * for each of its pixels, and goes down the rows with them. */

#include "pyramid.cuh"

/* Scales all weights, so that no sum of finite cells overflows. */
#define SCALE_LOG (-7.0f)

/* Where N pixels, one below the other, lie on a level, and what they need of it. */
template <int N> struct window_t {
  int column, row;  /* the cell at the upper left of the first pixel */
  float x, y, step; /* the first pixel from that cell, and the next pixel from it, in cells */
  float bend[N];    /* the logarithm of the weight of a cell at distance d is bend d^2 */
  float reach[N];   /* the distance of the furthest cells, along each axis */
};

/* The number of the level with the largest factor up to times, of n levels. */
__device__ static inline int
find_level (float times, int n)
{
  const unsigned bits = __float_as_uint (fminf (times, 1048576.0f));
  const int power = (int) (bits >> 23) - 127, half = (int) (bits >> 22 & 1);

  return power < 1 ? 0 : min (2 * power - 1 + half, n - 1);
}

/* The factor of a level: 1, 2, 3, 4, 6, 8 and so on. */
__device__ static inline int
get_factor (int level)
{
  return level == 0 ? 1 : (2 + (level + 1) % 2) << (level - 1) / 2;
}

/* The window that N pixels, from x, y down, share on a level. */
template <int N>
__device__ static inline window_t<N>
find_window (const FocusArgs &args, int level, int x, int y, const float *sigmas)
{
  const int factor = get_factor (level);
  const float part = 1.0f / (float) factor;
  const float blurred = level > 0 ? args.c * args.c : 0.0f;
  window_t<N> window;

  window.column = floor_div (x, factor);
  window.row = floor_div (y, factor);
  window.x = (float) (x - window.column * factor) * part;
  window.y = (float) (y - window.row * factor) * part;
  window.step = part;
#pragma unroll
  for (int n = 0; n < N; n++)
    {
      const float sigma = sigmas[n] * part, square = fmaf (sigma, sigma, -blurred);
      const bool sharp = sigmas[n] < FOCUS_SIGMA_MIN;

      window.bend[n] = sharp ? -1e30f : -0.72134752f / square; /* log2 (e) / 2 */
      window.reach[n] = sharp ? 0.0f : args.cut * sqrtf (square);
    }
  return window;
}

/* A sum over a window, and the sum of its weights. */
struct sum_t {
  pixel_t pixel;
  float weight;
};

/* Sums the windows of N pixels over the cells that any of them reaches. */
template <int N>
__device__ static inline void
sum_windows (const FxGrid &grid, const float *grid_weights, const window_t<N> &window,
             sum_t (&sums)[N])
{
  float reach = window.reach[0], down[N] = {}, across[N] = {};

#pragma unroll
  for (int n = 1; n < N; n++)
    reach = fmaxf (reach, window.reach[n]);

  const int left = (int) ceilf (window.x - reach), right = (int) floorf (window.x + reach);
  const int top = (int) ceilf (window.y - reach);
  const int bottom = (int) floorf (window.y + (N - 1) * window.step + reach);
  const long long start = (long long) (window.row + top - grid.y_first) * grid.columns +
                          (window.column - grid.x_first);

#pragma unroll
  for (int n = 0; n < N; n++)
    sums[n] = sum_t ();
#pragma unroll 1
  for (int i = left; i <= right; i += GATHER_CELLS)
    {
      const pixel_t *cells = grid.cells + (start + i);
      const float *cell_weights = grid_weights + (KEEP ? start + i : 0);
      float weights[N][GATHER_CELLS];

#pragma unroll
      for (int k = 0; k < GATHER_CELLS; k++)
        {
          const float distance = (float) (i + k) - window.x, square = distance * distance;

#pragma unroll
          for (int n = 0; n < N; n++)
            {
              weights[n][k] = raise (square * window.bend[n]);
              across[n] += weights[n][k];
            }
        }
#pragma unroll 1
      for (int j = top; j <= bottom; j++)
        {
          const float distance = (float) j - window.y;
          sum_t rows[N] = {};

#pragma unroll
          for (int k = 0; k < GATHER_CELLS; k++)
            {
              const pixel_t cell = load (cells + k);
              const float own = KEEP ? __ldg (cell_weights + k) : 0.0f;

#pragma unroll
              for (int n = 0; n < N; n++)
                {
                  add (cell, weights[n][k], rows[n].pixel);
                  if (KEEP)
                    rows[n].weight += weights[n][k] * own;
                }
            }
#pragma unroll
          for (int n = 0; n < N; n++)
            {
              const float from = distance - n * window.step;
              const float weight = raise (fmaf (from * from, window.bend[n], SCALE_LOG));

              add (rows[n].pixel, weight, sums[n].pixel);
              if (KEEP)
                sums[n].weight += weight * rows[n].weight;
              else if (i == left)
                down[n] += weight;
            }
          cells += grid.columns;
          cell_weights += KEEP ? grid.columns : 0;
        }
    }
  if (! KEEP)
#pragma unroll
    for (int n = 0; n < N; n++)
      sums[n].weight = across[n] * down[n];
}

/* The same for one pixel whose sum is not finite: infinities count only where the pixel reaches,
 * not in all cells that are read together. */
__device__ static inline sum_t
sum_with_care (const FxGrid &grid, const float *grid_weights, const window_t<1> &window)
{
  const float reach = window.reach[0];
  const int left = (int) ceilf (window.x - reach), right = (int) floorf (window.x + reach);
  const int top = (int) ceilf (window.y - reach), bottom = (int) floorf (window.y + reach);
  sum_t sum = {};

#pragma unroll 1
  for (int j = top; j <= bottom; j++)
    {
      const long long start = (long long) (window.row + j - grid.y_first) * grid.columns +
                              (window.column - grid.x_first);

#pragma unroll 1
      for (int i = left; i <= right; i++)
        {
          const float x = (float) i - window.x, y = (float) j - window.y;
          const float weight = raise (fmaf (x * x + y * y, window.bend[0], SCALE_LOG));

          add (load (grid.cells + (start + i)), weight, sum.pixel);
          sum.weight += KEEP ? weight * grid_weights[start + i] : weight;
        }
    }
  return sum;
}
