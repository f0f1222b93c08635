/* A median blur on the CPU: the window slides through each block of pixels, one channel after the
 * other. */
#include "cpu-codes.h"
#include "cpu-small.h"
#include "vector.h"

#include <string.h>

enum { COLUMNS = 128, ROWS = 64, CHUNK_ROWS = 256 }; /* of a block; of a chunk */

/* The lowest two bytes of a code make so many codes. */
#define CODES (1 << 16)

typedef struct {
  MedianCodes codes;
  guint32 *counters[MEDIAN_LEVELS_MAX];
  guint32 *found;
} Thread;

typedef struct {
  FxCpuBlocks base;
  int levels;                     /* of codes */
  gboolean small;                 /* windows of bytes without weights are small */
  int pitch, height;              /* of a block's source */
  gsize sizes[MEDIAN_LEVELS_MAX]; /* of the counters of each level */
  int *moves[3][2];               /* the places that enter and leave, as in MedianSlide */
  Thread *threads;
} MedianRun;

static const MedianPlan *
get_plan (const MedianRun *run)
{
  return (const MedianPlan *) run->base.base.plan;
}

/* Channels. */

/* Returns the rank among pixels that all have this weight, which is not 0. */
static unsigned
get_even_rank (const MedianWindow *window, double percentile, unsigned weight)
{
  return (unsigned) fx_ceil_div (median_get_rank (percentile, window->size * weight), weight);
}

/* Sets found to code. */
static void
find_code (const MedianSlide *slide, guint32 code)
{
  for (int i = 0; i < slide->columns * slide->rows; i++)
    slide->found[i] = code;
}

static guint32
get_first_code (const MedianSlide *slide)
{
  return slide->levels == 1   ? *(const guint8 *) slide->codes
         : slide->levels == 2 ? *(const guint16 *) slide->codes
                              : *(const guint32 *) slide->codes;
}

static void
find_in_small (const MedianSlide *slide)
{
  static MedianSmall *const find[] = FX_OF_UNITS (median_small);

  find[fx_vector_get_unit ()](slide);
}

static void
filter_channel (const MedianRun *run, const MedianSource *source, int channel, MedianSlide *slide,
                const Thread *thread)
{
  gboolean small = run->small && ! slide->weighs;
  gboolean flat = median_codes_load (source, channel, small ? 0 : run->levels, &thread->codes);

  if (flat && ! slide->weighs)
    {
      find_code (slide, small ? median_swap (get_first_code (slide)) : get_first_code (slide));
      return;
    }
  if (small)
    {
      find_in_small (slide);
      return;
    }
  if (slide->weighs)
    median_codes_combine (&thread->codes, run->levels, run->pitch * source->rows);
  for (int level = 0; level < run->levels; level++)
    memset (thread->counters[level], 0, run->sizes[level] * sizeof **thread->counters);
  median_slide_run (slide);
}

/* Sets how the colours' samples are ranked. Returns whether any counts. */
static gboolean
rank_colors (const MedianRun *run, const MedianSource *source, MedianSlide *slide,
             const Thread *thread)
{
  const MedianWindow *window = slide->window;
  guint16 *weights = thread->codes.weights;

  slide->rank = window->color_rank;
  if (! weights)
    return TRUE;
  slide->weighs = ! median_codes_weigh (source, &thread->codes);
  if (! slide->weighs && weights[0] > 0)
    slide->rank = get_even_rank (window, window->percentile, weights[0]);
  return slide->weighs || weights[0] > 0;
}

static MedianSlide
make_slide (const MedianRun *run, const FxRect *block, const Thread *thread)
{
  const MedianPlan *plan = get_plan (run);
  MedianSlide slide = { .window = &plan->window,
                        .columns = block->width,
                        .rows = block->height,
                        .pitch = run->pitch,
                        .levels = run->levels,
                        .codes = thread->codes.codes,
                        .percentile = plan->window.percentile,
                        .found = thread->found };

  for (int way = 0; way < 3; way++)
    {
      slide.enters[way] = run->moves[way][0];
      slide.leaves[way] = run->moves[way][1];
    }
  for (int level = 0; level < run->levels; level++)
    slide.counters[level] = thread->counters[level];
  return slide;
}

static void
filter (const FxCpuBlocks *base, const FxRect *block, guint8 *result, gsize stride, int number)
{
  const MedianRun *run = (const MedianRun *) base;
  const MedianPlan *plan = get_plan (run);
  const FxFormat *format = &plan->base.codec.format;
  const Thread *thread = &run->threads[number];
  int radius = plan->window.radius, colors = median_plan_get_colors (plan);
  MedianSource source = { base,
                          block->x - radius,
                          block->y - radius,
                          block->width + 2 * radius,
                          block->height + 2 * radius,
                          run->pitch };
  MedianSlide slide = make_slide (run, block, thread);
  gboolean counts = rank_colors (run, &source, &slide, thread);

  for (int c = 0; c < format->channels && fx_run_is_wanted (&base->base, NULL); c++)
    {
      if (c == colors)
        {
          slide.weighs = FALSE;
          slide.rank = plan->window.alpha_rank;
        }
      if (counts || c == colors)
        filter_channel (run, &source, c, &slide, thread);
      else
        find_code (&slide, MEDIAN_FOUND_NOTHING);
      for (int row = 0; row < block->height; row++)
        median_codes_store (format, &thread->codes, thread->found + row * block->width,
                            block->width,
                            result + row * stride + c * fx_sample_size (format->sample));
    }
  for (int row = 0; row < block->height && plan->compared != MEDIAN_NOTHING; row++)
    median_threshold_apply (plan, fx_cpu_blocks_get_stored (base, block->x, block->y + row),
                            block->width, result + row * stride);
}

/* The run. */

/* A chunk has blocks for many threads. */
static int
get_chunk_rows (const FxPlan *plan)
{
  return CHUNK_ROWS;
}

static void
set_counters (MedianRun *run, FxSample sample)
{
  int n = run->pitch * run->height;

  run->levels = sample == FX_SAMPLE_U8                            ? 1
                : n <= CODES || ! median_codes_are_ranks (sample) ? 2
                                                                  : 3;
  run->sizes[0] = run->levels == 1 ? 256 : run->levels == 2 ? CODES : fx_round_up (n, CODES);
  run->sizes[1] = MAX (run->sizes[0] / 256, 256);
  run->sizes[2] = 1 << MEDIAN_TOP_BITS;
}

static void
lay_out_thread (MedianRun *run, Thread *thread)
{
  FxCpuBlocks *base = &run->base;
  const FxFormat *format = &base->base.plan->codec.format;
  gsize n = (gsize) run->pitch * run->height;
  gboolean ranks = median_codes_are_ranks (format->sample);
  gsize width = (gsize) 1 << (run->levels - 1) << fx_format_has_alpha (format);
  Thread memory = { .codes.codes = fx_cpu_blocks_alloc (base, n + MEDIAN_SMALL_GAP, width),
                    .found = fx_cpu_blocks_alloc (base, (gsize) base->columns * base->rows,
                                                  sizeof *memory.found) };

  if (fx_format_has_alpha (format))
    memory.codes.weights = fx_cpu_blocks_alloc (base, n, sizeof *memory.codes.weights);
  for (int i = 0; i < 2 && ranks; i++)
    memory.codes.keys[i] = fx_cpu_blocks_alloc (base, n, sizeof **memory.codes.keys);
  if (ranks)
    memory.codes.values = fx_cpu_blocks_alloc (base, n, sizeof *memory.codes.values);
  for (int level = 0; level < run->levels; level++)
    memory.counters[level] = fx_cpu_blocks_alloc (base, run->sizes[level],
                                                  sizeof **memory.counters);
  if (thread)
    *thread = memory;
}

/* Returns the bytes of a thread's memory. */
static gsize
count_thread_bytes (MedianRun *run)
{
  gsize before = run->base.used, bytes;

  lay_out_thread (run, NULL);
  bytes = run->base.used - before;
  run->base.used = before;
  return bytes;
}

static void
init (FxCpuBlocks *base)
{
  MedianRun *run = (MedianRun *) base;
  const MedianPlan *plan = get_plan (run);
  int radius = plan->window.radius;

  base->keeps_source = TRUE;
  base->columns = MIN (COLUMNS, fx_cpu_blocks_get_width (&base->base.strip));
  base->rows = MIN (ROWS, base->base.strip.chunk_rows);
  base->filter = filter;
  run->pitch = base->columns + 2 * radius;
  run->height = base->rows + 2 * radius;
  set_counters (run, plan->base.codec.format.sample);
  run->small = run->levels == 1 && plan->window.size <= MEDIAN_SMALL_MAX;
  if (base->cpu->memory > 0)
    base->threads = (int) CLAMP (base->cpu->memory / 2 / count_thread_bytes (run), 1,
                                 (gsize) base->threads);
}

static void
lay_out (FxCpuBlocks *base)
{
  MedianRun *run = (MedianRun *) base;
  int side = 2 * get_plan (run)->window.radius + 1;

  for (int way = 0; way < 3; way++)
    for (int i = 0; i < 2; i++)
      run->moves[way][i] = fx_cpu_blocks_alloc (base, side, sizeof **run->moves[way]);
  run->threads = fx_cpu_blocks_alloc (base, base->threads, sizeof *run->threads);
  for (int i = 0; i < base->threads; i++)
    lay_out_thread (run, run->threads ? &run->threads[i] : NULL);
}

/* Sets the places of the window's edge, which is the same whether rows or columns are counted. */
static void
fill (FxCpuBlocks *base)
{
  MedianRun *run = (MedianRun *) base;
  const MedianWindow *window = &get_plan (run)->window;
  int radius = window->radius, pitch = run->pitch;

  for (int k = 0; k <= 2 * radius; k++)
    {
      int j = k - radius, chord = window->chords[ABS (j)];

      run->moves[0][0][k] = j * pitch + chord + 1;
      run->moves[0][1][k] = j * pitch - chord;
      run->moves[1][0][k] = (chord + 1) * pitch + j;
      run->moves[1][1][k] = -chord * pitch + j;
      run->moves[2][0][k] = j * pitch - chord - 1;
      run->moves[2][1][k] = j * pitch + chord;
    }
}

const FxCpuPath median_cpu_path = {
  .size = sizeof (MedianRun),
  .get_chunk_rows = get_chunk_rows,
  .init = init,
  .lay_out = lay_out,
  .fill = fill,
};
