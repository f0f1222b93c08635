#include "cpu-run.h"
#include "error.h"

#include <string.h>

#define ALIGNMENT 64 /* of arrays, in bytes: a vector */

/* Sizes. */

/* Returns the most rows that are pulled at a time. */
static int
get_rows (const FxStrip *strip)
{
  return MIN (strip->chunk_rows, strip->y1 - strip->y0);
}

/* Half of the memory is for the threads' tiles; the other one is for the rows, the spectra and the
 * result. Rows of the ring have an odd number of blocks, so that they do not all map to the same
 * few cache sets. */
static void
init_run (ConvolveCpuRun *run, const FxCpu *cpu, const FxPlan *base, const FxStrip *strip,
          int threads)
{
  const ConvolvePlan *plan = convolve_plan_get (base);
  gsize planes;

  *run = (ConvolveCpuRun) {
    .base = { .plan = base, .strip = *strip },
    .plan = plan,
    .channels = base->codec.format.channels,
    .products = plan->strategy.cpu.products,
    .transforms = plan->strategy.cpu.path == CONVOLVE_PATH_FFT,
    .threads = threads,
    .ring_rows = fx_strip_get_ring_rows (strip, &base->reach),
    .source_pitch = fx_rows_get_pitch (fx_cpu_blocks_get_source_width (strip)),
    .result_pitch = fx_rows_get_pitch (fx_cpu_blocks_get_width (strip)),
    .n_taps = convolve_cpu_count_taps (plan),
  };
  run->pitch = run->result_pitch + (run->products ? 0 : fx_rows_get_pitch (plan->matrix.columns));
  planes = (gsize) run->channels * MAX (run->products, 1);
  run->row_size = (planes * run->pitch / FX_COLUMN | 1) * FX_COLUMN;
  if (! run->transforms)
    return;
  run->fft.size = convolve_strategy_choose_size (plan, fx_cpu_blocks_get_width (strip),
                                                 get_rows (strip), threads, cpu->memory / 2);
  run->threads = run->fft.size.threads;
}

/* Memory. */

/* Takes n elements of the run's memory, or only counts them if it has none yet. */
static gpointer
take (ConvolveCpuRun *run, gsize n, gsize size)
{
  gsize first = run->taken;

  run->taken += (n * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return run->memory ? run->memory + first : NULL;
}

static void
take_spectra (ConvolveCpuRun *run, gsize points)
{
  ConvolveFftPoint **spectra = run->fft.spectra;
  int sign;

  spectra[CONVOLVE_FFT_COLOR] = take (run, points, sizeof **spectra);
  spectra[CONVOLVE_FFT_ALPHA] = spectra[CONVOLVE_FFT_COLOR];
  if (run->plan->alpha_matrix)
    spectra[CONVOLVE_FFT_ALPHA] = take (run, points, sizeof **spectra);
  if (run->base.plan->codec.format.sample < FX_SAMPLE_HALF) /* integers have no infinities */
    return;
  for (sign = 0; sign < 2; sign++)
    spectra[CONVOLVE_FFT_SIGNS + sign] = take (run, points, sizeof **spectra);
}

static gsize
get_line_size (const ConvolveCpuRun *run)
{
  return run->channels * run->source_pitch + run->result_pitch +
         fx_rows_get_pitch (run->plan->matrix.columns);
}

static ConvolveCpuScratch
take_scratch (ConvolveCpuRun *run, gsize points)
{
  int tile = run->fft.size.rows, taps = MAX (run->n_taps, run->plan->matrix.columns);
  int rows = run->transforms ? CONVOLVE_FFT_LAYERS * tile : taps;

  return (ConvolveCpuScratch) {
    .line = take (run, get_line_size (run), sizeof (float)),
    .rows = take (run, rows, sizeof (float *)),
    .points = take (run, points, sizeof (ConvolveFftPoint)),
    .column = take (run, tile, sizeof (ConvolveFftPoint)),
  };
}

/* Lays the run's arrays out in its memory. Returns the bytes that they take. */
static gsize
lay_out (ConvolveCpuRun *run)
{
  const FxStrip *strip = &run->base.strip;
  const ConvolveFftSize *size = &run->fft.size;
  gsize points = convolve_fft_tile_count_points (size->columns, size->rows);
  gsize stored = fx_cpu_blocks_get_width (strip) * fx_format_size (&run->base.plan->codec.format);
  int i;

  run->taken = -(gsize) run->memory % ALIGNMENT;
  run->ring = take (run, run->ring_rows * run->row_size, sizeof (float));
  run->beyond = take (run, run->row_size, sizeof (float));
  run->sums = take (run, (run->transforms ? get_rows (strip) : run->threads) * run->channels,
                    run->result_pitch * sizeof (float));
  if (! convolve_plan_writes_all (run->plan))
    run->stored = take (run, run->ring_rows, stored);
  run->taps = take (run, run->n_taps, sizeof *run->taps);
  for (i = 0; i < 2; i++)
    run->weights[i] = take (run, run->n_taps, sizeof (float));
  take_spectra (run, points);
  run->scratch = take (run, run->threads, sizeof *run->scratch);
  for (i = 0; i < run->threads; i++)
    {
      ConvolveCpuScratch scratch = take_scratch (run, points);

      if (run->memory)
        run->scratch[i] = scratch;
    }
  return run->taken + ALIGNMENT;
}

static gsize
convolve_cpu_get_bytes (gconstpointer device, const FxPlan *plan, const FxStrip *strip)
{
  const FxCpu *cpu = device;
  ConvolveCpuRun run;

  init_run (&run, cpu, plan, strip, cpu->threads);
  return lay_out (&run);
}

/* The run. */

static void
convolve_cpu_end (FxRun *base)
{
  ConvolveCpuRun *run = (ConvolveCpuRun *) base;

  fx_team_free (run->team);
  convolve_fft_tile_clear (&run->fft.tile);
  g_mutex_clear (&run->fft.lock);
  g_free (run->memory);
  g_free (run);
}

static const char *
get_path_name (const ConvolveCpuRun *run)
{
  return run->transforms ? "FFT, CPU" : run->products ? "products, CPU" : "taps, CPU";
}

/* Returns the threads for a run. A transform takes as long for a pixel as 128 taps. */
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

static FxRun *
convolve_cpu_begin (gpointer device, const FxPlan *base, const FxStrip *strip, GError **error)
{
  const ConvolvePlan *plan = convolve_plan_get (base);
  ConvolveCpuRun *run = g_new (ConvolveCpuRun, 1);
  int i;

  init_run (run, device, base, strip, get_threads (device, plan, strip));
  run->memory = (char *) fx_cpu_allocate (lay_out (run) / sizeof (float));
  if (! run->memory)
    {
      fx_set_no_memory (error);
      g_free (run);
      return NULL;
    }
  lay_out (run);
  g_mutex_init (&run->fft.lock);
  run->team = fx_team_new (run->threads);
  for (i = 0; i < run->threads; i++)
    memset (run->scratch[i].line, 0, get_line_size (run) * sizeof (float));
  if (run->transforms)
    convolve_cpu_run_init_fft (run);
  else
    convolve_cpu_run_init_taps (run);
  convolve_cpu_run_init_beyond (run);
  convolve_trace_path (plan, get_path_name (run));
  return &run->base;
}

static int
convolve_cpu_get_chunk_rows (const FxPlan *base)
{
  return convolve_plan_get (base)->strategy.cpu.chunk_rows;
}

const FxBackend convolve_cpu = {
  .get_chunk_rows = convolve_cpu_get_chunk_rows,
  .get_bytes = convolve_cpu_get_bytes,
  .begin = convolve_cpu_begin,
  .push = convolve_cpu_run_push,
  .pull = convolve_cpu_run_pull,
  .end = convolve_cpu_end,
};
