#include "cpu-run.h"

int
convolve_cpu_count_taps (const ConvolvePlan *plan)
{
  int products = plan->strategy.cpu.products;

  if (plan->strategy.cpu.path == CONVOLVE_PATH_FFT)
    return 0;
  return products ? products * plan->matrix.rows : plan->matrix.taps;
}

static int
count_weights (const float *weights, int n)
{
  int taps = 0, i;

  for (i = 0; i < n; i++)
    taps += weights[i] != 0.0f;
  return taps;
}

static gboolean
allocate_taps (ConvolveCpuRun *run, int n)
{
  int i;

  run->taps = g_try_new (ConvolveCpuTap, MAX (n, 1));
  for (i = 0; i < 2; i++)
    run->weights[i] = g_try_new (float, MAX (n, 1));
  return run->taps && run->weights[0] && run->weights[1];
}

static void
add_tap (ConvolveCpuRun *run, int y, gsize at, float weight, float alpha_weight)
{
  int n = run->n_taps;

  if (weight == 0.0f)
    return;
  run->taps[n] = (ConvolveCpuTap) { y, (int) at };
  run->weights[0][n] = weight;
  run->weights[1][n] = alpha_weight;
  run->n_taps++;
}

static gboolean
add_matrix_taps (ConvolveCpuRun *run)
{
  const ConvolveMatrix *matrix = &run->plan->matrix, *alpha = run->plan->alpha_matrix;
  int n = matrix->rows * matrix->columns, i;

  if (! allocate_taps (run, count_weights (matrix->weights, n)))
    return FALSE;
  for (i = 0; i < n; i++)
    add_tap (run, matrix->top + i / matrix->columns, i % matrix->columns, matrix->weights[i],
             (alpha ? alpha : matrix)->weights[i]);
  return TRUE;
}

static gboolean
add_product_taps (ConvolveCpuRun *run)
{
  const ConvolveMatrix *matrix = &run->plan->matrix;
  int n, j;

  if (! allocate_taps (run, count_weights (matrix->along_y, run->products * matrix->rows)))
    return FALSE;
  for (n = 0; n < run->products; n++)
    for (j = 0; j < matrix->rows; j++)
      {
        float weight = matrix->along_y[n * matrix->rows + j];

        add_tap (run, matrix->top + j, n * run->channels * run->pitch, weight, weight);
      }
  return TRUE;
}

/* The matrix's own count may be of another thread, which flushes other values to 0. */
gboolean
convolve_cpu_run_init_taps (ConvolveCpuRun *run)
{
  if (run->plan->strategy.cpu.path == CONVOLVE_PATH_FFT)
    return TRUE;
  return run->products ? add_product_taps (run) : add_matrix_taps (run);
}

const float *
convolve_cpu_run_get_row (const ConvolveCpuRun *run, gint64 y)
{
  int height = run->base.strip.height;

  if ((y < 0 || y >= height) && run->base.plan->abyss != FX_ABYSS_CLAMP)
    return run->beyond;
  return run->ring + CLAMP (y, 0, height - 1) % run->ring_rows * run->row_size;
}

void
convolve_cpu_run_sum_row (const ConvolveCpuRun *run, ConvolveCpuScratch *scratch, int y)
{
  gsize pitch = fx_rows_get_pitch (fx_cpu_blocks_get_width (&run->base.strip));
  gboolean has_alpha = fx_format_has_alpha (&run->base.plan->codec.format);
  int c, i;

  for (c = 0; c < run->channels; c++)
    {
      const float *weights = run->weights[has_alpha && c == run->channels - 1];

      for (i = 0; i < run->n_taps; i++)
        scratch->rows[i] = convolve_cpu_run_get_row (run, (gint64) y + run->taps[i].y) +
                           c * run->pitch + run->taps[i].at;
      fx_rows_combine (scratch->rows, weights, run->n_taps, pitch, scratch->result + c * pitch);
    }
}
