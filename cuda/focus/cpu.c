/* A focus blur on the CPU. Rows of the source go into the pyramid as they come, and stay as they
 * are stored, in a ring; those that a chunk of the result depends on in level 1 are decoded again.
 */
#include "cpu-pyramid.h"
#include "cpu-rows.h"

typedef struct {
  FxCpuBlocks base;
  FocusPyramid pyramid;
} FocusRun;

/* The source. */

/* Fills a row with what is beyond the edge next to another one; both begin with their pads. */
static void
fill_row_beyond (const FocusRun *run, const float *row, float *beyond)
{
  const FocusGrid *grid = &run->pyramid.grids[0];

  focus_fill_beyond (&run->base, row, run->pyramid.step, grid->columns.count + 2 * grid->pad,
                     beyond);
}

static void
decode (const FxCpuBlocks *base, const guint8 *source, int y, int thread)
{
  const FocusRun *run = (const FocusRun *) base;
  const FocusPyramid *pyramid = &run->pyramid;
  const FocusGrid *grid = &pyramid->grids[0];
  float *row = pyramid->scratch + 2 * (gsize) thread * grid->pitch, *beyond = row + grid->pitch;
  gssize origin = (gssize) (grid->pad - grid->columns.first) * pyramid->step;
  int edges[] = { 0, base->base.strip.height - 1 };

  focus_decode_row (base, source, y, grid->pad, grid->pad, row);
  focus_pyramid_push_row (pyramid, row + origin, y);
  for (int i = 0; i < 2; i++)
    if (y == edges[i])
      {
        fill_row_beyond (run, row, beyond);
        focus_pyramid_push_beyond (pyramid, beyond + origin, i == 0);
      }
}

static gboolean
push (FxRun *base, gconstpointer source, int y, int rows, GError **error)
{
  FocusRun *run = (FocusRun *) base;

  if (! fx_cpu_blocks_push (base, source, y, rows, error))
    return FALSE;
  focus_pyramid_advance (&run->pyramid, y + rows);
  return TRUE;
}

/* The result. */

/* Decodes rows of level 1, from the next one on. */
static void
prepare_rows (gpointer data, int first, int end, int thread)
{
  const FocusRun *run = data;
  const FocusPyramid *pyramid = &run->pyramid;
  const FocusGrid *grid = &pyramid->grids[0];
  const FxStrip *strip = &run->base.base.strip;
  gssize origin = (gssize) (grid->pad - grid->columns.first) * pyramid->step;
  float *scratch = pyramid->scratch + 2 * (gsize) thread * grid->pitch;

  for (int y = grid->next + first; y < grid->next + end; y++)
    {
      int inside = CLAMP (y, 0, strip->height - 1);
      float *row = focus_grid_get_row (pyramid, grid, y) - origin;

      focus_decode_row (&run->base, fx_cpu_blocks_get_stored (&run->base, strip->source_x0, inside),
                        inside, grid->pad, grid->pad, inside == y ? row : scratch);
      if (inside != y)
        fill_row_beyond (run, scratch, row);
    }
}

static gboolean
pull (FxRun *base, gpointer result, int y, int rows, GError **error)
{
  FocusRun *run = (FocusRun *) base;
  FocusGrid *grid = &run->pyramid.grids[0];
  int end = y + rows + grid->level->gather;

  fx_team_run (run->base.team, end - grid->next, 1, prepare_rows, run);
  grid->next = end;
  return fx_cpu_blocks_pull (base, result, y, rows, error);
}

static int
find_level (const FocusPlan *plan, float sigma)
{
  int level = 0;

  while (level + 1 < plan->args.levels &&
         sigma >= plan->args.k * (float) plan->levels[level + 1].factor)
    level++;
  return level;
}

/* The levels that the pixels of a block are gathered from. */
typedef struct {
  const FocusPyramid *pyramid;
  FocusSource sources[FOCUS_LEVELS_MAX];
} Block;

static void
compute_pixel (gconstpointer data, int x, int y, float sigma, float *pixel)
{
  const Block *block = data;
  const FocusPyramid *pyramid = block->pyramid;
  int channels = pyramid->plan->base.codec.format.channels;
  float cell[FOCUS_STEP_MAX];

  pyramid->gather (&block->sources[find_level (pyramid->plan, sigma)], x, y, sigma, cell);
  for (int c = 0; c < channels; c++)
    pixel[c] = pyramid->channels > channels ? cell[c] / cell[channels] : cell[c];
}

static void
filter (const FxCpuBlocks *base, const FxRect *area, guint8 *result, gsize stride, int thread)
{
  const FocusPyramid *pyramid = &((const FocusRun *) base)->pyramid;
  Block block = { pyramid };

  for (int i = 0; i < pyramid->plan->args.levels; i++)
    block.sources[i] = focus_pyramid_get_source (pyramid, i);
  for (int row = 0; row < area->height; row++)
    focus_filter_row (base, area->x, area->y + row, area->width, compute_pixel, &block,
                      result + row * stride);
}

/* The run. */

static void
init (FxCpuBlocks *base)
{
  FocusRun *run = (FocusRun *) base;

  base->keeps_source = TRUE;
  base->columns = FOCUS_COLUMNS;
  base->rows = FOCUS_ROWS;
  base->filter = filter;
  focus_pyramid_init (&run->pyramid, base);
  if (run->pyramid.plan->args.levels > 1) /* blocks decode what they need of the picture */
    base->decode = decode;
}

static void
lay_out (FxCpuBlocks *base)
{
  focus_pyramid_lay_out (&((FocusRun *) base)->pyramid);
}

const FxCpuPath focus_cpu_path = {
  .size = sizeof (FocusRun),
  .init = init,
  .lay_out = lay_out,
  .push = push,
  .pull = pull,
};
