#include "cpu-run.h"

int
convolve_cpu_count_taps (const ConvolvePlan *plan)
{
  int products = convolve_cpu_get_products (plan);

  return products ? products * plan->matrix.rows : plan->matrix.taps;
}

static void
add_tap (ConvolveCpuRun *run, int y, gsize at, float weight, float alpha_weight)
{
  if (weight != 0.0f)
    run->taps[run->n_taps++] = (ConvolveCpuTap) { y, (int) at, weight, alpha_weight };
}

static void
add_matrix_taps (ConvolveCpuRun *run)
{
  const ConvolveMatrix *matrix = &run->plan->matrix, *alpha = run->plan->weights;
  int i;

  for (i = 0; i < matrix->rows * matrix->columns; i++)
    add_tap (run, matrix->top + i / matrix->columns, i % matrix->columns, matrix->weights[i],
             (alpha ? alpha : matrix)->weights[i]);
}

static void
add_product_taps (ConvolveCpuRun *run)
{
  const ConvolveMatrix *matrix = &run->plan->matrix;
  int n, j;

  for (n = 0; n < run->products; n++)
    for (j = 0; j < matrix->rows; j++)
      {
        float weight = matrix->along_y[n * matrix->rows + j];

        add_tap (run, matrix->top + j, n * run->channels * run->pitch, weight, weight);
      }
}

void
convolve_cpu_run_init_taps (ConvolveCpuRun *run)
{
  int n = convolve_cpu_count_taps (run->plan), i;

  run->taps = g_new (ConvolveCpuTap, MAX (n, 1));
  if (run->products)
    add_product_taps (run);
  else
    add_matrix_taps (run);
  run->weights[0] = g_new (float, MAX (n, 1));
  run->weights[1] = g_new (float, MAX (n, 1));
  for (i = 0; i < run->n_taps; i++)
    {
      run->weights[0][i] = run->taps[i].weight;
      run->weights[1][i] = run->taps[i].alpha_weight;
    }
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
convolve_cpu_run_sum_taps (const ConvolveCpuRun *run, const float **pieces, int channel, int y,
                           int x, gsize n, float *sums)
{
  gboolean alpha = fx_format_has_alpha (&run->base.plan->codec.format) &&
                   channel == run->channels - 1;
  int i;

  for (i = 0; i < run->n_taps; i++)
    pieces[i] = convolve_cpu_run_get_row (run, (gint64) y + run->taps[i].y) + channel * run->pitch +
                run->taps[i].at + x;
  fx_rows_combine (pieces, run->weights[alpha], run->n_taps, n, sums);
}
