#include "cpu-blocks.h"

#include "error.h"

#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#define ALIGNMENT  64                /* of what is taken, in bytes: a vector */
#define LARGE_PAGE ((gsize) 2 << 20) /* bytes */

/* Bytes behind each array that is taken, which nothing may use: otherwise AddressSanitizer would
 * not see that one array is left for the next. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define GAP ALIGNMENT
#else
#define GAP                                     0
#define ASAN_POISON_MEMORY_REGION(memory, size) ((void) (memory), (void) (size))
#endif

/* Work on a chunk, or on some rows of its blocks. */
typedef struct {
  const FxCpuBlocks *run;
  const guint8 *source;
  guint8 *result;
  int y, rows;
} Chunk;

/* Memory. */

gpointer
fx_cpu_blocks_take (FxCpuBlocks *run, gsize n, gsize size)
{
  gsize first = run->taken, bytes = n * size;

  run->taken += (bytes + GAP + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (! run->memory)
    return NULL;
  ASAN_POISON_MEMORY_REGION (run->memory + first + bytes, GAP);
  return run->memory + first;
}

gpointer
fx_cpu_blocks_take_zeros (FxCpuBlocks *run, gsize n, gsize size)
{
  gpointer memory = fx_cpu_blocks_take (run, n, size);

  return memory ? memset (memory, 0, n * size) : NULL;
}

/* Uses large pages if the system has them. Otherwise the page faults, one for each 4096 bytes of
 * rows that live for a single run, would cost as much as a filter. */
static char *
allocate (gsize size)
{
  char *memory = g_try_malloc (size);

#ifdef MADV_HUGEPAGE
  if (memory && size >= LARGE_PAGE)
    madvise ((gpointer) (((gsize) memory + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE),
             size / LARGE_PAGE * LARGE_PAGE - LARGE_PAGE, MADV_HUGEPAGE);
#endif
  return memory;
}

static const FxCpuPath *
get_path (const FxPlan *plan)
{
  return (const FxCpuPath *) plan->filter->get_cpu_path (plan);
}

/* Returns a run that has counted its memory, but has none. */
static FxCpuBlocks *
make_run (const FxCpu *cpu, const FxPlan *plan, const FxStrip *strip)
{
  const FxCpuPath *path = get_path (plan);
  FxCpuBlocks *run = g_malloc0 (path->size);
  double pixels = (double) fx_cpu_blocks_get_source_width (strip) *
                  (strip->source_y1 - strip->source_y0);

  run->base = (FxRun) { .plan = plan, .strip = *strip };
  run->cpu = cpu;
  run->threads = fx_cpu_get_threads (cpu, pixels);
  path->init (run);
  path->lay_out (run);
  run->taken += ALIGNMENT;
  return run;
}

gsize
fx_cpu_blocks_get_bytes (gconstpointer cpu, const FxPlan *plan, const FxStrip *strip)
{
  g_autofree FxCpuBlocks *run = make_run (cpu, plan, strip);

  return run->taken;
}

FxRun *
fx_cpu_blocks_begin (gpointer cpu, const FxPlan *plan, const FxStrip *strip, GError **error)
{
  const FxCpuPath *path = get_path (plan);
  FxCpuBlocks *run = make_run (cpu, plan, strip);

  run->memory = allocate (run->taken);
  if (! run->memory)
    {
      fx_set_no_memory (error);
      g_free (run);
      return NULL;
    }
  run->taken = -(gsize) run->memory % ALIGNMENT;
  path->lay_out (run);
  if (path->fill)
    path->fill (run);
  run->team = fx_team_new (run->threads);
  return &run->base;
}

void
fx_cpu_blocks_end (FxRun *base)
{
  FxCpuBlocks *run = (FxCpuBlocks *) base;

  fx_team_free (run->team);
  g_free (run->memory);
  g_free (run);
}

/* The chunks. */

static void
decode_rows (gpointer data, int first, int end, int thread)
{
  const Chunk *chunk = data;
  const FxRun *run = &chunk->run->base;
  gsize stride = fx_cpu_blocks_get_source_width (&run->strip) *
                 fx_format_size (&run->plan->codec.format);
  int row;

  for (row = first; row < end; row++)
    chunk->run->decode (chunk->run, chunk->source + row * stride, chunk->y + row, thread);
}

gboolean
fx_cpu_blocks_push (FxRun *base, gconstpointer source, int y, int rows, GError **error)
{
  const FxCpuBlocks *run = (const FxCpuBlocks *) base;
  Chunk chunk = { .run = run, .source = source, .y = y };

  fx_team_run (run->team, rows, 4, decode_rows, &chunk);
  return TRUE;
}

static int
count_across (const FxCpuBlocks *run)
{
  return (int) fx_ceil_div (fx_cpu_blocks_get_width (&run->base.strip), run->columns);
}

static void
filter_blocks (gpointer data, int first, int end, int thread)
{
  const Chunk *chunk = data;
  const FxCpuBlocks *run = chunk->run;
  const FxStrip *strip = &run->base.strip;
  gsize pixel = fx_format_size (&run->base.plan->codec.format);
  int width = fx_cpu_blocks_get_width (strip), across = count_across (run), i;
  gsize stride = width * pixel;

  for (i = first; i < end; i++)
    {
      int x = i % across * run->columns, row = i / across * run->rows;
      const FxRect block = { strip->x0 + x, chunk->y + row, MIN (run->columns, width - x),
                             MIN (run->rows, chunk->rows - row) };

      run->filter (run, &block, chunk->result + row * stride + x * pixel, stride, thread);
    }
}

gboolean
fx_cpu_blocks_pull (FxRun *base, gpointer result, int y, int rows, GError **error)
{
  const FxCpuBlocks *run = (const FxCpuBlocks *) base;
  gsize stride = fx_cpu_blocks_get_width (&base->strip) *
                 fx_format_size (&base->plan->codec.format);
  int together = run->pace > 0 ? run->pace : rows, first;

  for (first = 0; first < rows; first += together)
    {
      Chunk chunk = { .run = run,
                      .result = (guint8 *) result + first * stride,
                      .y = y + first,
                      .rows = MIN (together, rows - first) };
      int down = (int) fx_ceil_div (chunk.rows, run->rows);

      if (run->pace > 0 && base->is_wanted && ! base->is_wanted (base->data, error))
        return FALSE;
      fx_team_run (run->team, count_across (run) * down, 1, filter_blocks, &chunk);
    }
  return TRUE;
}
