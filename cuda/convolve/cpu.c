#include "cpu-run.h"

/* Sizes. */

/* Returns the most rows that are pulled at a time. */
static int
get_rows (const FxStrip *strip)
{
  return MIN (strip->chunk_rows, strip->y1 - strip->y0);
}

/* Returns the threads for a run. Per pixel, a transform costs as much as 128 taps. */
static int
get_threads (const FxCpu *cpu, const ConvolvePlan *plan, const FxStrip *strip)
{
  double pixels = (double) fx_cpu_blocks_get_source_width (strip) *
                  (strip->source_y1 - strip->source_y0);
  gboolean transforms = plan->strategy.cpu.path == CONVOLVE_PATH_FFT;

  return fx_cpu_get_threads (cpu,
                             pixels *
                               (transforms ? 8 : MAX (convolve_cpu_count_taps (plan) / 16, 1)));
}

/* Half of the memory is for the threads' tiles, the other half for rows, spectra and results. The
 * rows of the ring have an odd number of blocks: otherwise they would all map to the same few cache
 * sets. */
static void
init (FxCpuBlocks *base)
{
  ConvolveCpuRun *run = (ConvolveCpuRun *) base;
  const ConvolvePlan *plan = run->plan = convolve_plan_get (base->base.plan);
  const FxStrip *strip = &base->base.strip;
  int width = fx_cpu_blocks_get_width (strip);

  base->threads = get_threads (base->cpu, plan, strip);
  base->columns = width;
  base->rows = 1;
  base->decode = convolve_cpu_run_decode;
  base->filter = convolve_cpu_run_filter;
  run->channels = plan->base.codec.format.channels;
  base->keeps_source = plan->written != (1u << run->channels) - 1;
  run->products = plan->strategy.cpu.products;
  run->transforms = plan->strategy.cpu.path == CONVOLVE_PATH_FFT;
  run->source_pitch = fx_rows_get_pitch (fx_cpu_blocks_get_source_width (strip));
  run->result_pitch = fx_rows_get_pitch (width);
  run->n_taps = convolve_cpu_count_taps (plan);
  run->pitch = run->result_pitch + (run->products ? 0 : fx_rows_get_pitch (plan->matrix.columns));
  run->row_size = ((gsize) run->channels * MAX (run->products, 1) * run->pitch / FX_COLUMN | 1) *
                  FX_COLUMN;
  if (! run->transforms)
    return;
  run->fft.size = convolve_strategy_choose_size (plan, width, get_rows (strip), base->threads,
                                                 base->cpu->memory / 2);
  base->threads = run->fft.size.threads;
}

/* Memory. */

static void
take_tables (ConvolveCpuRun *run, gsize points)
{
  ConvolveFftPoint **spectra = run->fft.spectra;
  FxCpuBlocks *base = &run->base;
  const ConvolveFftSize *size = &run->fft.size;

  run->fft.tile = (ConvolveFftTile) {
    .columns = size->columns,
    .rows = size->rows,
    .along_x = fx_cpu_blocks_alloc (base, 2 * size->columns, sizeof (double)),
    .along_y = fx_cpu_blocks_alloc (base, 2 * size->rows, sizeof (double)),
  };
  spectra[CONVOLVE_FFT_COLOR] = fx_cpu_blocks_alloc (base, points, sizeof **spectra);
  spectra[CONVOLVE_FFT_ALPHA] = spectra[CONVOLVE_FFT_COLOR];
  if (run->plan->alpha_matrix)
    spectra[CONVOLVE_FFT_ALPHA] = fx_cpu_blocks_alloc (base, points, sizeof **spectra);
  if (base->base.plan->codec.format.sample < FX_SAMPLE_HALF) /* integers have no infinities */
    return;
  for (int sign = 0; sign < 2; sign++)
    spectra[CONVOLVE_FFT_SIGNS + sign] = fx_cpu_blocks_alloc (base, points, sizeof **spectra);
}

static ConvolveCpuScratch
take_scratch (ConvolveCpuRun *run, gsize points)
{
  FxCpuBlocks *base = &run->base;
  int tile = run->fft.size.rows, taps = MAX (run->n_taps, run->plan->matrix.columns);
  int rows = run->transforms ? CONVOLVE_FFT_LAYERS * tile : taps;
  gsize line = run->channels * run->source_pitch + run->result_pitch +
               fx_rows_get_pitch (run->plan->matrix.columns);

  return (ConvolveCpuScratch) {
    .line = fx_cpu_blocks_alloc0 (base, line, sizeof (float)),
    .rows = fx_cpu_blocks_alloc (base, rows, sizeof (float *)),
    .points = fx_cpu_blocks_alloc (base, points, sizeof (ConvolveFftPoint)),
    .column = fx_cpu_blocks_alloc (base, tile, sizeof (ConvolveFftPoint)),
  };
}

static void
lay_out (FxCpuBlocks *base)
{
  ConvolveCpuRun *run = (ConvolveCpuRun *) base;
  const FxStrip *strip = &base->base.strip;
  const ConvolveFftSize *size = &run->fft.size;
  gsize points = convolve_fft_tile_count_points (size->columns, size->rows);

  run->ring = fx_cpu_blocks_alloc (base, base->ring_rows * run->row_size, sizeof (float));
  run->border = fx_cpu_blocks_alloc (base, run->row_size, sizeof (float));
  run->sums = fx_cpu_blocks_alloc (base,
                                   (run->transforms ? get_rows (strip) : base->threads) *
                                     run->channels,
                                   run->result_pitch * sizeof (float));
  run->taps = fx_cpu_blocks_alloc (base, run->n_taps, sizeof *run->taps);
  for (int i = 0; i < 2; i++)
    run->weights[i] = fx_cpu_blocks_alloc (base, run->n_taps, sizeof (float));
  take_tables (run, points);
  run->scratch = fx_cpu_blocks_alloc (base, base->threads, sizeof *run->scratch);
  for (int i = 0; i < base->threads; i++)
    {
      ConvolveCpuScratch scratch = take_scratch (run, points);

      if (base->memory)
        run->scratch[i] = scratch;
    }
}

/* The run. */

static const char *
get_path_name (const ConvolveCpuRun *run)
{
  return run->transforms ? "FFT, CPU" : run->products ? "products, CPU" : "taps, CPU";
}

static void
fill (FxCpuBlocks *base)
{
  ConvolveCpuRun *run = (ConvolveCpuRun *) base;

  if (run->transforms)
    convolve_cpu_run_init_fft (run);
  else
    convolve_cpu_run_init_taps (run);
  convolve_cpu_run_init_border (run);
  convolve_trace_path (run->plan, get_path_name (run));
}

static gboolean
convolve_cpu_pull (FxRun *base, gpointer result, int y, int rows, GError **error)
{
  ConvolveCpuRun *run = (ConvolveCpuRun *) base;

  return (! run->transforms || convolve_cpu_run_transform (run, y, rows, error)) &&
         fx_cpu_blocks_pull (base, result, y, rows, error);
}

static int
convolve_cpu_get_chunk_rows (const FxPlan *base)
{
  return convolve_plan_get (base)->strategy.cpu.chunk_rows;
}

const FxCpuPath convolve_cpu_path = {
  .size = sizeof (ConvolveCpuRun),
  .get_chunk_rows = convolve_cpu_get_chunk_rows,
  .pull = convolve_cpu_pull,
  .init = init,
  .lay_out = lay_out,
  .fill = fill,
};
