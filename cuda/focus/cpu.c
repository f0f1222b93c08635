/* A focus blur on the CPU. Rows of the source go into the pyramid as they come, and stay as they
 * are stored, in a ring; those that a chunk of the result depends on in level 1 are decoded again.
 */
#include "cpu-pyramid.h"
#include "rows.h"

#include <string.h>

#define COLUMNS 64 /* of a block */
#define ROWS    16

typedef struct {
  FxCpuBlocks base;
  FocusPyramid pyramid;
} FocusRun;

/* Rows of the picture. */

/* Spreads n decoded pixels, from floats to cells of step floats with their weights. */
static void
weigh (const FocusRun *run, const float *floats, int y, int n, float *cells)
{
  const FocusPyramid *pyramid = &run->pyramid;
  const FxStrip *strip = &run->base.base.strip;
  int channels = pyramid->channels - 1, from = fx_interleave_get_step (channels);
  int step = pyramid->step;
  float weights[COLUMNS];

  for (int first = 0; first < n; first += COLUMNS)
    {
      int count = MIN (COLUMNS, n - first);

      focus_plan_get_weights (pyramid->plan, strip->x + strip->source_x0 + first, strip->y + y,
                              count, weights);
      for (int i = 0; i < count; i++, floats += from, cells += step)
        {
          for (int c = 0; c < channels; c++)
            cells[c] = weights[i] * floats[c];
          cells[channels] = weights[i];
          for (int c = channels + 1; c < step; c++)
            cells[c] = 0.0f;
        }
    }
}

/* Sets n cells to what is beyond the edge next to cells, distance floats apart; 0: to one cell. */
static void
fill_beyond (const FocusRun *run, const float *cells, gsize distance, int n, float *beyond)
{
  const FocusPyramid *pyramid = &run->pyramid;
  const FxPlan *plan = &pyramid->plan->base;
  int step = pyramid->step, channels = plan->codec.format.channels;

  for (int i = 0; i < n; i++, cells += distance, beyond += step)
    {
      float weight = pyramid->channels > channels ? cells[channels] : 1.0f;

      memcpy (beyond, cells, step * sizeof (float));
      for (int c = 0; c < channels && plan->abyss != FX_ABYSS_CLAMP; c++)
        beyond[c] = weight * plan->border[c];
    }
}

/* Fills a row with a row of the source; start is the first cell of its pad. */
static void
decode_row (const FocusRun *run, const guint8 *pixels, int y, float *start)
{
  const FxPlan *plan = run->base.base.plan;
  const FxStrip *strip = &run->base.base.strip;
  const FocusPyramid *pyramid = &run->pyramid;
  int n = fx_cpu_blocks_get_source_width (strip), step = pyramid->step;
  int channels = plan->codec.format.channels, from = fx_interleave_get_step (channels);
  int pad = pyramid->grids[0].pad;
  float *first = start + (gsize) pad * step, *end = first + (gsize) n * step;
  gboolean weighs = pyramid->channels > channels;
  float *floats = weighs && step > from ? end - (gsize) n * from : first;

  fx_codec_decode_pixels (&plan->codec, pixels, n, floats);
  if (weighs)
    weigh (run, floats, y, n, first);
  fill_beyond (run, first, 0, pad, start);
  fill_beyond (run, end - step, 0, pad, end);
}

/* Fills a row with what is beyond the edge next to another one; both begin with their pads. */
static void
fill_row_beyond (const FocusRun *run, const float *row, float *beyond)
{
  const FocusGrid *grid = &run->pyramid.grids[0];

  fill_beyond (run, row, run->pyramid.step, grid->columns.count + 2 * grid->pad, beyond);
}

/* The source. */

static void
decode (const FxCpuBlocks *base, const guint8 *source, int y, int thread)
{
  const FocusRun *run = (const FocusRun *) base;
  const FocusPyramid *pyramid = &run->pyramid;
  const FocusGrid *grid = &pyramid->grids[0];
  float *row = pyramid->scratch + 2 * (gsize) thread * grid->pitch, *beyond = row + grid->pitch;
  gssize origin = (gssize) (grid->pad - grid->columns.first) * pyramid->step;
  int edges[] = { 0, base->base.strip.height - 1 };

  decode_row (run, source, y, row);
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

      decode_row (run, fx_cpu_blocks_get_stored (&run->base, strip->source_x0, inside), inside,
                  inside == y ? row : scratch);
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

static void
compute_pixel (const FocusRun *run, const FocusSource *sources, int x, int y, float sigma,
               float *pixel)
{
  const FocusPyramid *pyramid = &run->pyramid;
  int level = find_level (pyramid->plan, sigma),
      channels = run->base.base.plan->codec.format.channels;
  float cell[FOCUS_STEP_MAX];

  pyramid->gather (&sources[level], x, y, sigma, cell);
  for (int c = 0; c < channels; c++)
    pixel[c] = pyramid->channels > channels ? cell[c] / cell[channels] : cell[c];
}

/* Computes n pixels of a row, at most COLUMNS. */
static void
filter_row (const FocusRun *run, const FocusSource *sources, int x, int y, int n, guint8 *result)
{
  const FxPlan *plan = run->base.base.plan;
  const FxStrip *strip = &run->base.base.strip;
  int channels = plan->codec.format.channels, step = fx_interleave_get_step (channels);
  gsize size = fx_format_size (&plan->codec.format);
  const guint8 *stored = fx_cpu_blocks_get_stored (&run->base, x, y);
  float sigmas[COLUMNS], pixels[COLUMNS * FX_CHANNELS_MAX] = { 0 };

  focus_plan_get_shares (run->pyramid.plan, strip->x + x, strip->y + y, n, sigmas);
  for (int i = 0; i < n; i++)
    {
      sigmas[i] *= run->pyramid.plan->args.strength;
      if (sigmas[i] >= FOCUS_SIGMA_MIN)
        compute_pixel (run, sources, x + i, y, sigmas[i], pixels + i * step);
    }
  fx_codec_encode_pixels (&plan->codec, pixels, n, result);
  for (int i = 0; i < n; i++)
    if (sigmas[i] < FOCUS_SIGMA_MIN)
      memcpy (result + i * size, stored + i * size, size);
}

static void
filter (const FxCpuBlocks *base, const FxRect *block, guint8 *result, gsize stride, int thread)
{
  const FocusRun *run = (const FocusRun *) base;
  FocusSource sources[FOCUS_LEVELS_MAX];

  for (int i = 0; i < run->pyramid.plan->args.levels; i++)
    sources[i] = focus_pyramid_get_source (&run->pyramid, i);
  for (int row = 0; row < block->height; row++)
    filter_row (run, sources, block->x, block->y + row, block->width, result + row * stride);
}

/* The run. */

static void
init (FxCpuBlocks *base)
{
  FocusRun *run = (FocusRun *) base;

  base->keeps_source = TRUE;
  base->columns = COLUMNS;
  base->rows = ROWS;
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
