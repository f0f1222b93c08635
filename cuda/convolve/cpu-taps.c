#include "cpu-run.h"

static int
count_weights (const float *weights, int n)
{
  int taps = 0, i;

  for (i = 0; i < n; i++)
    taps += weights[i] != 0.0f;
  return taps;
}

/* Counts again, because the thread that made the matrix may flush denormal weights to 0, and this
 * one may not. */
int
convolve_cpu_count_taps (const ConvolvePlan *plan)
{
  const ConvolveMatrix *matrix = &plan->matrix;
  int products = plan->strategy.cpu.products;

  if (plan->strategy.cpu.path == CONVOLVE_PATH_FFT)
    return 0;
  return products ? count_weights (matrix->along_y, products * matrix->rows)
                  : count_weights (matrix->weights, matrix->rows * matrix->columns);
}

/* Sets tap n, unless its weight is 0. Returns the number of the next tap. */
static int
add_tap (ConvolveCpuRun *run, int n, int y, gsize at, float weight, float alpha_weight)
{
  if (weight == 0.0f)
    return n;
  run->taps[n] = (ConvolveCpuTap) { y, (int) at };
  run->weights[0][n] = weight;
  run->weights[1][n] = alpha_weight;
  return n + 1;
}

void
convolve_cpu_run_init_taps (ConvolveCpuRun *run)
{
  const ConvolveMatrix *matrix = &run->plan->matrix, *alpha = run->plan->alpha_matrix;
  const float *along_y = matrix->along_y, *weights = matrix->weights;
  gsize product = run->channels * run->pitch;
  int columns = matrix->columns, rows = matrix->rows, n = 0, i;

  for (i = 0; i < run->products * rows; i++)
    n = add_tap (run, n, matrix->top + i % rows, i / rows * product, along_y[i], along_y[i]);
  for (i = 0; i < rows * columns && ! run->products; i++)
    n = add_tap (run, n, matrix->top + i / columns, i % columns, weights[i],
                 (alpha ? alpha : matrix)->weights[i]);
}

const float *
convolve_cpu_run_get_row (const ConvolveCpuRun *run, gint64 y)
{
  int height = run->base.base.strip.height;

  if ((y < 0 || y >= height) && run->base.base.plan->abyss != FX_ABYSS_CLAMP)
    return run->border;
  return run->ring + CLAMP (y, 0, height - 1) % run->base.ring_rows * run->row_size;
}

void
convolve_cpu_run_sum_row (const ConvolveCpuRun *run, ConvolveCpuScratch *scratch, int y,
                          float *sums)
{
  gboolean has_alpha = fx_format_has_alpha (&run->base.base.plan->codec.format);

  for (int c = 0; c < run->channels; c++)
    {
      const float *weights = run->weights[has_alpha && c == run->channels - 1];

      for (int i = 0; i < run->n_taps; i++)
        scratch->rows[i] = convolve_cpu_run_get_row (run, (gint64) y + run->taps[i].y) +
                           c * run->pitch + run->taps[i].at;
      fx_rows_combine (scratch->rows, weights, run->n_taps, run->result_pitch,
                       sums + c * run->result_pitch);
    }
}
