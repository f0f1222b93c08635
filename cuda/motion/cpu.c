/* A spin or a zoom on the CPU: all of a strip's source is decoded first. */
#include "cpu.h"
#include "cpu-path.h"
#include "error.h"
#include "team.h"

#define ROWS 16 /* decoded or filtered at a time by a thread */

typedef struct {
  FxRun base;
  FxTeam *team;
  MotionField field;
  float *pixels; /* the field's */
  float *rows;   /* a row of the result for each thread */
} MotionRun;

static gboolean
motion_cpu_needs_all (const FxPlan *plan)
{
  return TRUE;
}

/* Return the floats of the source, and of a row of the result. */

static gsize
get_source_floats (const FxPlan *plan, const FxStrip *strip)
{
  gsize pixels = (gsize) (strip->source_x1 - strip->source_x0) *
                 (gsize) (strip->source_y1 - strip->source_y0);

  return pixels * fx_interleave_get_step (plan->codec.format.channels);
}

static gsize
get_row_floats (const FxPlan *plan, const FxStrip *strip)
{
  return fx_rows_get_pitch ((strip->x1 - strip->x0) *
                            fx_interleave_get_step (plan->codec.format.channels));
}

static gsize
motion_cpu_get_bytes (gconstpointer device, const FxPlan *plan, const FxStrip *strip)
{
  const FxCpu *cpu = device;

  return (get_source_floats (plan, strip) + cpu->threads * get_row_floats (plan, strip)) *
         sizeof (float);
}

static void
motion_cpu_end (FxRun *base)
{
  MotionRun *run = (MotionRun *) base;

  fx_team_free (run->team);
  g_free (run->pixels);
  g_free (run->rows);
  g_free (run);
}

static FxRun *
motion_cpu_begin (gpointer device, const FxPlan *plan, const FxStrip *strip, GError **error)
{
  MotionRun *run = g_new0 (MotionRun, 1);
  double pixels = (double) (strip->x1 - strip->x0) * (strip->y1 - strip->y0);
  int threads = fx_cpu_get_threads (device, pixels);

  run->base = (FxRun) { .backend = motion_get_cpu_path (plan), .plan = plan, .strip = *strip };
  run->team = fx_team_new (threads);
  run->pixels = fx_cpu_allocate (get_source_floats (plan, strip));
  run->rows = fx_cpu_allocate (threads * get_row_floats (plan, strip));
  run->field = (MotionField) {
    .plan = (const MotionPlan *) plan,
    .strip = &run->base.strip,
    .path = ((const MotionPlan *) plan)->path,
    .pixels = run->pixels,
    .width = strip->source_x1 - strip->source_x0,
    .height = strip->source_y1 - strip->source_y0,
    .step = fx_interleave_get_step (plan->codec.format.channels),
  };
  run->field.path.center_x -= strip->x;
  run->field.path.center_y -= strip->y;
  if (run->pixels && run->rows)
    return &run->base;
  fx_set_no_memory (error);
  motion_cpu_end (&run->base);
  return NULL;
}

/* Work on rows first to end - 1 of a chunk that begins with row y. */
typedef struct {
  const MotionRun *run;
  const guint8 *source;
  guint8 *result;
  int y;
} Chunk;

static void
decode_rows (gpointer data, int first, int end, int thread)
{
  const Chunk *chunk = data;
  const MotionField *field = &chunk->run->field;
  const FxCodec *codec = &chunk->run->base.plan->codec;
  gsize top = chunk->y - field->strip->source_y0;
  int row;

  for (row = first; row < end; row++)
    fx_codec_decode_pixels (codec,
                            chunk->source +
                              (gsize) row * field->width * fx_format_size (&codec->format),
                            field->width,
                            chunk->run->pixels + (top + row) * field->width * field->step);
}

static gboolean
motion_cpu_push (FxRun *base, gconstpointer source, int y, int rows, GError **error)
{
  const MotionRun *run = (const MotionRun *) base;
  Chunk chunk = { .run = run, .source = source, .y = y };

  fx_team_run (run->team, rows, ROWS, decode_rows, &chunk);
  return TRUE;
}

static void
filter_rows (gpointer data, int first, int end, int thread)
{
  const Chunk *chunk = data;
  const MotionRun *run = chunk->run;
  const FxStrip *strip = &run->base.strip;
  const FxCodec *codec = &run->base.plan->codec;
  float *pixels = run->rows + thread * get_row_floats (run->base.plan, strip);
  int columns = strip->x1 - strip->x0, row;
  MotionSteps steps = { 0 };

  for (row = first; row < end; row++)
    {
      motion_field_filter (&run->field, &steps, strip->x0, chunk->y + row, columns, pixels);
      fx_codec_encode_pixels (codec, pixels, columns,
                              chunk->result +
                                (gsize) row * columns * fx_format_size (&codec->format));
    }
}

/* A chunk may take seconds, so it is done in parts, between which the run may be stopped. */
static gboolean
motion_cpu_pull (FxRun *base, gpointer result, int y, int rows, GError **error)
{
  const MotionRun *run = (const MotionRun *) base;
  gsize row = (base->strip.x1 - base->strip.x0) * fx_format_size (&base->plan->codec.format);
  int first, count;

  for (first = 0; first < rows; first += count)
    {
      Chunk chunk = { .run = run, .result = (guint8 *) result + first * row, .y = y + first };

      count = MIN (ROWS, rows - first);
      if (base->is_wanted && ! base->is_wanted (base->data, error))
        return FALSE;
      fx_team_run (run->team, count, 1, filter_rows, &chunk);
    }
  return TRUE;
}

const FxBackend *
motion_get_cpu_path (const FxPlan *plan)
{
  static const FxBackend path = {
    .needs_all = motion_cpu_needs_all,
    .get_bytes = motion_cpu_get_bytes,
    .begin = motion_cpu_begin,
    .push = motion_cpu_push,
    .pull = motion_cpu_pull,
    .end = motion_cpu_end,
  };

  return &path;
}
