#include "cpu-pyramid.h"

#include "cpu-rows.h"
#include "rows.h"
#include "vector.h"

#include <string.h>

/* Measures. */

static int
ceil_div (int a, int b)
{
  return -fx_floor_div (-a, b);
}

/* Returns the cells of a level along an axis; finer: those of the finer level, which begin or end
 * at an edge of the picture or within it. */
static FxSpan
get_span (const FocusLevel *level, FxSpan finer, gboolean at_start, gboolean at_end, int size)
{
  int end = finer.first + finer.count - 1;
  int first = at_start ? -level->margin : ceil_div (finer.first + level->radius, level->step);
  int last = at_end ? ceil_div (size - 1, level->factor) + level->margin
                    : fx_floor_div (end - level->radius, level->step);

  return (FxSpan) { first, MAX (last - first + 1, 0) };
}

/* Sets the pads to the cells that the coarser levels need beyond the columns. */
static void
set_pads (FocusPyramid *pyramid)
{
  FocusGrid *grids = pyramid->grids;

  for (int i = 0; i < pyramid->plan->args.levels; i++)
    {
      const FocusLevel *level = grids[i].level;

      grids[i].pad = MAX (grids[i].pad, level->gather + 1);
      if (i > 0)
        grids[level->from].pad = MAX (grids[level->from].pad,
                                      (level->margin + 1) * level->step + level->radius);
    }
  for (int i = 0; i < pyramid->plan->args.levels; i++)
    {
      gsize floats = (gsize) (grids[i].columns.count + 2 * grids[i].pad) * pyramid->step;

      grids[i].pitch = (fx_rows_get_pitch ((int) floats + FOCUS_SLACK) / FX_COLUMN | 1) * FX_COLUMN;
    }
}

static void
init_picture (FocusPyramid *pyramid)
{
  const FxStrip *strip = &pyramid->run->base.strip;
  FocusGrid *grid = &pyramid->grids[0];
  int gather = pyramid->plan->levels[0].gather;

  grid->level = &pyramid->plan->levels[0];
  grid->columns = fx_strip_get_columns (strip);
  grid->rows = (FxSpan) { strip->y0 - gather, strip->y1 - strip->y0 + 2 * gather };
  grid->next = grid->rows.first;
  grid->ring = (int) MIN (grid->rows.count, (gint64) strip->chunk_rows + 2 * gather);
  grid->batch = (int) MIN (strip->source_y1 - strip->source_y0, strip->chunk_rows);
}

/* The rows that a chunk adds are at most those that its source suffices for, and those beyond both
 * edges. */
static void
init_grid (FocusPyramid *pyramid, int i)
{
  const FxStrip *strip = &pyramid->run->base.strip;
  const FocusLevel *level = &pyramid->plan->levels[i];
  const FocusGrid *finer = &pyramid->grids[level->from];
  FocusGrid *grid = &pyramid->grids[i];
  FxSpan rows = level->from > 0 ? finer->rows : fx_strip_get_rows (strip);
  gint64 reach = 2 * (gint64) strip->chunk_rows + pyramid->plan->base.reach.below;

  grid->level = level;
  grid->columns = get_span (level, finer->columns, strip->source_x0 == 0,
                            strip->source_x1 == strip->width, strip->width);
  grid->rows = get_span (level, rows, strip->source_y0 == 0, strip->source_y1 == strip->height,
                         strip->height);
  grid->next = grid->rows.first;
  grid->batch = MIN (grid->rows.count,
                     ceil_div (finer->batch + level->radius, level->step) + 2 * level->margin + 3);
  grid->ring = (int) MIN (grid->rows.count,
                          reach / level->factor + level->gather + level->margin + 4);
  grid->strips_ring = MIN (rows.count, 2 * level->radius + level->step + finer->batch + 1);
  for (int k = -level->radius; k <= level->radius; k++)
    grid->kernel[level->radius + k] = level->weights[ABS (k)];
}

void
focus_pyramid_init (FocusPyramid *pyramid, FxCpuBlocks *run)
{
  static FocusDecimate *const decimate[] = FX_OF_UNITS (focus_decimate);
  static FocusGather *const gather[] = FX_OF_UNITS (focus_gather);

  pyramid->run = run;
  pyramid->plan = (const FocusPlan *) run->base.plan;
  pyramid->channels = focus_plan_get_channels (pyramid->plan);
  pyramid->step = focus_plan_get_step (pyramid->plan);
  pyramid->decimate = decimate[fx_vector_get_unit ()];
  pyramid->gather = gather[fx_vector_get_unit ()];
  init_picture (pyramid);
  for (int i = 1; i < pyramid->plan->args.levels; i++)
    init_grid (pyramid, i);
  set_pads (pyramid);
}

/* Memory. */

void
focus_pyramid_lay_out (FocusPyramid *pyramid)
{
  FxCpuBlocks *run = pyramid->run;
  FocusGrid *grids = pyramid->grids;

  pyramid->scratch = fx_cpu_blocks_alloc0 (run, 2 * (gsize) run->threads * grids[0].pitch,
                                           sizeof (float));
  for (int i = 0; i < pyramid->plan->args.levels; i++)
    {
      FocusGrid *grid = &grids[i];

      grid->cells = fx_cpu_blocks_alloc0 (run, grid->ring * grid->pitch, sizeof (float));
      if (i == 0)
        continue;
      grid->strips = fx_cpu_blocks_alloc0 (run, grid->strips_ring * grid->pitch, sizeof (float));
      grid->above = fx_cpu_blocks_alloc0 (run, 2 * grid->pitch, sizeof (float));
      grid->wide = fx_cpu_blocks_alloc (run, FOCUS_WIDE_SIZE, sizeof (float));
      if (! grid->wide)
        continue;
      grid->below = grid->above + grid->pitch;
      grid->count = focus_widen (grid->kernel, 2 * grid->level->radius + 1, pyramid->step,
                                 grid->wide);
    }
}

float *
focus_grid_get_row (const FocusPyramid *pyramid, const FocusGrid *grid, int y)
{
  gsize slot = (y - grid->rows.first) % grid->ring;

  return grid->cells + slot * grid->pitch +
         (gssize) (grid->pad - grid->columns.first) * pyramid->step;
}

FocusSource
focus_pyramid_get_source (const FocusPyramid *pyramid, int level)
{
  const FocusGrid *grid = &pyramid->grids[level];
  const FocusArgs *args = &pyramid->plan->args;

  return (FocusSource) {
    .cells = grid->cells + (gssize) (grid->pad - grid->columns.first) * pyramid->step,
    .pitch = grid->pitch,
    .ring = grid->ring,
    .rows_first = grid->rows.first,
    .factor = grid->level->factor,
    .step = pyramid->step,
    .c = args->c,
    .cut = args->cut,
  };
}

/* From level to level. */

/* Decimates a row of the finer level along x; row is its column 0. */
static void
decimate_row (const FocusPyramid *pyramid, const FocusGrid *grid, const float *row, float *strip)
{
  const FocusLevel *level = grid->level;
  gssize first = (gssize) grid->columns.first * level->step - level->radius;
  int step = pyramid->step;

  pyramid->decimate (row + first * step, step, (gsize) level->step * step, grid->wide, grid->count,
                     grid->columns.count, strip + (gsize) grid->pad * step);
}

static float *
get_strip (const FocusGrid *grid, int first, int y)
{
  return grid->strips + (gsize) ((y - first) % grid->strips_ring) * grid->pitch;
}

/* Decimates row y of level from for those that are made of it; first is the level's first row. */
static void
spread_row (const FocusPyramid *pyramid, int from, int first, const float *row, int y)
{
  for (int i = 1; i < pyramid->plan->args.levels; i++)
    if (pyramid->grids[i].level->from == from)
      decimate_row (pyramid, &pyramid->grids[i], row, get_strip (&pyramid->grids[i], first, y));
}

void
focus_pyramid_push_row (const FocusPyramid *pyramid, const float *row, int y)
{
  spread_row (pyramid, 0, pyramid->run->base.strip.source_y0, row, y);
}

void
focus_pyramid_push_beyond (const FocusPyramid *pyramid, const float *row, gboolean above)
{
  for (int i = 1; i < pyramid->plan->args.levels; i++)
    if (pyramid->grids[i].level->from == 0)
      decimate_row (pyramid, &pyramid->grids[i], row,
                    above ? pyramid->grids[i].above : pyramid->grids[i].below);
}

/* Returns the strip of the finer level's row y, or of what is beyond. */
static const float *
find_strip (const FocusPyramid *pyramid, const FocusGrid *grid, int y)
{
  const FxStrip *strip = &pyramid->run->base.strip;
  const FocusGrid *finer = &pyramid->grids[grid->level->from];
  FxSpan rows = grid->level->from > 0 ? finer->rows : fx_strip_get_rows (strip);
  int inside = CLAMP (y, rows.first, rows.first + rows.count - 1);

  if (inside != y && grid->level->from == 0)
    return y < inside ? grid->above : grid->below;
  return get_strip (grid, rows.first, inside);
}

/* Sets the pads of a row to its outermost cells. */
static void
fill_pads (const FocusPyramid *pyramid, const FocusGrid *grid, float *row)
{
  gsize step = pyramid->step, cell = step * sizeof (float);
  float *first = row + grid->pad * step, *end = first + grid->columns.count * step;

  for (int i = 0; i < grid->pad; i++)
    {
      memcpy (row + i * step, first, cell);
      memcpy (end + i * step, end - step, cell);
    }
}

typedef struct {
  FocusPyramid *pyramid;
  int level;
} Rows;

static void
compute_rows (gpointer data, int first, int end, int thread)
{
  const Rows *rows = data;
  const FocusPyramid *pyramid = rows->pyramid;
  const FocusGrid *grid = &pyramid->grids[rows->level];
  const FocusLevel *level = grid->level;
  const float *strips[2 * FOCUS_TAPS_MAX + 1];

  for (int y = grid->next + first; y < grid->next + end; y++)
    {
      float *row = focus_grid_get_row (pyramid, grid, y);
      float *start = row - (gssize) (grid->pad - grid->columns.first) * pyramid->step;

      for (int k = -level->radius; k <= level->radius; k++)
        strips[level->radius + k] = find_strip (pyramid, grid, y * level->step + k);
      fx_rows_combine (strips, grid->kernel, 2 * level->radius + 1, grid->pitch, start);
      fill_pads (pyramid, grid, start);
      spread_row (pyramid, rows->level, grid->rows.first, row, y);
    }
}

/* Returns the end of a level's rows that the finer level's rows before end suffice for. */
static int
get_end (const FocusGrid *grid, int end, gboolean all)
{
  int last = grid->rows.first + grid->rows.count;

  return all ? last
             : MIN (last, fx_floor_div (end - 1 - grid->level->radius, grid->level->step) + 1);
}

void
focus_pyramid_advance (FocusPyramid *pyramid, int end)
{
  gboolean all = end == pyramid->run->base.strip.source_y1;

  for (int i = 1; i < pyramid->plan->args.levels; i++)
    {
      FocusGrid *grid = &pyramid->grids[i];
      int from = grid->level->from;
      int ready = get_end (grid, from > 0 ? pyramid->grids[from].next : end, all);
      Rows rows = { pyramid, i };

      if (ready <= grid->next)
        continue;
      fx_team_run (pyramid->run->team, ready - grid->next, 1, compute_rows, &rows);
      grid->next = ready;
    }
}
