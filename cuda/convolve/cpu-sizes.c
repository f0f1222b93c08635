#include "cpu-fft.h"

/* The pitch of a plane in which all taps of a row find their samples, in whole vectors. */
static gsize
get_line_pitch (const ConvolvePlan *plan, const FxStrip *strip)
{
  return fx_rows_get_pitch (fx_cpu_blocks_get_width (strip)) +
         fx_rows_get_pitch (plan->matrix.columns);
}

gsize
convolve_cpu_get_pitch (const ConvolvePlan *plan, const FxStrip *strip)
{
  return plan->strategy.cpu.products ? fx_rows_get_pitch (fx_cpu_blocks_get_width (strip))
                                     : get_line_pitch (plan, strip);
}

/* An odd number of blocks, so that rows do not all map to the same few cache sets. */
gsize
convolve_cpu_get_row_size (const ConvolvePlan *plan, const FxStrip *strip)
{
  gsize planes = (gsize) plan->base.codec.format.channels * MAX (plan->strategy.cpu.products, 1);

  return (planes * convolve_cpu_get_pitch (plan, strip) / FX_COLUMN | 1) * FX_COLUMN;
}

gsize
convolve_cpu_get_line_size (const ConvolvePlan *plan, const FxStrip *strip)
{
  gsize source = fx_rows_get_pitch (fx_cpu_blocks_get_source_width (strip));

  return plan->base.codec.format.channels * (source + get_line_pitch (plan, strip));
}

gsize
convolve_cpu_get_result_size (const ConvolvePlan *plan, const FxStrip *strip)
{
  return plan->base.codec.format.channels * fx_rows_get_pitch (fx_cpu_blocks_get_width (strip));
}

gsize
convolve_cpu_get_stored_bytes (const ConvolvePlan *plan, const FxStrip *strip)
{
  gsize row = fx_cpu_blocks_get_width (strip) * fx_format_size (&plan->base.codec.format);

  return convolve_plan_writes_all (plan) ? 0
                                         : row * fx_strip_get_ring_rows (strip, &plan->base.reach);
}

/* The other half is for the rows, the spectra and the result. */
gsize
convolve_cpu_get_memory (const FxCpu *cpu)
{
  return cpu->memory / 2;
}

/* Tiles. */

static int
get_rows (const FxStrip *strip)
{
  return MIN (strip->chunk_rows, strip->y1 - strip->y0);
}

/* Returns the bytes that each thread needs. */
static gsize
get_scratch_bytes (const ConvolveFftSize *size)
{
  gsize points = convolve_fft_tile_count_points (size->columns, size->rows);

  return (points + size->rows) * sizeof (ConvolveFftPoint) +
         CONVOLVE_FFT_LAYERS * size->rows * sizeof (float *);
}

ConvolveFftNeeds
convolve_fft_get_needs (const ConvolvePlan *plan, const FxStrip *strip, int threads, gsize memory)
{
  ConvolveFftNeeds needs = { .threads = threads };
  double own;

  needs.size = convolve_strategy_choose_size (plan, fx_cpu_blocks_get_width (strip),
                                              get_rows (strip), threads, memory);
  own = (double) get_scratch_bytes (&needs.size);
  if (memory > 0)
    needs.threads = (int) CLAMP ((double) memory / own, 1.0, threads);
  return needs;
}

gsize
convolve_fft_get_bytes (const ConvolvePlan *plan, const FxStrip *strip,
                        const ConvolveFftNeeds *needs)
{
  const ConvolveFftSize *size = &needs->size;
  gsize points = convolve_fft_tile_count_points (size->columns, size->rows);
  gsize lines = (plan->matrix.rows + 1) * (gsize) size->columns * sizeof (float);
  gsize result = get_rows (strip) * convolve_cpu_get_result_size (plan, strip);

  return needs->threads * get_scratch_bytes (size) + lines + result * sizeof (float) +
         convolve_fft_count_spectra (plan) * points * sizeof (ConvolveFftPoint);
}

/* All. */

gsize
convolve_cpu_get_bytes (gconstpointer device, const FxPlan *base, const FxStrip *strip)
{
  const FxCpu *cpu = device;
  const ConvolvePlan *plan = convolve_plan_get (base);
  gboolean transforms = plan->strategy.cpu.path == CONVOLVE_PATH_FFT;
  ConvolveFftNeeds needs = { .threads = cpu->threads };
  gsize rows = (gsize) fx_strip_get_ring_rows (strip, &base->reach) + 1;
  gsize scratch = (convolve_cpu_get_line_size (plan, strip) +
                   convolve_cpu_get_result_size (plan, strip)) *
                    sizeof (float) +
                  MAX (convolve_cpu_count_taps (plan), plan->matrix.columns) * sizeof (float *);

  if (transforms)
    needs = convolve_fft_get_needs (plan, strip, cpu->threads, convolve_cpu_get_memory (cpu));
  return rows * convolve_cpu_get_row_size (plan, strip) * sizeof (float) + needs.threads * scratch +
         convolve_cpu_get_stored_bytes (plan, strip) +
         (transforms ? convolve_fft_get_bytes (plan, strip, &needs) : 0);
}
