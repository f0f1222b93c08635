#include "cpu-blocks.h"

#include "error.h"

#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#define ALIGNMENT  64                /* bytes: a vector */
#define LARGE_PAGE ((gsize) 2 << 20) /* bytes */

/* The estimated nanoseconds that each thread works between two checks of whether the run is still
 * wanted. */
#define CHECK_INTERVAL 1e8

/* Unused bytes behind each array. Without them, AddressSanitizer would not detect an access to the
 * next array. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define GAP ALIGNMENT
#else
#define GAP                                     0
#define ASAN_POISON_MEMORY_REGION(memory, size) ((void) (memory), (void) (size))
#endif

/* The arguments of the threads that work on a chunk. */
typedef struct {
  const FxCpuBlocks *run;
  const guint8 *source;
  guint8 *result;
  int y, rows;
  int first; /* row of the source or block that the threads begin with */
} Chunk;

/* Memory. */

gpointer
fx_cpu_blocks_alloc (FxCpuBlocks *run, gsize n, gsize size)
{
  gsize first = run->used, bytes = n * size;

  run->used += fx_round_up (bytes + GAP, ALIGNMENT);
  if (! run->memory)
    return NULL;
  ASAN_POISON_MEMORY_REGION (run->memory + first + bytes, GAP);
  return run->memory + first;
}

gpointer
fx_cpu_blocks_alloc0 (FxCpuBlocks *run, gsize n, gsize size)
{
  gpointer memory = fx_cpu_blocks_alloc (run, n, size);

  return memory ? memset (memory, 0, n * size) : NULL;
}

/* Uses large pages if the system has them. Otherwise a run would have a page fault for each 4096
 * bytes of its rows, which would cost as much as a filter. */
static char *
allocate (gsize size)
{
  char *memory = g_try_malloc (size);

#ifdef MADV_HUGEPAGE
  if (memory && size >= LARGE_PAGE)
    madvise ((gpointer) (fx_round_up ((gsize) memory, LARGE_PAGE)),
             size / LARGE_PAGE * LARGE_PAGE - LARGE_PAGE, MADV_HUGEPAGE);
#endif
  return memory;
}

static gsize
get_source_bytes (const FxRun *run)
{
  return fx_cpu_blocks_get_source_width (&run->strip) * fx_format_size (&run->plan->codec.format);
}

static void
lay_out (FxCpuBlocks *run)
{
  const FxCpuPath *path = run->base.plan->cpu_path;

  if (path->lay_out)
    path->lay_out (run);
  if (run->keeps_source)
    run->stored = fx_cpu_blocks_alloc (run, run->ring_rows, get_source_bytes (&run->base));
}

/* Returns a run that has counted its memory in used, but has not allocated it. */
static FxCpuBlocks *
make_run (const FxCpu *cpu, const FxPlan *plan, const FxStrip *strip)
{
  const FxCpuPath *path = plan->cpu_path;
  FxCpuBlocks *run = g_malloc0 (path->size);
  double pixels = (double) fx_cpu_blocks_get_source_width (strip) *
                  (strip->source_y1 - strip->source_y0);

  run->base = (FxRun) { .plan = plan, .strip = *strip };
  run->cpu = cpu;
  run->threads = fx_cpu_get_threads (cpu, pixels);
  run->ring_rows = fx_strip_get_ring_rows (strip, &plan->reach);
  path->init (run);
  lay_out (run);
  run->used += ALIGNMENT;
  return run;
}

static gsize
cpu_get_bytes (gconstpointer cpu, const FxPlan *plan, const FxStrip *strip)
{
  g_autofree FxCpuBlocks *run = make_run (cpu, plan, strip);

  return run->used;
}

static FxRun *
cpu_begin (gpointer cpu, const FxPlan *plan, const FxStrip *strip, GError **error)
{
  const FxCpuPath *path = plan->cpu_path;
  FxCpuBlocks *run = make_run (cpu, plan, strip);

  run->memory = allocate (run->used);
  if (! run->memory)
    {
      fx_set_no_memory (error);
      g_free (run);
      return NULL;
    }
  run->used = -(gsize) run->memory % ALIGNMENT;
  lay_out (run);
  if (path->fill)
    path->fill (run);
  run->team = fx_team_new (run->threads);
  return &run->base;
}

static void
cpu_end (FxRun *base)
{
  FxCpuBlocks *run = (FxCpuBlocks *) base;

  fx_team_free (run->team);
  g_free (run->memory);
  g_free (run);
}

/* The chunks. */

/* Lets the threads process the n parts of a chunk, which have the given number of pixels each. */
static gboolean
run_parts (const FxCpuBlocks *run, Chunk *chunk, int n, double pixels, int together,
           FxTeamFunc func, GError **error)
{
  const FxPlan *plan = run->base.plan;
  double part = pixels * plan->codec.format.channels * plan->cpu_cost;
  int most = (int) CLAMP (CHECK_INTERVAL / part, 1.0, G_MAXINT / run->threads) * run->threads;

  for (; n - chunk->first > most; chunk->first += most)
    {
      fx_team_run (run->team, most, together, func, chunk);
      if (! fx_run_is_wanted (&run->base, error))
        return FALSE;
    }
  fx_team_run (run->team, n - chunk->first, together, func, chunk);
  return TRUE;
}

static void
decode_rows (gpointer data, int first, int end, int thread)
{
  const Chunk *chunk = data;
  const FxCpuBlocks *run = chunk->run;
  gsize bytes = get_source_bytes (&run->base);

  for (int row = chunk->first + first; row < chunk->first + end; row++)
    {
      const guint8 *source = chunk->source + row * bytes;
      int y = chunk->y + row;

      if (run->stored)
        memcpy (run->stored + y % run->ring_rows * bytes, source, bytes);
      if (run->decode)
        run->decode (run, source, y, thread);
    }
}

gboolean
fx_cpu_blocks_push (FxRun *base, gconstpointer source, int y, int rows, GError **error)
{
  const FxCpuBlocks *run = (const FxCpuBlocks *) base;
  Chunk chunk = { .run = run, .source = source, .y = y };

  return run_parts (run, &chunk, rows, fx_cpu_blocks_get_source_width (&base->strip), 4,
                    decode_rows, error);
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
  int width = fx_cpu_blocks_get_width (strip), across = count_across (run);
  gsize stride = width * pixel;

  for (int i = chunk->first + first; i < chunk->first + end; i++)
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
  Chunk chunk = { .run = run, .result = result, .y = y, .rows = rows };
  int n = count_across (run) * (int) fx_ceil_div (rows, run->rows);
  double pixels = (double) run->columns * MIN (run->rows, rows);

  return run_parts (run, &chunk, n, pixels, 1, filter_blocks, error);
}

/* The backend. */

static int
cpu_get_held (const FxPlan *plan)
{
  return plan->cpu_path->held;
}

static int
cpu_get_chunk_rows (const FxPlan *plan)
{
  return plan->cpu_path->get_chunk_rows ? plan->cpu_path->get_chunk_rows (plan) : 0;
}

static gboolean
cpu_push (FxRun *run, gconstpointer source, int y, int rows, GError **error)
{
  const FxCpuPath *path = run->plan->cpu_path;

  return (path->push ? path->push : fx_cpu_blocks_push) (run, source, y, rows, error);
}

static gboolean
cpu_pull (FxRun *run, gpointer result, int y, int rows, GError **error)
{
  const FxCpuPath *path = run->plan->cpu_path;

  return (path->pull ? path->pull : fx_cpu_blocks_pull) (run, result, y, rows, error);
}

const FxBackend fx_cpu_backend = {
  .get_held = cpu_get_held,
  .get_chunk_rows = cpu_get_chunk_rows,
  .get_bytes = cpu_get_bytes,
  .begin = cpu_begin,
  .push = cpu_push,
  .pull = cpu_pull,
  .end = cpu_end,
};
