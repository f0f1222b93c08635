/* A focus blur with a lens on the CPU. Rows of the source are summed as they come: a place holds
 * the sum of all pixels of its row to the left of it. Each pixel then adds up what the segments of
 * its outline say (outline.h).
 *
 * Sums are exact, and so the same whatever the strip: samples are rounded to multiples of 2^-30,
 * and the magnitudes of a row's must reach 2^23 before a sum is rounded. What is not finite is 0
 * there, and counted apart. */
#include "backend.h"
#include "cpu-rows.h"
#include "vector.h"

#include <math.h>
#include <string.h>

#define GRID (1.5 * (1 << 22)) /* x + GRID is rounded to a multiple of 2^-30 */

#define REACH_MAX     ((int) FOCUS_LENS_MAX + 1)
#define SEGMENTS_MORE 64 /* than 8 for each pixel of the radius: those of the sides it crosses */

/* The segments of both ends, for one radius. Those of the left end are negative. */
typedef struct {
  float radius;
  FocusSegment *segments;
  int n;
} Outline;

typedef struct {
  FxCpuBlocks base;
  const FocusPlan *plan;
  int channels, step; /* of a pixel with its weight, and its numbers in memory */
  int columns;        /* of a row of sums, with what is beyond the edges */
  double *sums;       /* a ring, in which row y is at slot y mod ring_rows, and two rows more: those
                         above and below the picture */
  guint32 *marks;     /* the same for infinities and NaN; NULL: the format has none */
  float *floats;      /* a row for each thread */
  Outline *outlines;  /* one for each thread */
  gint marked;        /* a row has marks */
} LensRun;

/* The sums. */

static gsize
get_pitch (const LensRun *run)
{
  return (gsize) run->columns * run->step;
}

static gsize
get_slot (const LensRun *run, int y)
{
  const FxStrip *strip = &run->base.base.strip;

  return y < 0                ? run->base.ring_rows
         : y >= strip->height ? run->base.ring_rows + 1
                              : y % run->base.ring_rows;
}

/* Returns the column of a row of sums at which the picture's column x is. */
static int
get_column (const LensRun *run, int x)
{
  return x - run->base.base.strip.source_x0 + run->plan->base.reach.left + FOCUS_BESIDE;
}

/* Sums n pixels. */
FX_VECTORISED static void
sum_floats (const float *floats, int n, int step, double *sums)
{
  double sum[FOCUS_STEP_MAX] = { 0.0 };

  for (int i = 0; i <= n; i++, floats += step, sums += step)
    for (int c = 0; c < step; c++)
      {
        sums[c] = sum[c];
        sum[c] += i < n ? floats[c] + GRID - GRID : 0.0;
      }
}

/* Counts n pixels' values that are not finite, and sets them to 0. Returns whether there are any.
 */
static gboolean
count_marks (float *floats, int n, int step, guint32 *marks)
{
  guint32 sum[FOCUS_STEP_MAX] = { 0 };
  gboolean marked = FALSE;

  for (int i = 0; i <= n; i++, floats += step, marks += step)
    for (int c = 0; c < step; c++)
      {
        marks[c] = sum[c];
        if (i < n && ! isfinite (floats[c]))
          {
            sum[c] += (floats[c] < 0.0f ? 0 : 1) + (floats[c] > 0.0f ? 0 : FOCUS_NEGATIVE);
            floats[c] = 0.0f;
            marked = TRUE;
          }
      }
  return marked;
}

static void
sum_row (LensRun *run, float *floats, int y)
{
  gsize place = get_slot (run, y) * get_pitch (run);

  if (run->marks && count_marks (floats, run->columns - 1, run->step, run->marks + place))
    g_atomic_int_set (&run->marked, TRUE);
  sum_floats (floats, run->columns - 1, run->step, run->sums + place);
}

/* The source. */

static void
decode (const FxCpuBlocks *base, const guint8 *source, int y, int thread)
{
  LensRun *run = (LensRun *) base;
  float *floats = run->floats + 2 * thread * get_pitch (run), *beyond = floats + get_pitch (run);
  const FxStrip *strip = &base->base.strip;
  int height = strip->height, left = get_column (run, strip->source_x0);
  int right = run->columns - left - fx_cpu_blocks_get_source_width (strip);

  focus_decode_row (base, source, y, left, right, floats);
  for (int i = 0; i < 2; i++)
    if (y == (i ? height - 1 : 0))
      {
        focus_fill_beyond (base, floats, run->step, run->columns, beyond);
        sum_row (run, beyond, i ? height : -1);
      }
  sum_row (run, floats, y);
}

/* The outline. */

/* Adds what a segment, and its sign, adds to sums; or its mirror image, whose area is what the left
 * end leaves of the pixel. */
static void
add_segment (Outline *outline, const FocusSegment *segment, float sign)
{
  outline->segments[outline->n++] = (FocusSegment) { segment->row, segment->column,
                                                     sign * segment->height, sign * segment->area };
}

static void
add_mirrored (Outline *outline, FocusSegment segment)
{
  segment.column = -segment.column;
  segment.area = segment.height - segment.area;
  add_segment (outline, &segment, -1.0f);
}

static void
trace (const FocusOutline *shape, gboolean left, Outline *outline)
{
  FocusWalk walk = focus_walk_begin (shape, outline->radius, left);
  FocusSegment segment;

  while (focus_walk_next (&walk, &segment))
    {
      if (segment.height <= 0.0f && segment.area == 0.0f)
        continue;
      add_segment (outline, &segment, left ? -1.0f : 1.0f);
      if (! shape->mirrored)
        continue;
      add_mirrored (outline, segment);
      segment.row = -segment.row;
      add_segment (outline, &segment, 1.0f);
      add_mirrored (outline, segment);
    }
}

static void
set_radius (const FocusOutline *shape, float radius, Outline *outline)
{
  if (outline->radius == radius)
    return;
  outline->radius = radius;
  outline->n = 0;
  trace (shape, FALSE, outline);
  trace (shape, TRUE, outline);
}

/* The result. */

/* The parts of a pixel's sum: segments of the rows of sums. */
typedef struct {
  const FocusSegment *segments;
  int n;
  const gsize *rows; /* where the rows of sums begin; the middle one */
  gsize offset;      /* of the pixel in them */
} Window;

static FX_INLINE void
sum_segments (const Window *window, const double *sums, int step, double *sum)
{
  double all[FOCUS_STEP_MAX] = { 0.0 };

  for (int i = 0; i < window->n; i++)
    {
      const FocusSegment *segment = &window->segments[i];
      const double *from = sums + window->rows[segment->row] + window->offset;
      const double *place = from + segment->column * step;
      double height = segment->height, area = segment->area;

      for (int c = 0; c < step; c++)
        all[c] += height * (place[c] - from[c]) + area * (place[c + step] - place[c]);
    }
  memcpy (sum, all, step * sizeof *sum);
}

/* Each number of floats is compiled by itself. */
FX_VECTORISED static void
sum_pixel (const Window *window, const double *sums, int step, double *sum)
{
  if (step == 1)
    sum_segments (window, sums, 1, sum);
  else if (step == 2)
    sum_segments (window, sums, 2, sum);
  else if (step == 4)
    sum_segments (window, sums, 4, sum);
  else
    sum_segments (window, sums, 8, sum);
}

/* Returns how much of a pixel's aperture infinities of a kind fill; shift: their place in words. */
static double
sum_marks (const Window *window, const guint32 *marks, int step, int shift)
{
  double sum = 0.0;

  for (int i = 0; i < window->n; i++)
    {
      const FocusSegment *segment = &window->segments[i];
      const guint32 *from = marks + window->rows[segment->row] + window->offset;
      const guint32 *place = from + segment->column * step;
      guint32 between = segment->column < 0 ? *from - *place : *place - *from;
      int whole = between >> shift & (FOCUS_NEGATIVE - 1);

      sum += (double) segment->height * (segment->column < 0 ? -whole : whole) +
             (double) segment->area * ((place[step] - *place) >> shift & (FOCUS_NEGATIVE - 1));
    }
  return sum;
}

static void
mark_pixel (const LensRun *run, const Window *window, float *pixel)
{
  for (int c = 0; c < run->base.base.plan->codec.format.channels; c++)
    if (sum_marks (window, run->marks + c, run->step, 0) > FOCUS_SEEN)
      pixel[c] = INFINITY;
    else if (sum_marks (window, run->marks + c, run->step, 16) > FOCUS_SEEN)
      pixel[c] = -INFINITY;
}

/* The run, the sums and the outline that a row of pixels needs. */
typedef struct {
  const LensRun *run;
  const gsize *rows; /* around it */
  Outline *outline;
} Row;

static void
compute_pixel (gconstpointer data, int x, int y, float radius, float *pixel)
{
  const Row *row = data;
  const LensRun *run = row->run;
  const FocusPlan *plan = run->plan;
  Outline *outline = row->outline;
  int channels = plan->base.codec.format.channels;
  double sum[FOCUS_STEP_MAX], whole = (double) radius * radius * plan->outline.area;
  Window window;

  set_radius (&plan->outline, radius, outline);
  window = (Window) { outline->segments, outline->n, row->rows,
                      (gsize) get_column (run, x) * run->step };
  sum_pixel (&window, run->sums, run->step, sum);
  if (run->channels > channels)
    whole = sum[channels];
  for (int c = 0; c < channels; c++)
    pixel[c] = (float) (sum[c] / whole);
  if (g_atomic_int_get (&run->marked))
    mark_pixel (run, &window, pixel);
}

static void
filter (const FxCpuBlocks *base, const FxRect *block, guint8 *result, gsize stride, int thread)
{
  const LensRun *run = (const LensRun *) base;
  int reach = run->plan->outline.rows;
  gsize rows[2 * REACH_MAX + FOCUS_ROWS];

  for (int i = 0; i < 2 * reach + block->height; i++)
    rows[i] = get_slot (run, block->y - reach + i) * get_pitch (run);
  for (int i = 0; i < block->height && fx_run_is_wanted (&base->base, NULL); i++)
    {
      const Row row = { run, rows + reach + i, &run->outlines[thread] };

      focus_filter_row (base, block->x, block->y + i, block->width, compute_pixel, &row,
                        result + i * stride);
    }
}

/* The run. */

static void
init (FxCpuBlocks *base)
{
  LensRun *run = (LensRun *) base;
  const FxReach *reach = &base->base.plan->reach;

  run->plan = (const FocusPlan *) base->base.plan;
  run->channels = focus_plan_get_channels (run->plan);
  run->step = focus_plan_get_step (run->plan);
  run->columns = fx_cpu_blocks_get_source_width (&base->base.strip) + reach->left + reach->right +
                 2 * FOCUS_BESIDE + 1;
  base->keeps_source = TRUE;
  base->columns = FOCUS_COLUMNS;
  base->rows = FOCUS_ROWS;
  base->decode = decode;
  base->filter = filter;
}

static void
lay_out (FxCpuBlocks *base)
{
  LensRun *run = (LensRun *) base;
  gsize rows = base->ring_rows + 2, pitch = get_pitch (run);
  int segments = (int) (8.0f * run->plan->args.strength) + SEGMENTS_MORE;
  FocusSegment *all;

  run->sums = fx_cpu_blocks_alloc0 (base, rows * pitch, sizeof *run->sums);
  if (fx_sample_get_maximum (run->plan->base.codec.format.sample) == 0)
    run->marks = fx_cpu_blocks_alloc0 (base, rows * pitch, sizeof *run->marks);
  run->floats = fx_cpu_blocks_alloc0 (base, 2 * base->threads * pitch, sizeof *run->floats);
  run->outlines = fx_cpu_blocks_alloc0 (base, base->threads, sizeof *run->outlines);
  all = fx_cpu_blocks_alloc (base, (gsize) base->threads * segments, sizeof *all);
  for (int i = 0; i < base->threads && run->outlines && all; i++)
    run->outlines[i].segments = all + i * segments;
}

const FxCpuPath focus_lens_cpu_path = {
  .size = sizeof (LensRun),
  .init = init,
  .lay_out = lay_out,
};
