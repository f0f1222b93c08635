#include "cpu-fft.h"
#include "error.h"

#include <string.h>

static void
convolve_cpu_end (FxRun *base)
{
  ConvolveCpuRun *run = (ConvolveCpuRun *) base;
  int i;

  fx_team_free (run->team);
  convolve_fft_free (run->fft);
  for (i = 0; run->scratch && i < run->threads; i++)
    {
      g_free (run->scratch[i].line);
      g_free (run->scratch[i].result);
      g_free (run->scratch[i].rows);
    }
  g_free (run->scratch);
  g_free (run->taps);
  g_free (run->weights[0]);
  g_free (run->weights[1]);
  g_free (run->stored);
  g_free (run->ring);
  g_free (run->beyond);
  g_free (run);
}

static gboolean
allocate_scratch (ConvolveCpuRun *run)
{
  const FxStrip *strip = &run->base.strip;
  int pieces = MAX (MAX (run->n_taps, run->plan->matrix.columns), 1), i;

  run->scratch = g_try_new0 (ConvolveCpuScratch, run->threads);
  if (! run->scratch)
    return FALSE;
  for (i = 0; i < run->threads; i++)
    {
      ConvolveCpuScratch *scratch = &run->scratch[i];

      scratch->line = fx_cpu_allocate (convolve_cpu_get_line_size (run->plan, strip));
      scratch->result = fx_cpu_allocate (convolve_cpu_get_result_size (run->plan, strip));
      scratch->rows = g_try_new (const float *, pieces);
      if (! scratch->line || ! scratch->result || ! scratch->rows)
        return FALSE;
      memset (scratch->line, 0, convolve_cpu_get_line_size (run->plan, strip) * sizeof (float));
    }
  return TRUE;
}

static gboolean
allocate_rings (ConvolveCpuRun *run)
{
  const FxStrip *strip = &run->base.strip;
  gsize stored = convolve_cpu_get_stored_bytes (run->plan, strip);

  run->ring = fx_cpu_allocate (run->ring_rows * run->row_size);
  run->beyond = fx_cpu_allocate (run->row_size);
  if (stored > 0)
    run->stored = g_try_malloc (stored);
  return run->ring && run->beyond && (run->stored || stored == 0);
}

static gboolean
transforms (const ConvolvePlan *plan)
{
  return plan->strategy.cpu.path == CONVOLVE_PATH_FFT;
}

static gboolean
allocate_fft (ConvolveCpuRun *run, const ConvolveFftNeeds *needs)
{
  if (transforms (run->plan))
    run->fft = convolve_fft_new (run, needs);
  return run->fft || ! transforms (run->plan);
}

static const char *
get_path_name (const ConvolveCpuRun *run)
{
  return run->fft ? "FFT, CPU" : run->products ? "products, CPU" : "taps, CPU";
}

/* Returns the time of a pixel in that of 16 taps. */
static int
get_work (const ConvolvePlan *plan)
{
  return transforms (plan) ? 8 : MAX (convolve_cpu_count_taps (plan) / 16, 1);
}

static FxRun *
convolve_cpu_begin (gpointer device, const FxPlan *base, const FxStrip *strip, GError **error)
{
  const ConvolvePlan *plan = convolve_plan_get (base);
  ConvolveCpuRun *run = g_new0 (ConvolveCpuRun, 1);
  double pixels = (double) fx_cpu_blocks_get_source_width (strip) *
                  (strip->source_y1 - strip->source_y0);
  ConvolveFftNeeds needs = { 0 };

  run->base = (FxRun) { .plan = base, .strip = *strip };
  run->plan = plan;
  run->channels = base->codec.format.channels;
  run->products = plan->strategy.cpu.products;
  needs.threads = fx_cpu_get_threads (device, pixels * get_work (plan));
  if (transforms (plan))
    needs = convolve_fft_get_needs (plan, strip, needs.threads, convolve_cpu_get_memory (device));
  run->threads = needs.threads;
  run->team = fx_team_new (run->threads);
  run->pitch = convolve_cpu_get_pitch (plan, strip);
  run->row_size = convolve_cpu_get_row_size (plan, strip);
  run->ring_rows = fx_strip_get_ring_rows (strip, &base->reach);
  if (convolve_cpu_run_init_taps (run) && allocate_scratch (run) && allocate_rings (run) &&
      allocate_fft (run, &needs))
    {
      convolve_cpu_run_init_beyond (run);
      convolve_trace_path (plan, get_path_name (run));
      return &run->base;
    }
  fx_set_no_memory (error);
  convolve_cpu_end (&run->base);
  return NULL;
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
