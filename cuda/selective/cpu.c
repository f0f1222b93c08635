/* A selective blur on the CPU: decoded rows wait in a ring, and their pixels as they are stored. */
#include "cpu.h"
#include "cpu-window.h"
#include "error.h"
#include "team.h"

#include <math.h>
#include <string.h>

#define WORK 1e7 /* pixels of windows between two questions whether the run is still wanted */

typedef struct {
  FxRun base;
  FxTeam *team;
  SelectiveLayout layout;
  int slots;
  gsize row_bytes; /* of the source */
  float *rows;
  guint8 *pixels;
} SelectiveRun;

static gboolean
selective_cpu_needs_all (const FxPlan *plan)
{
  return FALSE;
}

static gsize
get_row_bytes (const FxPlan *plan, const FxStrip *strip)
{
  return (strip->source_x1 - strip->source_x0) * fx_format_size (&plan->codec.format);
}

static gsize
selective_cpu_get_bytes (gconstpointer device, const FxPlan *plan, const FxStrip *strip)
{
  SelectiveLayout layout = selective_layout_new ((const SelectivePlan *) plan, strip);
  gsize slots = fx_strip_get_ring_rows (strip, &plan->reach);

  return slots *
         (selective_layout_get_size (&layout) * sizeof (float) + get_row_bytes (plan, strip));
}

static void
selective_cpu_end (FxRun *base)
{
  SelectiveRun *run = (SelectiveRun *) base;

  fx_team_free (run->team);
  g_free (run->rows);
  g_free (run->pixels);
  g_free (run);
}

static FxRun *
selective_cpu_begin (gpointer device, const FxPlan *plan, const FxStrip *strip, GError **error)
{
  SelectiveRun *run = g_new0 (SelectiveRun, 1);
  double pixels = (double) (strip->x1 - strip->x0) * (strip->y1 - strip->y0);
  gsize floats;

  run->base = (FxRun) { .backend = selective_get_cpu_path (plan), .plan = plan, .strip = *strip };
  run->team = fx_team_new (fx_cpu_get_threads (device, pixels));
  run->layout = selective_layout_new ((const SelectivePlan *) plan, strip);
  run->slots = fx_strip_get_ring_rows (strip, &plan->reach);
  run->row_bytes = get_row_bytes (plan, strip);
  floats = run->slots * selective_layout_get_size (&run->layout);
  run->rows = fx_cpu_allocate (floats);
  run->pixels = g_try_malloc (run->slots * run->row_bytes);
  if (run->rows && run->pixels)
    {
      memset (run->rows, 0, floats * sizeof (float)); /* the last block reads beyond the columns */
      return &run->base;
    }
  fx_set_no_memory (error);
  selective_cpu_end (&run->base);
  return NULL;
}

static float *
get_row (const SelectiveRun *run, int y)
{
  return run->rows + y % run->slots * selective_layout_get_size (&run->layout);
}

static guint8 *
get_pixels (const SelectiveRun *run, int y)
{
  return run->pixels + y % run->slots * run->row_bytes;
}

/* Work on rows of a chunk that begins with row y. */
typedef struct {
  const SelectiveRun *run;
  const guint8 *source;
  guint8 *result;
  int y;
} Chunk;

static void
decode_rows (gpointer data, int first, int end, int thread)
{
  const Chunk *chunk = data;
  const SelectiveRun *run = chunk->run;
  int row;

  for (row = first; row < end; row++)
    {
      const guint8 *source = chunk->source + row * run->row_bytes;

      memcpy (get_pixels (run, chunk->y + row), source, run->row_bytes);
      selective_layout_decode (&run->layout, source, get_row (run, chunk->y + row));
    }
}

static gboolean
selective_cpu_push (FxRun *base, gconstpointer source, int y, int rows, GError **error)
{
  const SelectiveRun *run = (const SelectiveRun *) base;
  Chunk chunk = { .run = run, .source = source, .y = y };

  fx_team_run (run->team, rows, 1, decode_rows, &chunk);
  return TRUE;
}

/* Encodes n pixels, except for alpha and samples that stay, which are copied from before. */
static void
store (const FxCodec *codec, float (*values)[SELECTIVE_BLOCK], const guint8 *before, int n,
       guint8 *result)
{
  gsize sample = fx_sample_size (codec->format.sample);
  int channels = codec->format.channels, i, c;
  gboolean stays[FX_CHANNELS_MAX][SELECTIVE_BLOCK];
  float *planes[FX_CHANNELS_MAX];

  for (c = 0; c < channels; c++)
    {
      planes[c] = values[c];
      for (i = 0; i < n; i++)
        stays[c][i] = isnan (values[c][i]);
    }
  fx_codec_encode (codec, planes, n, result);
  for (i = 0; i < n; i++)
    for (c = 0; c < channels; c++, before += sample, result += sample)
      if (stays[c][i])
        memcpy (result, before, sample);
}

/* Computes the blocks first to end - 1 of a chunk's. */
static void
filter_blocks (gpointer data, int first, int end, int thread)
{
  const Chunk *chunk = data;
  const SelectiveRun *run = chunk->run;
  const FxStrip *strip = &run->base.strip;
  const FxPlan *plan = run->base.plan;
  gsize pixel = fx_format_size (&plan->codec.format);
  int radius = run->layout.plan->window.radius, columns = strip->x1 - strip->x0;
  int across = fx_ceil_div (columns, SELECTIVE_BLOCK), block, j;

  for (block = first; block < end; block++)
    {
      int x = block % across * SELECTIVE_BLOCK, row = block / across, y = chunk->y + row;
      const float *rows[2 * SELECTIVE_RADIUS_MAX + 1];
      float values[FX_CHANNELS_MAX][SELECTIVE_BLOCK];

      for (j = 0; j <= 2 * radius; j++)
        {
          int at = y + j - radius, inside = CLAMP (at, 0, strip->height - 1);

          rows[j] = at == inside || plan->abyss == FX_ABYSS_CLAMP ? get_row (run, inside) : NULL;
        }
      for (j = 0; j < SELECTIVE_BLOCK; j++)
        values[run->layout.colors][j] = NAN; /* alpha */
      selective_window_filter (&run->layout, rows, x, values);
      store (&plan->codec, values, get_pixels (run, y) + (strip->x0 + x - strip->source_x0) * pixel,
             MIN (SELECTIVE_BLOCK, columns - x),
             chunk->result + ((gsize) row * columns + x) * pixel);
    }
}

/* A chunk may take minutes, so it is done in parts, between which the run may be stopped. */
static gboolean
selective_cpu_pull (FxRun *base, gpointer result, int y, int rows, GError **error)
{
  const SelectiveRun *run = (const SelectiveRun *) base;
  int columns = base->strip.x1 - base->strip.x0, side = 2 * run->layout.plan->window.radius + 1;
  int part = (int) CLAMP (WORK / ((double) side * side * columns), 1.0, rows), first;
  gsize row = columns * fx_format_size (&base->plan->codec.format);

  for (first = 0; first < rows; first += part)
    {
      Chunk chunk = { .run = run, .result = (guint8 *) result + first * row, .y = y + first };
      int blocks = MIN (part, rows - first) * fx_ceil_div (columns, SELECTIVE_BLOCK);

      if (base->is_wanted && ! base->is_wanted (base->data, error))
        return FALSE;
      fx_team_run (run->team, blocks, 1, filter_blocks, &chunk);
    }
  return TRUE;
}

const FxBackend *
selective_get_cpu_path (const FxPlan *plan)
{
  static const FxBackend path = {
    .needs_all = selective_cpu_needs_all,
    .get_bytes = selective_cpu_get_bytes,
    .begin = selective_cpu_begin,
    .push = selective_cpu_push,
    .pull = selective_cpu_pull,
    .end = selective_cpu_end,
  };

  return &path;
}
