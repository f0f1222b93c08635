/* Computes rows of the result from those of the ring. */
#include "cpu-run.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Below this alpha, colour is undetermined and the division would overflow. */
#define ALPHA_MIN 1e-30f

/* Clears the sums of pixels whose alpha is so small that the division would magnify the rounding
 * errors of a transform. */
static void
clear_noise (const ConvolveCpuRun *run, float *const *planes)
{
  int width = fx_cpu_blocks_get_width (&run->base.base.strip), alpha = run->channels - 1, c, i;
  float least = run->plan->strategy.least_alpha;

  for (i = 0; i < width && least > 0.0f; i++)
    if (fabsf (planes[alpha][i]) < least)
      for (c = 0; c <= alpha; c++)
        planes[c][i] = fabsf (planes[c][i]) <= FLT_MAX ? 0.0f : planes[c][i];
}

/* Divides n samples of a plane by alpha. Infinities stay. */
static void
weigh (const float *alpha, float gain, float *color, int n)
{
  for (int i = 0; i < n; i++)
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
  int width = fx_cpu_blocks_get_width (&run->base.base.strip), c, i;

  for (c = 0; plan->divides_by_alpha && c < run->channels - 1; c++)
    weigh (planes[run->channels - 1], plan->gain, planes[c], width);
  for (c = 0; c < run->channels; c++)
    for (i = 0; i < width && plan->offset[c] != 0.0f; i++)
      planes[c][i] += plan->offset[c];
}

/* Restores the channels that are not written. */
static void
restore_row (const ConvolveCpuRun *run, int y, guint8 *out)
{
  const FxFormat *format = &run->base.base.plan->codec.format;
  int width = fx_cpu_blocks_get_width (&run->base.base.strip), c, i;
  gsize sample = fx_sample_size (format->sample), pixel = fx_format_size (format);
  const guint8 *stored = fx_cpu_blocks_get_stored (&run->base, run->base.base.strip.x0, y);

  for (c = 0; c < run->channels; c++)
    if (! (run->plan->written & 1u << c))
      for (i = 0; i < width; i++)
        memcpy (out + i * pixel + c * sample, stored + i * pixel + c * sample, sample);
}

void
convolve_cpu_run_filter (const FxCpuBlocks *base, const FxRect *block, guint8 *result, gsize stride,
                         int thread)
{
  const ConvolveCpuRun *run = (const ConvolveCpuRun *) base;
  FxCodec codec = base->base.plan->codec;
  int slot = run->transforms ? block->y - run->sums_y : thread, c;
  float *sums = run->sums + slot * run->channels * run->result_pitch;
  float *planes[FX_CHANNELS_MAX];

  for (c = 0; c < FX_CHANNELS_MAX; c++)
    planes[c] = sums + MIN (c, run->channels - 1) * run->result_pitch;
  if (run->transforms)
    clear_noise (run, planes);
  else
    convolve_cpu_run_sum_row (run, &run->scratch[thread], block->y, sums);
  finish_row (run, planes);
  codec.alpha = FX_ALPHA_STRAIGHT; /* finish_row has divided by alpha */
  fx_codec_encode (&codec, planes, block->width, result);
  if (base->keeps_source)
    restore_row (run, block->y, result);
}
