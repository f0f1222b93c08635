/* A spin or a zoom on the CPU: all of a strip's source is decoded first. */
#include "cpu-blocks.h"
#include "cpu-path.h"

#include <string.h>

/* A block, whose paths lie in a part of the source that stays in the cache. */
#define COLUMNS 64
#define ROWS    16

#define LINE 16 /* floats of a cache line */

typedef struct {
  FxCpuBlocks base;
  MotionField field; /* in the run's memory, with what is around it */
} MotionRun;

/* Returns the floats between two rows: an odd number of lines, so that the pixels of a column do
 * not all map to the same few cache sets. */
static gsize
get_pitch (const FxPlan *plan, const FxStrip *strip)
{
  gsize pixels = fx_cpu_blocks_get_source_width (strip) + 2 * MOTION_BORDER;
  gsize floats = pixels * fx_interleave_get_step (plan->codec.format.channels);

  return (fx_ceil_div (floats, LINE) | 1) * LINE;
}

static gsize
motion_cpu_get_bytes (gconstpointer device, const FxPlan *plan, const FxStrip *strip)
{
  gsize rows = strip->source_y1 - strip->source_y0 + 2 * MOTION_BORDER;

  return rows * get_pitch (plan, strip) * sizeof (float);
}

/* The source's rows. */

static void
fill (const float *pixel, int step, int n, float *pixels)
{
  int i;

  for (i = 0; i < n; i++)
    memcpy (pixels + i * step, pixel, step * sizeof *pixel);
}

/* Fills the rows beyond the field next to one that is decoded. */
static void
fill_rows (const MotionRun *run, gboolean at_edge, float *row, gssize next)
{
  const MotionField *field = &run->field;
  const FxPlan *plan = run->base.base.plan;
  int columns = field->width + 2 * MOTION_BORDER, i;

  for (i = 1; i <= MOTION_BORDER; i++)
    if (at_edge && plan->abyss != FX_ABYSS_CLAMP)
      fill (plan->beyond, field->step, columns, row + i * next);
    else
      memcpy (row + i * next, row, (gsize) columns * field->step * sizeof *row);
}

static void
decode (const FxCpuBlocks *base, const guint8 *source, int y)
{
  const MotionRun *run = (const MotionRun *) base;
  const MotionField *field = &run->field;
  const FxPlan *plan = base->base.plan;
  const FxStrip *strip = field->strip;
  gboolean clamped = plan->abyss == FX_ABYSS_CLAMP;
  gsize border = (gsize) MOTION_BORDER * field->step;
  float *floats = run->base.memory;
  float *row = floats + (y - strip->source_y0 + MOTION_BORDER) * field->pitch;
  float *first = row + border, *end = first + (gsize) field->width * field->step;

  fx_codec_decode_pixels (&plan->codec, source, field->width, first);
  fill (clamped || strip->source_x0 > 0 ? first : plan->beyond, field->step, MOTION_BORDER, row);
  fill (clamped || strip->source_x1 < strip->width ? end - field->step : plan->beyond, field->step,
        MOTION_BORDER, end);
  if (y == strip->source_y0)
    fill_rows (run, y == 0, row, -(gssize) field->pitch);
  if (y == strip->source_y1 - 1)
    fill_rows (run, y == strip->height - 1, row, (gssize) field->pitch);
}

static void
filter (const FxCpuBlocks *base, const FxRect *block, guint8 *result, gsize stride)
{
  const MotionField *field = &((const MotionRun *) base)->field;
  float pixels[ROWS * COLUMNS * FX_CHANNELS_MAX];
  int row;

  motion_field_filter (field, block, pixels);
  for (row = 0; row < block->height; row++)
    fx_codec_encode_pixels (&base->base.plan->codec, pixels + row * block->width * field->step,
                            block->width, result + row * stride);
}

static FxRun *
motion_cpu_begin (gpointer device, const FxPlan *plan, const FxStrip *strip, GError **error)
{
  MotionRun *run = fx_cpu_blocks_new (sizeof *run, motion_cpu_get_bytes (device, plan, strip),
                                      device, plan, strip, error);

  if (! run)
    return NULL;
  run->base.base.needs_all = TRUE;
  run->base.columns = COLUMNS;
  run->base.rows = ROWS;
  run->base.decode = decode;
  run->base.filter = filter;
  run->field = (MotionField) {
    .strip = &run->base.base.strip,
    .path = ((const MotionPlan *) plan)->path,
    .width = fx_cpu_blocks_get_source_width (strip),
    .height = strip->source_y1 - strip->source_y0,
    .step = fx_interleave_get_step (plan->codec.format.channels),
    .pitch = get_pitch (plan, strip),
  };
  run->field.path.center_x -= strip->x;
  run->field.path.center_y -= strip->y;
  run->field.pixels = (const float *) run->base.memory +
                      MOTION_BORDER * (run->field.pitch + run->field.step);
  return &run->base.base;
}

const FxBackend *
motion_get_cpu_path (const FxPlan *plan)
{
  static const FxBackend path = {
    .get_bytes = motion_cpu_get_bytes,
    .begin = motion_cpu_begin,
    .push = fx_cpu_blocks_push,
    .pull = fx_cpu_blocks_pull,
    .end = fx_cpu_blocks_end,
  };

  return &path;
}
