#include "convolve-gpu.h"

#include "error.h"

#include <string.h>

void
convolve_define_result (const FxProgramCase *program_case, GString *text)
{
  const ConvolvePlan *plan = convolve_plan_get (program_case->plan);

  fx_define_source (program_case, text);
  g_string_append_printf (
    text, "#define DIVIDES_BY_ALPHA %d\n#define ALPHA_MATRIX %d\n#define WRITTEN %u\n",
    plan->divides_by_alpha, plan->alpha_matrix != NULL, plan->written);
}

/* Appends the weights of a matrix, column by column. Returns the end. */
static float *
append_columns (float *next, const ConvolveMatrix *matrix)
{
  for (int i = 0; i < matrix->columns; i++)
    for (int j = 0; j < matrix->rows; j++)
      *next++ = matrix->weights[j * matrix->columns + i];
  return next;
}

static float *
append_floats (float *next, const float *floats, gsize n)
{
  if (n > 0)
    memcpy (next, floats, n * sizeof *floats);
  return next + n;
}

static gsize
count_weights (const ConvolvePlan *plan)
{
  const ConvolveMatrix *matrix = &plan->matrix;
  gsize all = (gsize) matrix->rows * matrix->columns;
  gsize products = (gsize) plan->strategy.gpu.products * (matrix->rows + matrix->columns);

  return (plan->alpha_matrix ? 2 : 1) * all + products;
}

/* base is their address on the device. */
static void
gpu_taps_append_weights (ConvolveGpuRun *run, float *weights, const float *base)
{
  const ConvolvePlan *plan = convolve_plan_get (run->base.base.plan);
  const ConvolveMatrix *matrix = &plan->matrix;
  int products = plan->strategy.gpu.products;
  float *next = append_columns (weights, matrix);

  if (plan->alpha_matrix)
    next = append_columns (next, plan->alpha_matrix);
  run->taps = (ConvolveTaps) { base, matrix->rows, matrix->columns, matrix->top, matrix->left };
  run->products.along_y = base + (next - weights);
  next = append_floats (next, matrix->along_y, (gsize) products * matrix->rows);
  run->products.along_x = base + (next - weights);
  append_floats (next, matrix->along_x, (gsize) products * matrix->columns);
}

gboolean
convolve_gpu_run_begin (ConvolveGpuRun *run, GError **error)
{
  const ConvolvePlan *plan = convolve_plan_get (run->base.base.plan);
  gsize size = count_weights (plan) * sizeof (float);
  gpointer base = fx_gpu_get_buffer (run->base.gpu, FX_BUFFER_PATH_0, size, error), weights;

  if (! base)
    return FALSE;
  run->after.gain = plan->gain;
  for (int c = 0; c < FX_CHANNELS_MAX; c++)
    run->after.offset[c] = plan->offset[c];
  weights = fx_gpu_run_keep (&run->base, g_try_malloc (size));
  if (! weights)
    return fx_set_no_memory (error);
  gpu_taps_append_weights (run, weights, base);
  return fx_gpu_upload (run->base.gpu, base, weights, size, error);
}
