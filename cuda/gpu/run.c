/* Runs a plan on the GPU: uploads a strip's rows into a ring, lets the plan's path compute the
 * result, and downloads its rows. */
#include "gpu-run.h"

#include <string.h>

static const FxGpuPath *
get_path (const FxPlan *plan)
{
  return plan->identity ? NULL : plan->gpu_path;
}

/* Sizes. */

/* Returns the first row in slot 0 of the source's ring. Chunks start at multiples of their size, so
 * with this origin the end of the ring splits no chunk. */
static int
get_origin (const FxStrip *strip)
{
  return strip->source_y0 - strip->source_y0 % strip->chunk_rows;
}

static gsize
get_slots (const FxPlan *plan, const FxStrip *strip)
{
  const FxGpuPath *path = get_path (plan);
  int rows = plan->reach.above + plan->reach.below + strip->chunk_rows;
  gsize all = fx_round_up (strip->source_y1 - get_origin (strip), strip->chunk_rows);

  if (path->get_source_rows)
    rows = path->get_source_rows (plan, strip);
  return MIN (all, fx_round_up ((gsize) rows + strip->chunk_rows, strip->chunk_rows));
}

static gsize
gpu_run_get_result_bytes (const FxPlan *plan, const FxStrip *strip, gsize rows)
{
  return rows * (strip->x1 - strip->x0) * fx_format_size (&plan->codec.format);
}

gsize
fx_gpu_run_get_bytes (const FxPlan *plan, const FxStrip *strip)
{
  const FxGpuPath *path = get_path (plan);

  return path->get_bytes ? path->get_bytes (plan, strip) : 0;
}

static gsize
gpu_get_bytes (gconstpointer gpu, const FxPlan *plan, const FxStrip *strip)
{
  gsize row = (strip->source_x1 - strip->source_x0) * fx_format_size (&plan->codec.format);
  gsize source = strip->resident ? 0 : get_slots (plan, strip) * row;

  return source + gpu_run_get_result_bytes (plan, strip, strip->chunk_rows) +
         fx_gpu_run_get_bytes (plan, strip);
}

gsize
fx_gpu_get_grid_bytes (const FxPlan *plan, gsize columns, gsize rows)
{
  return columns * rows * plan->codec.format.channels * sizeof (float);
}

/* The run. */

/* Sets the ring's offset for access to row low and the rows after it. */
static void
set_ring_offset (FxGpuRun *run, int low)
{
  int origin = get_origin (&run->base.strip), from = MAX (low, run->source.y0) - origin;

  if (! run->base.strip.resident)
    run->source.offset = from % run->source.slots - from - origin;
}

static gboolean
gpu_run_push (FxGpuRun *run, int y, int rows, GError **error)
{
  set_ring_offset (run, y + rows - run->source.slots);
  return ! run->path->push || run->path->push (run, y, rows, error);
}

static gboolean
gpu_run_pull (FxGpuRun *run, int y, int rows, GError **error)
{
  const FxRun *base = &run->base;

  set_ring_offset (run,
                   fx_strip_get_source_rows (&base->strip, &base->plan->reach, y, y + rows).first);
  run->area = fx_gpu_run_get_area (run, y, rows);
  return run->path->pull (run, &run->area, error);
}

gboolean
fx_gpu_run_compute (FxGpuRun *run, int y, int rows, GError **error)
{
  int first = run->pushed, end = fx_run_get_need (&run->base, y + rows);

  run->pushed = MAX (first, end);
  return (first >= end || gpu_run_push (run, first, end - first, error)) &&
         gpu_run_pull (run, y, rows, error);
}

gpointer
fx_gpu_run_keep (FxGpuRun *run, gpointer memory)
{
  run->kept = g_slist_prepend (run->kept, memory);
  return memory;
}

void
fx_gpu_run_free (FxGpuRun *run)
{
  /* If the run stopped midway, queued work may still use the buffers. */
  fx_gpu_wait (run->gpu, NULL);
  if (run->path && run->path->end)
    run->path->end (run);
  g_slist_free_full (run->kept, g_free);
  g_free (run);
}

static void
gpu_end (FxRun *base)
{
  fx_gpu_run_free ((FxGpuRun *) base);
}

static FxProgramCase
get_case (FxGpu *gpu, const FxPlan *plan)
{
  FxProgramCase program_case = { .codec = plan->codec, .plan = plan };

  fx_gpu_get_shared (gpu, &program_case.shared_block, &program_case.shared_processor);
  return program_case;
}

int
fx_gpu_path_get_programs (const FxPlan *plan, FxVariants variants, const FxProgram **programs)
{
  const FxGpuPath *path = get_path (plan);
  int n = 0;

  if (path->get_programs)
    return path->get_programs (plan, variants, programs);
  for (; n < FX_PROGRAMS_MAX && path->programs[n]; n++)
    programs[n] = path->programs[n];
  return n;
}

static gboolean
load_programs (FxGpu *gpu, const FxProgramCase *program_case, FxKernel **kernels, GError **error)
{
  const FxProgram *programs[FX_PROGRAMS_MAX];
  int n = fx_gpu_path_get_programs (program_case->plan, fx_gpu_get_variants (gpu), programs);

  return fx_gpu_get_kernels (gpu, n, programs, program_case, kernels, error);
}

gboolean
fx_gpu_run_specialise (FxGpuRun *run, int n, const FxProgram *const *programs, gboolean *done,
                       GError **error)
{
  FxVariants variants = fx_gpu_get_variants (run->gpu);
  FxKernel *kernels[FX_PROGRAMS_MAX];

  *done = variants != FX_VARIANTS_GENERIC;
  if (variants == FX_VARIANTS_SPECIALISED &&
      ! fx_gpu_get_kernels (run->gpu, n, programs, &run->program_case, kernels, error))
    return FALSE;
  for (int i = 0; i < n && variants == FX_VARIANTS_BOTH; i++)
    {
      kernels[i] = fx_gpu_find_kernel (run->gpu, programs[i], &run->program_case);
      *done = *done && kernels[i];
    }
  if (*done)
    memcpy (run->kernels, kernels, n * sizeof *kernels);
  return TRUE;
}

gboolean
fx_gpu_run_begin (FxGpuRun *run, gsize result_bytes, GError **error)
{
  run->result = fx_gpu_get_buffer (run->gpu, FX_BUFFER_RESULT, result_bytes, error);
  return run->result && load_programs (run->gpu, &run->program_case, run->kernels, error) &&
         (! run->path->begin || run->path->begin (run, error));
}

/* Makes the source the resident image, from which the strip uses some columns, or otherwise a
 * ring. */
static gboolean
set_source (FxGpuRun *run, GError **error)
{
  const FxPlan *plan = run->base.plan;
  const FxStrip *strip = &run->base.strip;
  gsize pixel = fx_format_size (&plan->codec.format);
  gsize slots = strip->resident ? (gsize) strip->height : get_slots (plan, strip);
  int pitch = strip->resident ? strip->width : strip->source_x1 - strip->source_x0;

  run->image = fx_gpu_get_buffer (run->gpu,
                                  strip->resident ? FX_BUFFER_RESIDENT_0 : FX_BUFFER_SOURCE,
                                  slots * pitch * pixel, error);
  if (! run->image)
    return FALSE;
  run->source = (FxSource) {
    .pixels = run->image + (strip->resident ? strip->source_x0 * pixel : 0),
    .slots = (int) slots,
    .pitch = pitch,
    .right = strip->width,
    .bottom = strip->height,
    .x0 = strip->source_x0,
    .x1 = strip->source_x1,
    .y0 = strip->source_y0,
    .y1 = strip->source_y1,
  };
  return TRUE;
}

static gsize
get_row_bytes (const FxGpuRun *run)
{
  return run->source.pitch * fx_format_size (&run->base.plan->codec.format);
}

FxGpuRun *
fx_gpu_run_new (FxGpu *gpu, const FxPlan *plan, const FxStrip *strip)
{
  const FxGpuPath *path = get_path (plan);
  FxGpuRun *run = g_malloc0 (path ? path->size : sizeof *run);

  run->base = (FxRun) { .plan = plan, .strip = *strip, .needs_all = path && path->needs_all };
  run->gpu = gpu;
  run->path = path;
  run->program_case = get_case (gpu, plan);
  run->pushed = strip->source_y0;
  return run;
}

static FxRun *
gpu_begin (gpointer gpu, const FxPlan *plan, const FxStrip *strip, GError **error)
{
  FxGpuRun *run = fx_gpu_run_new (gpu, plan, strip);

  if (set_source (run, error) &&
      fx_gpu_run_begin (run, gpu_run_get_result_bytes (plan, strip, strip->chunk_rows), error))
    return &run->base;
  fx_gpu_run_free (run);
  return NULL;
}

/* Queues the upload of a chunk. */
static gboolean
upload (FxGpuRun *run, gconstpointer pixels, int y, int rows, GError **error)
{
  int first = run->base.strip.resident ? 0 : get_origin (&run->base.strip);
  gsize slot = (gsize) (y - first) % run->source.slots;

  return fx_gpu_upload (run->gpu, run->image + slot * get_row_bytes (run), pixels,
                        rows * get_row_bytes (run), error);
}

static gboolean
gpu_push (FxRun *base, gconstpointer source, int y, int rows, GError **error)
{
  FxGpuRun *run = (FxGpuRun *) base;

  if (! source)
    return gpu_run_push (run, y, rows, error);
  return upload (run, source, y, rows, error) && gpu_run_push (run, y, rows, error) &&
         fx_gpu_wait_upload (run->gpu, error);
}

static gboolean
gpu_pull (FxRun *base, gpointer result, int y, int rows, GError **error)
{
  FxGpuRun *run = (FxGpuRun *) base;

  run->queued = 0.0; /* the wait below includes it */
  return gpu_run_pull (run, y, rows, error) &&
         fx_gpu_download (run->gpu, result, run->result,
                          gpu_run_get_result_bytes (base->plan, &base->strip, rows), error) &&
         fx_gpu_wait (run->gpu, error);
}

const FxBackend fx_gpu_backend = {
  .get_bytes = gpu_get_bytes,
  .begin = gpu_begin,
  .push = gpu_push,
  .pull = gpu_pull,
  .end = gpu_end,
};

/* Loading programs in advance. */

static FxProgramCase
get_program_case (const FxUse *use)
{
  return (FxProgramCase) { .codec = fx_codec_new (&use->format, FX_LIGHT_LINEAR) };
}

static gboolean
has_programs (FxGpu *gpu, const FxPlan *plan)
{
  const FxProgramCase program_case = get_case (gpu, plan);
  const FxProgram *programs[FX_PROGRAMS_MAX];
  int n = fx_gpu_path_get_programs (plan, fx_gpu_get_variants (gpu), programs);

  for (int i = 0; i < n; i++)
    if (! fx_gpu_has_kernel (gpu, programs[i], &program_case))
      return FALSE;
  return TRUE;
}

gboolean
fx_gpu_is_ready (FxGpu *gpu, const FxUse *use)
{
  const FxProgramCase program_case = get_program_case (use);

  return (! use->program || fx_gpu_has_kernel (gpu, use->program, &program_case)) &&
         (use->plan->identity || has_programs (gpu, use->plan));
}

gboolean
fx_gpu_make_ready (FxGpu *gpu, const FxUse *use, GError **error)
{
  const FxProgramCase program_case = get_program_case (use);
  const FxProgramCase plan_case = get_case (gpu, use->plan);
  FxKernel *kernels[FX_PROGRAMS_MAX];

  return (! use->program || fx_gpu_get_kernel (gpu, use->program, &program_case, error)) &&
         (use->plan->identity || load_programs (gpu, &plan_case, kernels, error));
}
