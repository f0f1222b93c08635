/* The FIR on the GPU: in one kernel, or, where the weights reach too far for its shared memory, one
 * axis after the other with a ring of rows between them. */
#include "blur-plan.h"
#include "gpu-run.h"
#include "ways.h"

/* Tiles. */

#define SHARED_LEAST    49152 /* bytes that a block may have on any device */
#define SHARED_RESERVED 1024  /* that some devices take of a multiprocessor's for each block */

static gsize
get_tile_shared (int channels, gsize x, gsize y, gsize tile)
{
  gsize weights = (2 * x + RUN) / RUN * RUN + (2 * y + RUN) / RUN * RUN;
  gsize line = (tile + 2 * x) * (RUN + 1) * channels;
  gsize ring = ((2 * y + RUN - 1) / RUN + 1) * RUN * (tile + 1) * channels;

  return (weights + line + ring) * sizeof (float);
}

static const int widest[] = { 256, 128, 128, 64 };

static int
get_narrowest (const FxPlan *plan)
{
  return widest[plan->codec.format.channels - 1] / 4;
}

/* What fir.cu has beside its tile. */
static gsize
get_static_shared (const FxPlan *plan)
{
  gboolean grids = blur_plan_get (plan)->x.n_stages || blur_plan_get (plan)->y.n_stages;

  return plan->codec.format.sample == FX_SAMPLE_U8 && plan->codec.curve != FX_CURVE_NONE && ! grids
           ? FX_COLOR_TABLE * sizeof (float)
           : 0;
}

static gsize
get_shared (const FxPlan *plan, int tile)
{
  return get_static_shared (plan) + get_tile_shared (plan->codec.format.channels,
                                                     blur_plan_get (plan)->x.radius,
                                                     blur_plan_get (plan)->y.radius, tile);
}

gboolean
blur_gpu_has_tile (const FxPlan *plan)
{
  return MAX (blur_plan_get (plan)->x.radius, blur_plan_get (plan)->y.radius) <= RADIUS_MAX &&
         get_shared (plan, get_narrowest (plan)) <= SHARED_LEAST;
}

int
blur_gpu_get_tile (FxGpu *gpu, const FxPlan *plan)
{
  int tile = widest[plan->codec.format.channels - 1];
  gsize block, processor;

  fx_gpu_get_shared (gpu, &block, &processor);
  while (tile > get_narrowest (plan) &&
         get_shared (plan, tile) > MIN (block, processor / 2 - SHARED_RESERVED))
    tile /= 2;
  return tile;
}

gboolean
blur_gpu_run_has_room (const FxGpuRun *run, const BlurTaps *x, const BlurTaps *y)
{
  gsize block, processor;

  fx_gpu_get_shared (run->gpu, &block, &processor);
  return get_tile_shared (run->base.plan->codec.format.channels, x->radius, y->radius, run->tile) <=
         block;
}

FxLaunch
blur_gpu_run_get_tiles (const FxGpuRun *run, const BlurTaps *x, const BlurTaps *y, int columns)
{
  int channels = run->base.plan->codec.format.channels;

  return (FxLaunch) {
    .x = fx_ceil_div (columns, run->tile),
    .threads = run->tile * channels,
    .shared = get_tile_shared (channels, x->radius, y->radius, run->tile),
  };
}

/* In one kernel. */

/* What a chunk of the result reaches, and the rest of the source chunk that it ends in, of which
 * one is the chunk that comes in. */
static int
fir_get_source_rows (const FxPlan *plan, const FxStrip *strip)
{
  return plan->reach.above + plan->reach.below + strip->chunk_rows;
}

static gsize
fir_get_bytes (const FxPlan *plan, const FxStrip *strip)
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
fir_get_programs (const FxPlan *plan, FxProgramKind *kinds)
{
  kinds[0] = is_wanted ("specialised") ? BLUR_PROGRAM_FIR_SPECIALISED : BLUR_PROGRAM_FIR;
  return 1;
}

/* The generic program serves any weights at once; the specialised one takes over when it is there.
 */
static gboolean
fir_begin (FxGpuRun *run, GError **error)
{
  FxProgram **program = &run->programs[BLUR_PROGRAM_FIR];
  FxProgram **specialised = &run->programs[BLUR_PROGRAM_FIR_SPECIALISED];

  if (! *specialised && ! is_wanted ("generic"))
    *specialised = fx_gpu_find_program (run->gpu, run->base.plan, BLUR_PROGRAM_FIR_SPECIALISED,
                                        run->tile, run->grown);
  if (*specialised)
    *program = *specialised;
  return TRUE;
}

/* first: the result's first row. */
static gboolean
fir_give_part (FxGpuRun *run, const FxRect *part, gpointer first, GError **error)
{
  int left = part->x, right = part->x + part->width, y = part->y, end = part->y + part->height;
  gpointer result = fx_gpu_run_get_row (run, part->y, *(int *) first);
  int rows_a_block;
  void *args[] = { &run->source, &run->x.taps, &run->y.taps,  &left,  &right,
                   &y,           &end,         &rows_a_block, &result };

  return fx_gpu_run_launch (run, BLUR_PROGRAM_FIR,
                            blur_gpu_run_get_tiles (run, &run->x.taps, &run->y.taps, part->width),
                            part->height, 2 * run->y.taps.radius, RUN, &rows_a_block, args, error);
}

static gboolean
fir_give (FxGpuRun *run, int y, int rows, GError **error)
{
  const FxRect area = fx_gpu_run_get_area (run, y, rows);
  int taps = blur_gpu_get_taps (&run->x.taps) + blur_gpu_get_taps (&run->y.taps);

  return fx_gpu_run_queue (run, &area, taps, 0, RUN, fir_give_part, &y, error);
}

const FxGpuWay blur_gpu_fir = {
  .get_source_rows = fir_get_source_rows,
  .get_bytes = fir_get_bytes,
  .get_programs = fir_get_programs,
  .begin = fir_begin,
  .give = fir_give,
};

/* One axis after the other. */

static int
rows_get_source_rows (const FxPlan *plan, const FxStrip *strip)
{
  return 0;
}

static gsize
rows_get_bytes (const FxPlan *plan, const FxStrip *strip)
{
  return fx_gpu_get_grid_bytes (plan, strip->x1 - strip->x0,
                                fx_strip_get_ring_rows (strip, &plan->reach));
}

static int
rows_get_programs (const FxPlan *plan, FxProgramKind *kinds)
{
  kinds[0] = BLUR_PROGRAM_ROWS;
  kinds[1] = BLUR_PROGRAM_COLUMNS;
  return 2;
}

static gboolean
rows_begin (FxGpuRun *run, GError **error)
{
  const FxStrip *strip = &run->base.strip;
  gboolean beyond = run->base.plan->abyss != FX_ABYSS_CLAMP;
  FxSpan columns = { strip->x0, strip->x1 - strip->x0 };
  FxSpan slots = { 0, fx_strip_get_ring_rows (strip, &run->base.plan->reach) };

  if (! fx_gpu_run_get_grid (run, FX_BUFFER_RING, columns, slots, &run->ring, error))
    return FALSE;
  run->ring.y_first = strip->source_y0;
  run->ring.rows = strip->source_y1 - strip->source_y0;
  run->ring.beyond_low = beyond && strip->source_y0 == 0;
  run->ring.beyond_high = beyond && strip->source_y1 == strip->height;
  return TRUE;
}

/* Sets the ring so that row low and those after it are found. */
static void
turn_ring (FxGpuRun *run, int low)
{
  run->ring.offset = low % run->ring.slots - low;
}

static gboolean
rows_take_part (FxGpuRun *run, const FxRect *part, gpointer data, GError **error)
{
  int left = part->x - run->ring.x_first, right = left + part->width;
  int first = part->y, end = part->y + part->height;
  FxLaunch launch = {
    .x = fx_ceil_div (part->width, ROW_TILE),
    .y = fx_ceil_div (part->height, ROWS),
    .threads = ROW_THREADS,
  };
  void *args[] = {
    &run->source, &run->ring, &run->x.taps.weights, &run->x.taps.radius, &left, &right, &first, &end
  };

  return fx_gpu_launch (run->gpu, run->programs[BLUR_PROGRAM_ROWS], &launch, args, error);
}

static gboolean
rows_take (FxGpuRun *run, int y, int rows, GError **error)
{
  const FxRect area = fx_gpu_run_get_area (run, y, rows);

  turn_ring (run, y);
  return fx_gpu_run_queue (run, &area, blur_gpu_get_taps (&run->x.taps), ROW_TILE, ROWS,
                           rows_take_part, NULL, error);
}

/* first: the result's first row. */
static gboolean
rows_give_part (FxGpuRun *run, const FxRect *part, gpointer first, GError **error)
{
  int left = part->x - run->ring.x_first, right = left + part->width;
  int y = part->y, end = part->y + part->height;
  gpointer result = fx_gpu_run_get_row (run, part->y, *(int *) first);
  FxLaunch launch = {
    .x = fx_ceil_div (part->width, COLUMNS),
    .y = fx_ceil_div (part->height, RUN),
    .threads = COLUMNS * run->base.plan->codec.format.channels,
  };
  void *args[] = { &run->ring, &run->y.taps.weights, &run->y.taps.radius, &left, &right, &y, &end,
                   &result };

  turn_ring (run, MAX (run->ring.y_first, y - run->y.taps.radius));
  return fx_gpu_launch (run->gpu, run->programs[BLUR_PROGRAM_COLUMNS], &launch, args, error);
}

static gboolean
rows_give (FxGpuRun *run, int y, int rows, GError **error)
{
  const FxRect area = fx_gpu_run_get_area (run, y, rows);

  return fx_gpu_run_queue (run, &area, blur_gpu_get_taps (&run->y.taps), COLUMNS, RUN,
                           rows_give_part, &y, error);
}

const FxGpuWay blur_gpu_rows = {
  .get_source_rows = rows_get_source_rows,
  .get_bytes = rows_get_bytes,
  .get_programs = rows_get_programs,
  .begin = rows_begin,
  .take = rows_take,
  .give = rows_give,
};

const FxGpuWay *
blur_get_gpu_way (const FxPlan *plan)
{
  if (blur_plan_is_multires (plan))
    return &blur_gpu_grids;
  return blur_gpu_has_tile (plan) ? &blur_gpu_fir : &blur_gpu_rows;
}
