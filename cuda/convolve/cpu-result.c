/* Computes rows of the result from those of the ring. */
#include "cpu-run.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Below this alpha, colour is undetermined and the division would overflow. */
#define ALPHA_MIN 1e-30f

/* Returns row y of the ring; beyond the edge, the row that the abyss policy gives. */
static const float *
cpu_result_get_row (const ConvolveCpuRun *run, gint64 y)
{
  int height = run->base.strip.height;

  if ((y < 0 || y >= height) && run->base.plan->abyss != FX_ABYSS_CLAMP)
    return run->beyond;
  return run->ring + CLAMP (y, 0, height - 1) % run->ring_rows * run->row_size;
}

static void
sum_row (const ConvolveCpuRun *run, ConvolveCpuScratch *scratch, int y)
{
  gsize pitch = fx_rows_get_pitch (convolve_cpu_get_width (&run->base.strip));
  gboolean alpha = fx_format_has_alpha (&run->base.plan->codec.format);
  int c, i;

  for (c = 0; c < run->channels; c++)
    {
      for (i = 0; i < run->n_taps; i++)
        scratch->rows[i] = cpu_result_get_row (run, (gint64) y + run->taps[i].y) + c * run->pitch +
                           run->taps[i].at;
      fx_rows_combine (scratch->rows, run->weights[alpha && c == run->channels - 1], run->n_taps,
                       pitch, scratch->result + c * pitch);
    }
}

/* Makes n pixels of a plane straight. Preserves values that are not finite. */
static void
weigh (const float *alpha, float gain, float *color, int n)
{
  int i;

  for (i = 0; i < n; i++)
    {
      float straight = fabsf (alpha[i]) >= ALPHA_MIN ? color[i] * gain / alpha[i] : 0.0f;

      color[i] = fabsf (color[i]) <= FLT_MAX ? straight : color[i];
    }
}

/* Converts the sums of a row to the planes that are stored. */
static void
finish_row (const ConvolveCpuRun *run, float *const *planes)
{
  const ConvolvePlan *plan = run->plan;
  int width = convolve_cpu_get_width (&run->base.strip), c, i;

  for (c = 0; plan->weighs && c < run->channels - 1; c++)
    weigh (planes[run->channels - 1], plan->gain, planes[c], width);
  for (c = 0; c < run->channels; c++)
    for (i = 0; i < width && plan->offset[c] != 0.0f; i++)
      planes[c][i] += plan->offset[c];
}

/* Restores the channels that are not written. */
static void
restore_row (const ConvolveCpuRun *run, int y, guint8 *out)
{
  const FxFormat *format = &run->base.plan->codec.format;
  int width = convolve_cpu_get_width (&run->base.strip), c, i;
  gsize sample = fx_sample_size (format->sample), pixel = fx_format_size (format);
  const guint8 *stored = run->stored + (gsize) (y % run->ring_rows) * width * pixel;

  for (c = 0; c < run->channels; c++)
    if (! (run->plan->written & 1u << c))
      for (i = 0; i < width; i++)
        memcpy (out + i * pixel + c * sample, stored + i * pixel + c * sample, sample);
}

typedef struct {
  const ConvolveCpuRun *run;
  guint8 *result;
  int y;
} Pull;

static void
pull_rows (gpointer data, int first, int end, int thread)
{
  const Pull *job = data;
  const ConvolveCpuRun *run = job->run;
  ConvolveCpuScratch *scratch = &run->scratch[thread];
  FxCodec codec = run->base.plan->codec;
  int width = convolve_cpu_get_width (&run->base.strip), row, c;
  gsize pitch = fx_rows_get_pitch (width), stride = width * fx_format_size (&codec.format);
  float *planes[FX_CHANNELS_MAX];

  codec.alpha = FX_ALPHA_STRAIGHT; /* finish_row has made it straight */
  for (c = 0; c < FX_CHANNELS_MAX; c++)
    planes[c] = scratch->result + MIN (c, run->channels - 1) * pitch;
  for (row = first; row < end; row++)
    {
      sum_row (run, scratch, job->y + row);
      finish_row (run, planes);
      fx_codec_encode (&codec, planes, width, job->result + row * stride);
      if (run->stored)
        restore_row (run, job->y + row, job->result + row * stride);
    }
}

gboolean
convolve_cpu_run_pull (FxRun *base, gpointer result, int y, int rows, GError **error)
{
  ConvolveCpuRun *run = (ConvolveCpuRun *) base;
  Pull job = { run, result, y };

  fx_team_run (run->team, rows, 1, pull_rows, &job);
  return TRUE;
}
