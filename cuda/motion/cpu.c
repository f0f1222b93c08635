/* A spin or a zoom on the CPU: all of a strip's source is decoded first. */
#include "cpu-blocks.h"
#include "cpu-path.h"

#include <string.h>

/* The size of a block: the part of the source that its paths cross stays in the cache. */
#define COLUMNS 64
#define ROWS    16

#define SAMPLES (1 << 24) /* the most of a block, unless it is a single pixel */

#define LINE 16 /* floats of a cache line */

typedef struct {
  FxCpuBlocks base;
  MotionField field;
  float *floats; /* the field's, with what is around it */
} MotionRun;

/* The source's rows. */

static void
fill (const float *pixel, int step, int n, float *pixels)
{
  for (int i = 0; i < n; i++)
    memcpy (pixels + i * step, pixel, step * sizeof *pixel);
}

/* Fills the rows outside the field that border on a decoded one. */
static void
fill_rows (const MotionRun *run, gboolean at_edge, float *row, gssize next)
{
  const MotionField *field = &run->field;
  const FxPlan *plan = run->base.base.plan;
  int columns = field->width + 2 * MOTION_BORDER;

  for (int i = 1; i <= MOTION_BORDER; i++)
    if (at_edge && plan->abyss != FX_ABYSS_CLAMP)
      fill (plan->border, field->step, columns, row + i * next);
    else
      memcpy (row + i * next, row, (gsize) columns * field->step * sizeof *row);
}

static void
decode (const FxCpuBlocks *base, const guint8 *source, int y, int thread)
{
  const MotionRun *run = (const MotionRun *) base;
  const MotionField *field = &run->field;
  const FxPlan *plan = base->base.plan;
  const FxStrip *strip = field->strip;
  gboolean clamped = plan->abyss == FX_ABYSS_CLAMP;
  gsize border = (gsize) MOTION_BORDER * field->step;
  float *row = run->floats + (y - strip->source_y0 + MOTION_BORDER) * field->pitch;
  float *first = row + border, *end = first + (gsize) field->width * field->step;

  fx_codec_decode_pixels (&plan->codec, source, field->width, first);
  fill (clamped || strip->source_x0 > 0 ? first : plan->border, field->step, MOTION_BORDER, row);
  fill (clamped || strip->source_x1 < strip->width ? end - field->step : plan->border, field->step,
        MOTION_BORDER, end);
  if (y == strip->source_y0)
    fill_rows (run, y == 0, row, -(gssize) field->pitch);
  if (y == strip->source_y1 - 1)
    fill_rows (run, y == strip->height - 1, row, (gssize) field->pitch);
}

static void
filter (const FxCpuBlocks *base, const FxRect *block, guint8 *result, gsize stride, int thread)
{
  const MotionField *field = &((const MotionRun *) base)->field;
  float pixels[ROWS * COLUMNS * FX_CHANNELS_MAX];

  motion_field_filter (field, block, pixels);
  for (int row = 0; row < block->height; row++)
    fx_codec_encode_pixels (&base->base.plan->codec, pixels + row * block->width * field->step,
                            block->width, result + row * stride);
}

/* Sets the blocks' size. The field has the path in the image's pixels. */
static void
set_block (MotionRun *run)
{
  const FxStrip *strip = &run->base.base.strip;
  const FxRect area = { strip->x0, strip->y0, strip->x1 - strip->x0, strip->y1 - strip->y0 };
  int pixels = MAX (SAMPLES / motion_path_count_most (&run->field.path, &area), 1);

  run->base.columns = MIN (COLUMNS, pixels);
  run->base.rows = CLAMP (pixels / COLUMNS, 1, ROWS);
}

/* Rows of the field are an odd number of lines apart, so that the pixels of a column do not all map
 * to the same few cache sets. */
static void
init (FxCpuBlocks *base)
{
  MotionRun *run = (MotionRun *) base;
  const FxStrip *strip = &base->base.strip;
  int width = fx_cpu_blocks_get_source_width (strip);
  int step = fx_interleave_get_step (base->base.plan->codec.format.channels);

  base->base.needs_all = TRUE;
  base->decode = decode;
  base->filter = filter;
  run->field = (MotionField) {
    .strip = strip,
    .path = motion_path_move (&((const MotionPlan *) base->base.plan)->path, strip->x, strip->y),
    .width = width,
    .height = strip->source_y1 - strip->source_y0,
    .step = step,
    .pitch = (fx_ceil_div ((gsize) (width + 2 * MOTION_BORDER) * step, LINE) | 1) * LINE,
  };
  set_block (run);
}

static void
lay_out (FxCpuBlocks *base)
{
  MotionRun *run = (MotionRun *) base;
  MotionField *field = &run->field;

  run->floats = fx_cpu_blocks_alloc (base, field->height + 2 * MOTION_BORDER,
                                     field->pitch * sizeof (float));
  if (run->floats)
    field->pixels = run->floats + MOTION_BORDER * (field->pitch + field->step);
}

const FxCpuPath motion_cpu_path = {
  .size = sizeof (MotionRun),
  .init = init,
  .lay_out = lay_out,
};
