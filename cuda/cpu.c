/* The engine on the CPU: the same two FIR passes as on the GPU, on all cores. */
#include "backend.h"
#include "sample.h"
#include "trace.h"
#include "vector.h"

#include <glib/gi18n-lib.h>
#include <omp.h>
#include <string.h>

#define BLOCK 64  /* floats a thread works on at a time: a few vector registers, divides the pitch */
#define SLAB  128 /* taps summed before they join the total: keeps the rounding error of long kernels
                     from growing with their length */

typedef struct {
  BlurRun base;
  gsize pitch;   /* floats between rows of the ring, and its planes */
  float *ring;   /* row y: channels planes of pitch floats at slot y mod ring_rows */
  float *beyond; /* one such row, of the pixel beyond the edge */
  float *lines;  /* one line a thread: decoded source with the abyss on both sides, planes */
  gsize line_pitch;
  int threads;
} CpuRun;

int
blur_cpu_get_threads (void)
{
  return omp_get_max_threads ();
}

static void
cpu_end (BlurRun *run)
{
  CpuRun *cpu = (CpuRun *) run;

  g_free (run->source);
  g_free (run->result);
  g_free (cpu->ring);
  g_free (cpu->beyond);
  g_free (cpu->lines);
  g_free (cpu);
}

static void
fill (float *x, gsize n, float value)
{
  gsize i;

  for (i = 0; i < n; i++)
    x[i] = value;
}

static gboolean
allocate (CpuRun *cpu)
{
  const BlurStrip *strip = &cpu->base.strip;
  int channels = cpu->base.plan->format.channels;
  gsize pixel = blur_format_size (&cpu->base.plan->format);
  int c;

  cpu->base.source = g_try_malloc_n ((gsize) strip->chunk_rows * pixel,
                                     strip->source_x1 - strip->source_x0);
  cpu->base.result = g_try_malloc_n ((gsize) strip->chunk_rows * pixel, strip->x1 - strip->x0);
  cpu->ring = g_try_new (float, (gsize) strip->ring_rows * channels * cpu->pitch);
  cpu->beyond = g_try_new (float, channels * cpu->pitch);
  cpu->lines = g_try_new0 (float, (gsize) cpu->threads * channels * cpu->line_pitch);
  if (! cpu->base.source || ! cpu->base.result || ! cpu->ring || ! cpu->beyond || ! cpu->lines)
    return FALSE;
  for (c = 0; c < channels; c++)
    fill (cpu->beyond + c * cpu->pitch, cpu->pitch, cpu->base.plan->beyond[c]);
  return TRUE;
}

static BlurRun *
cpu_begin (gpointer device, const BlurPlan *plan, const BlurStrip *strip, GError **error)
{
  CpuRun *cpu = g_new0 (CpuRun, 1);

  cpu->base = (BlurRun) { .backend = &blur_cpu_backend, .plan = plan, .strip = *strip };
  cpu->threads = omp_get_max_threads ();
  cpu->pitch = blur_plan_get_pitch (strip->x1 - strip->x0);
  cpu->line_pitch = cpu->pitch + 2 * (gsize) plan->x.radius;
  if (allocate (cpu))
    return &cpu->base;
  g_set_error (error, BLUR_ERROR, BLUR_ERROR_MEMORY, _("There is not enough memory for the blur"));
  cpu_end (&cpu->base);
  return NULL;
}

/* One source row, decoded, with what lies beyond the edge on both sides. */
static void
load_line (const CpuRun *cpu, const guint8 *pixels, float *line)
{
  const BlurPlan *plan = cpu->base.plan;
  const BlurStrip *strip = &cpu->base.strip;
  gsize first = (gsize) (strip->source_x0 - (strip->x0 - plan->x.radius));
  int n = strip->source_x1 - strip->source_x0;
  gsize last = first + n;
  gsize end = (gsize) (strip->x1 - strip->x0) + 2 * (gsize) plan->x.radius;
  gboolean clamp = plan->abyss == BLUR_ABYSS_CLAMP;
  int c;

  blur_sample_decode (plan, pixels, n, line + first, cpu->line_pitch);
  for (c = 0; c < plan->format.channels; c++, line += cpu->line_pitch)
    {
      fill (line, first, clamp ? line[first] : plan->beyond[c]);
      fill (line + last, end - last, clamp ? line[last - 1] : plan->beyond[c]);
    }
}

/* out[i] = sum over k of weights[|k|] line[i + radius + k], for whole blocks of i. */
BLUR_VECTORISED static void
filter_line (const BlurAxis *axis, const float *line, float *out, gsize n)
{
  gsize x;
  int first, k, i;

  for (x = 0; x < n; x += BLOCK)
    {
      const float *center = line + x + axis->radius;
      float total[BLOCK];

      for (i = 0; i < BLOCK; i++)
        total[i] = axis->weights[0] * center[i];
      for (first = 1; first <= axis->radius; first += SLAB)
        {
          int last = MIN (first + SLAB - 1, axis->radius);
          float sum[BLOCK] = { 0 };

          for (k = first; k <= last; k++)
            for (i = 0; i < BLOCK; i++)
              sum[i] += axis->weights[k] * (center[i - k] + center[i + k]);
          for (i = 0; i < BLOCK; i++)
            total[i] += sum[i];
        }
      memcpy (out + x, total, sizeof total);
    }
}

static gboolean
cpu_push (BlurRun *run, int y, int rows, GError **error)
{
  CpuRun *cpu = (CpuRun *) run;
  int channels = run->plan->format.channels;
  gsize stride = (run->strip.source_x1 - run->strip.source_x0) * blur_format_size (&run->plan->format);
  int row;

#pragma omp parallel for num_threads (cpu->threads) schedule (dynamic, 4)
  for (row = 0; row < rows; row++)
    {
      float *line = cpu->lines + omp_get_thread_num () * channels * cpu->line_pitch;
      float *out = cpu->ring + ((y + row) % run->strip.ring_rows) * channels * cpu->pitch;
      int c;

      load_line (cpu, (const guint8 *) run->source + row * stride, line);
      for (c = 0; c < channels; c++)
        filter_line (&run->plan->x, line + c * cpu->line_pitch, out + c * cpu->pitch, cpu->pitch);
    }
  return TRUE;
}

/* Where row y of the ring is; beyond the edge, what the abyss policy puts there. */
static const float *
get_row (const CpuRun *cpu, gint64 y)
{
  const BlurPlan *plan = cpu->base.plan;
  const BlurStrip *strip = &cpu->base.strip;

  if ((y < 0 || y >= strip->height) && plan->abyss != BLUR_ABYSS_CLAMP)
    return cpu->beyond;
  y = CLAMP (y, 0, strip->height - 1);
  return cpu->ring + (y % strip->ring_rows) * plan->format.channels * cpu->pitch;
}

/* One block of one result row: rows[0] is its own, rows[k] and rows[-k] those around it. */
BLUR_VECTORISED static void
filter_column (const BlurAxis *axis, const float *const *rows, gsize x, float *total)
{
  int first, k, i;

  for (i = 0; i < BLOCK; i++)
    total[i] = axis->weights[0] * rows[0][x + i];
  for (first = 1; first <= axis->radius; first += SLAB)
    {
      int last = MIN (first + SLAB - 1, axis->radius);
      float sum[BLOCK] = { 0 };

      for (k = first; k <= last; k++)
        {
          const float *above = rows[-k] + x;
          const float *below = rows[k] + x;

          for (i = 0; i < BLOCK; i++)
            sum[i] += axis->weights[k] * (above[i] + below[i]);
        }
      for (i = 0; i < BLOCK; i++)
        total[i] += sum[i];
    }
}

/* One block of columns down all rows of a chunk, so that the ring's part of it stays in cache. */
static void
pull_block (const CpuRun *cpu, const float *const *rows, int count, gsize x)
{
  const BlurPlan *plan = cpu->base.plan;
  gsize width = cpu->base.strip.x1 - cpu->base.strip.x0;
  gsize pixel = blur_format_size (&plan->format);
  guint8 *out = (guint8 *) cpu->base.result + x * pixel;
  int row, c;

  for (row = 0; row < count; row++)
    {
      float planes[4 * BLOCK];

      for (c = 0; c < plan->format.channels; c++)
        filter_column (&plan->y, rows + row, c * cpu->pitch + x, planes + c * BLOCK);
      blur_sample_encode (plan, planes, BLOCK, (int) MIN (BLOCK, width - x),
                          out + row * width * pixel);
    }
}

static gboolean
cpu_pull (BlurRun *run, int y, int rows, GError **error)
{
  CpuRun *cpu = (CpuRun *) run;
  int radius = run->plan->y.radius;
  int width = run->strip.x1 - run->strip.x0;
  g_autofree const float **table = g_new (const float *, (gsize) rows + 2 * (gsize) radius);
  int x, i;

  for (i = 0; i < rows + 2 * radius; i++)
    table[i] = get_row (cpu, (gint64) y - radius + i);
#pragma omp parallel for num_threads (cpu->threads) schedule (dynamic, 1)
  for (x = 0; x < width; x += BLOCK)
    pull_block (cpu, table + radius, rows, x);
  return TRUE;
}

const BlurBackend blur_cpu_backend = {
  .begin = cpu_begin,
  .push = cpu_push,
  .pull = cpu_pull,
  .end = cpu_end,
};
