#include "invert.h"

#include "cpu.h"
#include "error.h"
#include "team.h"

#include <glib/gi18n-lib.h>
#include <string.h>

gboolean
invert_params_check (const InvertParams *params, GError **error)
{
  if (params->amount >= 0.0 && params->amount <= 1.0)
    return fx_light_check (params->light, error);
  return fx_refuse (error, _ ("%s is %g, but must be 0 to 1"), "amount", params->amount);
}

/* The path on the CPU: rows wait in a ring, as they are stored. */

typedef struct {
  FxRun base;
  FxTeam *team;
  int ring_rows;
  gsize row_bytes;
  guint8 *ring;
  float *planes; /* of one row for each thread */
} InvertRun;

static gsize
get_planes_size (const FxPlan *plan, const FxStrip *strip)
{
  return plan->codec.format.channels * fx_rows_get_pitch (strip->x1 - strip->x0);
}

static gsize
get_ring_bytes (const FxPlan *plan, const FxStrip *strip)
{
  return (gsize) fx_strip_get_ring_rows (strip, &plan->reach) * (strip->x1 - strip->x0) *
         fx_format_size (&plan->codec.format);
}

static gsize
invert_cpu_get_bytes (gconstpointer device, const FxPlan *plan, const FxStrip *strip)
{
  const FxCpu *cpu = device;

  return get_ring_bytes (plan, strip) +
         cpu->threads * get_planes_size (plan, strip) * sizeof (float);
}

static void
invert_cpu_end (FxRun *base)
{
  InvertRun *run = (InvertRun *) base;

  fx_team_free (run->team);
  g_free (run->ring);
  g_free (run->planes);
  g_free (run);
}

static FxRun *
invert_cpu_begin (gpointer device, const FxPlan *plan, const FxStrip *strip, GError **error)
{
  InvertRun *run = g_new0 (InvertRun, 1);
  double pixels = (double) (strip->x1 - strip->x0) * (strip->y1 - strip->y0);
  int threads = fx_cpu_get_threads (device, pixels);

  run->base = (FxRun) { .plan = plan, .strip = *strip };
  run->team = fx_team_new (threads);
  run->ring_rows = fx_strip_get_ring_rows (strip, &plan->reach);
  run->row_bytes = (strip->x1 - strip->x0) * fx_format_size (&plan->codec.format);
  run->ring = g_try_malloc (get_ring_bytes (plan, strip));
  run->planes = fx_cpu_allocate (threads * get_planes_size (plan, strip));
  if (run->ring && run->planes)
    return &run->base;
  fx_set_no_memory (error);
  invert_cpu_end (&run->base);
  return NULL;
}

static guint8 *
get_slot (const InvertRun *run, int y)
{
  return run->ring + y % run->ring_rows * run->row_bytes;
}

static gboolean
invert_cpu_push (FxRun *base, gconstpointer source, int y, int rows, GError **error)
{
  const InvertRun *run = (const InvertRun *) base;

  for (int i = 0; i < rows; i++)
    memcpy (get_slot (run, y + i), (const guint8 *) source + i * run->row_bytes, run->row_bytes);
  return TRUE;
}

typedef struct {
  const InvertRun *run;
  guint8 *result;
  int y;
} Pull;

static void
pull_rows (gpointer data, int first, int end, int thread)
{
  const Pull *job = data;
  const FxPlan *plan = job->run->base.plan;
  const InvertPlan *invert = (const InvertPlan *) plan;
  const FxStrip *strip = &job->run->base.strip;
  const int width = strip->x1 - strip->x0, channels = plan->codec.format.channels;
  const int colors = channels - fx_format_has_alpha (&plan->codec.format);
  float *planes[FX_CHANNELS_MAX];

  for (int c = 0; c < FX_CHANNELS_MAX; c++)
    planes[c] = job->run->planes + thread * get_planes_size (plan, strip) +
                MIN (c, channels - 1) * fx_rows_get_pitch (width);
  for (int row = first; row < end; row++)
    {
      fx_codec_decode (&plan->codec, get_slot (job->run, job->y + row), width, planes);
      for (int c = 0; c < colors; c++)
        for (int i = 0; i < width; i++)
          planes[c][i] = planes[c][i] * invert->factor + invert->added;
      fx_codec_encode (&plan->codec, planes, width, job->result + row * job->run->row_bytes);
    }
}

static gboolean
invert_cpu_pull (FxRun *base, gpointer result, int y, int rows, GError **error)
{
  const InvertRun *run = (const InvertRun *) base;
  Pull job = { run, result, y };

  fx_team_run (run->team, rows, 1, pull_rows, &job);
  return TRUE;
}

static const FxBackend *
invert_get_cpu_path (const FxPlan *plan)
{
  static const FxBackend path = {
    .get_bytes = invert_cpu_get_bytes,
    .begin = invert_cpu_begin,
    .push = invert_cpu_push,
    .pull = invert_cpu_pull,
    .end = invert_cpu_end,
  };

  return &path;
}

/* The filter. */

/* Sizes do not matter to it. */
static FxPlan *
invert_plan_get_draft (const FxPlan *plan, int level)
{
  return fx_plan_ref ((FxPlan *) plan);
}

static double
invert_plan_get_cpu_cost (const FxPlan *plan)
{
  return 2.0;
}

#if HAVE_CUDA
static const FxGpuPath *
invert_get_gpu_path (const FxPlan *plan)
{
  return &invert_gpu;
}
#endif

static const FxFilter filter = {
  .name = "invert",
  .get_draft = invert_plan_get_draft,
  .get_cpu_cost = invert_plan_get_cpu_cost,
  .get_cpu_path = invert_get_cpu_path,
#if HAVE_CUDA
  .get_gpu_path = invert_get_gpu_path,
#endif
};

FxPlan *
invert_plan_new (const InvertParams *params, const FxFormat *format, GError **error)
{
  InvertPlan *plan;
  FxCodec codec;

  if (! invert_params_check (params, error) || ! fx_format_check (format, error))
    return NULL;
  codec = fx_codec_new (format, params->light);
  codec.alpha = FX_ALPHA_STRAIGHT;
  plan = g_new0 (InvertPlan, 1);
  fx_plan_init (&plan->base, &filter, &codec, FX_ABYSS_CLAMP);
  plan->factor = (float) (1.0 - 2.0 * params->amount);
  plan->added = (float) params->amount;
  plan->base.identity = params->amount == 0.0;
  return &plan->base;
}
