/* The FIR on the GPU: in one kernel, or, where the weights reach too far for its shared memory, one
 * axis after the other with a ring of rows between them. */
#include "gpu-run.h"

#define RUN BLUR_GPU_TILE_ROWS

/* As kernels/rows.cu and columns.cu have them. */
#define ROWS        16
#define ROW_TILE    128
#define ROW_THREADS (ROWS * ROW_TILE / RUN)
#define COLUMNS     64

/* Tiles. */

static gsize
get_tile_shared (const BlurPlan *plan, int tile)
{
  gsize x = plan->x.radius, y = plan->y.radius, channels = plan->format.channels;
  gsize weights = (2 * x + RUN) / RUN * RUN + (2 * y + RUN) / RUN * RUN;
  gsize line = (tile + 2 * x) * (RUN + 1) * channels;
  gsize ring = ((2 * y + RUN - 1) / RUN + 1) * RUN * (tile + 1) * channels;

  return (weights + line + ring) * sizeof (float);
}

int
blur_gpu_get_tile (BlurGpu *gpu, const BlurPlan *plan)
{
  static const int widest[] = { 256, 128, 128, 64 };
  int tile = widest[plan->format.channels - 1];
  int narrowest = tile / 4;
  gsize block, processor;

  blur_gpu_get_shared (gpu, &block, &processor);
  while (tile > narrowest && get_tile_shared (plan, tile) > MIN (block, processor / 2))
    tile /= 2;
  return tile;
}

BlurLaunch
blur_gpu_run_get_tiles (const BlurGpuRun *run, int columns)
{
  return (BlurLaunch) {
    .x = blur_ceil_div (columns, run->tile),
    .threads = run->tile * run->base.plan->format.channels,
    .shared = get_tile_shared (run->base.plan, run->tile),
  };
}

/* In one kernel. */

/* What a chunk of the result reaches, and the rest of the source chunk that it ends in, of which one
 * is the chunk that comes in. */
static int
fir_get_source_rows (const BlurPlan *plan, const BlurStrip *strip)
{
  return 2 * plan->y.reach + strip->chunk_rows;
}

static gsize
fir_get_bytes (const BlurPlan *plan, const BlurStrip *strip)
{
  return 0;
}

/* Whether the environment wants that version of the program and no other. */
static gboolean
is_wanted (const char *version)
{
  return g_strcmp0 (g_getenv ("CUDA_BLUR_PROGRAM"), version) == 0;
}

static int
fir_get_programs (const BlurPlan *plan, BlurProgramKind *kinds)
{
  kinds[0] = is_wanted ("specialised") ? BLUR_PROGRAM_FIR_SPECIALISED : BLUR_PROGRAM_FIR;
  return 1;
}

/* The generic program serves any weights at once; the specialised one takes over when it is there. */
static gboolean
fir_begin (BlurGpuRun *run, GError **error)
{
  BlurProgram **program = &run->programs[BLUR_PROGRAM_FIR];
  BlurProgram **specialised = &run->programs[BLUR_PROGRAM_FIR_SPECIALISED];

  if (! *specialised && ! is_wanted ("generic"))
    *specialised = blur_gpu_find_program (run->gpu, run->base.plan, BLUR_PROGRAM_FIR_SPECIALISED,
                                          run->tile);
  if (*specialised)
    *program = *specialised;
  return TRUE;
}

static gboolean
fir_give (BlurGpuRun *run, int y, int rows, GError **error)
{
  int left = run->base.strip.x0, right = run->base.strip.x1, end = y + rows;
  int warm = 2 * run->y.taps.radius;
  int rows_a_block;
  void *args[] = { &run->source, &run->x.taps, &run->y.taps, &left,        &right,
                   &y,           &end,         &rows_a_block, &run->result };

  return blur_gpu_run_launch (run, BLUR_PROGRAM_FIR, blur_gpu_run_get_tiles (run, right - left),
                              rows, warm, RUN, &rows_a_block, args, error);
}

const BlurGpuWay blur_gpu_fir = {
  .get_source_rows = fir_get_source_rows,
  .get_bytes = fir_get_bytes,
  .get_programs = fir_get_programs,
  .begin = fir_begin,
  .give = fir_give,
};

/* One axis after the other. */

static int
rows_get_source_rows (const BlurPlan *plan, const BlurStrip *strip)
{
  return 0;
}

static gsize
rows_get_bytes (const BlurPlan *plan, const BlurStrip *strip)
{
  return blur_gpu_get_grid_bytes (plan, strip->x1 - strip->x0,
                                  blur_strip_get_ring_rows (plan, strip));
}

static int
rows_get_programs (const BlurPlan *plan, BlurProgramKind *kinds)
{
  kinds[0] = BLUR_PROGRAM_ROWS;
  kinds[1] = BLUR_PROGRAM_COLUMNS;
  return 2;
}

static gboolean
rows_begin (BlurGpuRun *run, GError **error)
{
  const BlurStrip *strip = &run->base.strip;
  gboolean beyond = run->base.plan->abyss != BLUR_ABYSS_CLAMP;
  BlurSpan columns = { strip->x0, strip->x1 - strip->x0 };
  BlurSpan slots = { 0, blur_strip_get_ring_rows (run->base.plan, strip) };

  if (! blur_gpu_run_get_grid (run, BLUR_BUFFER_RING, columns, slots, &run->ring, error))
    return FALSE;
  run->ring.y_first = strip->source_y0;
  run->ring.rows = strip->source_y1 - strip->source_y0;
  run->ring.beyond_low = beyond && strip->source_y0 == 0;
  run->ring.beyond_high = beyond && strip->source_y1 == strip->height;
  return TRUE;
}

/* Sets the ring so that row low and those after it are found. */
static void
turn_ring (BlurGpuRun *run, int low)
{
  run->ring.offset = low % run->ring.slots - low;
}

static gboolean
rows_take (BlurGpuRun *run, int y, int rows, GError **error)
{
  int end = y + rows;
  BlurLaunch launch = {
    .x = blur_ceil_div (run->ring.columns, ROW_TILE),
    .y = blur_ceil_div (rows, ROWS),
    .threads = ROW_THREADS,
  };
  void *args[] = { &run->source, &run->ring, &run->x.taps.weights, &run->x.taps.radius, &y, &end };

  turn_ring (run, y);
  return blur_gpu_launch (run->gpu, run->programs[BLUR_PROGRAM_ROWS], &launch, args, error);
}

static gboolean
rows_give (BlurGpuRun *run, int y, int rows, GError **error)
{
  int end = y + rows;
  BlurLaunch launch = {
    .x = blur_ceil_div (run->ring.columns, COLUMNS),
    .y = blur_ceil_div (rows, RUN),
    .threads = COLUMNS * run->base.plan->format.channels,
  };
  void *args[] = { &run->ring, &run->y.taps.weights, &run->y.taps.radius, &y, &end, &run->result };

  turn_ring (run, MAX (run->ring.y_first, y - run->y.taps.radius));
  return blur_gpu_launch (run->gpu, run->programs[BLUR_PROGRAM_COLUMNS], &launch, args, error);
}

const BlurGpuWay blur_gpu_rows = {
  .get_source_rows = rows_get_source_rows,
  .get_bytes = rows_get_bytes,
  .get_programs = rows_get_programs,
  .begin = rows_begin,
  .take = rows_take,
  .give = rows_give,
};
