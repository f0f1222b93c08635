/* Computes rows of the ring from those of the source. */
#include "cpu-run.h"

#include <string.h>

/* Copies source, which starts with the first sample of the strip, to plane, which starts with the
 * sample for the first tap of the first pixel of the result. Samples outside of the image follow
 * the abyss policy. */
static void
pad_line (const ConvolveCpuRun *run, const float *source, int channel, float *plane)
{
  const FxStrip *strip = &run->base.base.strip;
  const FxPlan *plan = run->base.base.plan;
  gboolean clamped = plan->abyss == FX_ABYSS_CLAMP;
  int first = strip->x0 + run->plan->matrix.left;
  int n = fx_cpu_blocks_get_width (strip) + run->plan->matrix.columns - 1;
  int begin = CLAMP (strip->source_x0 - first, 0, n);
  int end = CLAMP (strip->source_x1 - first, begin, n), i;
  float border = plan->border[channel];
  float left = clamped ? source[0] : border;
  float right = clamped ? source[fx_cpu_blocks_get_source_width (strip) - 1] : border;

  for (i = 0; i < begin; i++)
    plane[i] = left;
  if (end > begin)
    memcpy (plane + begin, source + (first + begin - strip->source_x0),
            (end - begin) * sizeof *plane);
  for (i = end; i < n; i++)
    plane[i] = right;
}

/* Filters a plane along x for one product. */
static void
filter_line (const ConvolveCpuRun *run, ConvolveCpuScratch *scratch, const float *plane,
             int product, float *out)
{
  const ConvolveMatrix *matrix = &run->plan->matrix;
  const float *weights = matrix->along_x + product * matrix->columns;
  float some[CONVOLVE_SIZE_MAX];
  int n = 0, i;

  for (i = 0; i < matrix->columns; i++)
    if (weights[i] != 0.0f) /* 0 times infinity is NaN */
      {
        scratch->rows[n] = plane + i;
        some[n++] = weights[i];
      }
  fx_rows_combine (scratch->rows, some, n, run->pitch, out);
}

/* Computes a row of the ring from a row of the source in planes. */
static void
cpu_source_make_row (const ConvolveCpuRun *run, ConvolveCpuScratch *scratch, float *const *planes,
                     float *row)
{
  float *padded = scratch->line + run->channels * run->source_pitch;

  for (int c = 0; c < run->channels; c++)
    {
      pad_line (run, planes[c], c, run->products ? padded : row + c * run->pitch);
      for (int n = 0; n < run->products; n++)
        filter_line (run, scratch, padded, n, row + (n * run->channels + c) * run->pitch);
    }
}

static void
init_planes (const ConvolveCpuRun *run, ConvolveCpuScratch *scratch, float **planes)
{
  for (int c = 0; c < FX_CHANNELS_MAX; c++)
    planes[c] = scratch->line + MIN (c, run->channels - 1) * run->source_pitch;
}

void
convolve_cpu_run_init_border (ConvolveCpuRun *run)
{
  ConvolveCpuScratch *scratch = &run->scratch[0];
  float *planes[FX_CHANNELS_MAX];

  init_planes (run, scratch, planes);
  for (int c = 0; c < run->channels; c++)
    for (int i = 0; i < fx_cpu_blocks_get_source_width (&run->base.base.strip); i++)
      planes[c][i] = run->base.base.plan->border[c];
  cpu_source_make_row (run, scratch, planes, run->border);
}

void
convolve_cpu_run_decode (const FxCpuBlocks *base, const guint8 *source, int y, int thread)
{
  const ConvolveCpuRun *run = (const ConvolveCpuRun *) base;
  ConvolveCpuScratch *scratch = &run->scratch[thread];
  float *planes[FX_CHANNELS_MAX];

  init_planes (run, scratch, planes);
  fx_codec_decode (&base->base.plan->codec, source,
                   fx_cpu_blocks_get_source_width (&base->base.strip), planes);
  cpu_source_make_row (run, scratch, planes, run->ring + y % base->ring_rows * run->row_size);
}
