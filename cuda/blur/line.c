#include "line.h"
#include "rows.h"
#include "vector.h"

#include <string.h>

#define BLOCK 64  /* floats at a time: a few vector registers; divides the pitch of rows */
#define SLAB  128 /* taps summed separately, which bounds the rounding error of long kernels */

/* A grid of the line: samples first to first + count - 1 at data + margin. */
typedef struct {
  FxSpan span;
  float *data;
} Grid;

struct BlurLine {
  const BlurAxis *axis;
  FxSpan result;
  int margin;
  Grid grids[BLUR_STAGES_MAX + 1]; /* the source's first, then one per stage */
  float *filtered;                 /* the coarsest grid after the FIR, with a margin */
  float *phases;                   /* scratch space for the stages */
};

/* Rounds up to whole blocks. */
static gsize
get_padded (gsize n)
{
  return (n + BLOCK - 1) / BLOCK * BLOCK;
}

static int
get_margin (const BlurAxis *axis)
{
  return BLUR_LINE_MARGIN + (axis->n_stages ? 0 : axis->radius);
}

/* Returns the floats of a grid of n samples, with margins that whole blocks may extend into. */
static gsize
get_room (const BlurAxis *axis, gsize n)
{
  return get_padded (n) + 2 * (gsize) get_margin (axis) + BLOCK;
}

/* Returns the floats of the stages' scratch space: the finest grid, in whole blocks per phase. */
static gsize
get_scratch (FxSpan source)
{
  return (gsize) source.count + 2 * BLUR_FACTOR_MAX * BLUR_LINE_MARGIN;
}

gsize
blur_line_get_bytes (const BlurAxis *axis, FxSpan source)
{
  gsize floats = get_room (axis, source.count) + (axis->n_stages ? get_scratch (source) : 0);
  FxSpan span = source;

  for (int i = 0; i < axis->n_stages; i++)
    {
      span = blur_stage_get_span (&axis->stages[i], span);
      floats += get_room (axis, span.count);
    }
  floats += axis->n_stages ? get_room (axis, span.count) : 0;
  return sizeof (BlurLine) + floats * sizeof (float);
}

BlurLine *
blur_line_init (gpointer memory, const BlurAxis *axis, FxSpan source, FxSpan result)
{
  BlurLine *line = memset (memory, 0, blur_line_get_bytes (axis, source));
  float *next = (float *) (line + 1);
  FxSpan span = source;

  line->axis = axis;
  line->result = result;
  line->margin = get_margin (axis);
  for (int i = 0; i <= axis->n_stages; i++)
    {
      if (i > 0)
        span = blur_stage_get_span (&axis->stages[i - 1], span);
      line->grids[i] = (Grid) { span, next };
      next += get_room (axis, span.count);
    }
  if (axis->n_stages)
    {
      line->filtered = next;
      line->phases = next + get_room (axis, span.count);
    }
  return line;
}

float *
blur_line_get_source (BlurLine *line)
{
  return line->grids[0].data + line->margin;
}

static void
blur_line_fill (float *x, gsize n, float value)
{
  gsize i;

  for (i = 0; i < n; i++)
    x[i] = value;
}

static void
fill_margins (const BlurLine *line, float *samples, int count, float left, float right)
{
  blur_line_fill (samples - line->margin, line->margin, left);
  blur_line_fill (samples + count, line->margin + BLOCK, right);
}

/* out[i] = sum over k of weights[|k|] in[i + k], for whole blocks of i. */
FX_VECTORISED static void
convolve (const BlurAxis *axis, const float *in, float *out, gsize n)
{
  gsize x;

  for (x = 0; x < n; x += BLOCK)
    {
      const float *center = in + x;
      float total[BLOCK];

      for (int i = 0; i < BLOCK; i++)
        total[i] = axis->weights[0] * center[i];
      for (int first = 1; first <= axis->radius; first += SLAB)
        {
          int last = MIN (first + SLAB - 1, axis->radius);
          float sum[BLOCK] = { 0 };

          for (int k = first; k <= last; k++)
            for (int i = 0; i < BLOCK; i++)
              sum[i] += axis->weights[k] * (center[i - k] + center[i + k]);
          for (int i = 0; i < BLOCK; i++)
            total[i] += sum[i];
        }
      memcpy (out + x, total, sizeof total);
    }
}

/* Computes every factor-th sample of a symmetric convolution. The samples are first grouped by
 * phase, so that the sums run over neighbours. in points to the sample at out[0]'s cell. */
FX_VECTORISED static void
decimate (const BlurStage *stage, const float *in, float *phases, float *out, gsize n)
{
  int m = stage->factor,
      reach = BLUR_ORDER / 2; /* a radius is reach * (m - 1), less than reach * m */
  gsize cells = n + 2 * (gsize) reach, pitch = get_padded (n) + 2 * (gsize) reach;
  gsize x, i;

  for (int r = 0; r < m; r++)
    for (i = 0; i < cells; i++)
      phases[r * pitch + i] = in[((gssize) i - reach) * m + r];
  for (x = 0; x < n; x += BLOCK)
    {
      float sum[BLOCK] = { 0 };

      for (int k = -stage->radius; k <= stage->radius; k++)
        {
          int cell = (k + reach * m) / m;
          const float *phase = phases + (k + reach * m - cell * m) * pitch + cell + x;
          float weight = stage->decimate[ABS (k)];

          for (i = 0; i < BLOCK; i++)
            sum[i] += weight * phase[i];
        }
      memcpy (out + x, sum, sizeof sum);
    }
}

/* Interpolates n cells. in points to cell 0, out to sample 0 of that cell. */
FX_VECTORISED static void
interpolate (const BlurStage *stage, const float *in, float *out, gsize n)
{
  int m = stage->factor;
  gsize x, i;

  for (x = 0; x < n; x += BLOCK)
    for (int r = 0; r < m; r++)
      {
        const float *weights = stage->interpolate + r * BLUR_ORDER;
        const float *cell = in + x - (BLUR_ORDER / 2 - 1);
        gsize count = MIN (BLOCK, n - x);
        float sum[BLOCK] = { 0 };

        for (int j = 0; j < BLUR_ORDER; j++)
          for (i = 0; i < BLOCK; i++)
            sum[i] += weights[j] * cell[i + j];
        for (i = 0; i < count; i++)
          out[(x + i) * m + r] = sum[i];
      }
}

/* Interpolates from the coarser grid to span of the finer one, at out. The whole cells that cover
 * span go through scratch space. */
static void
blur_line_refine (BlurLine *line, int stage, const float *coarse, FxSpan span, float *out)
{
  const BlurStage *s = &line->axis->stages[stage];
  int first = fx_floor_div (span.first, s->factor);
  int last = fx_floor_div (span.first + span.count - 1, s->factor);

  interpolate (s, coarse + first - line->grids[stage + 1].span.first, line->phases,
               last - first + 1);
  memcpy (out, line->phases + span.first - first * s->factor, span.count * sizeof (float));
}

static void
filter_multires (BlurLine *line, float *out)
{
  const BlurAxis *axis = line->axis;
  Grid *grids = line->grids;
  int last = axis->n_stages;
  float *coarse = line->filtered + line->margin;

  for (int i = 0; i < last; i++)
    {
      const float *in = grids[i].data + line->margin - grids[i].span.first;
      float *cells = grids[i + 1].data + line->margin;
      int count = grids[i + 1].span.count;

      decimate (&axis->stages[i], in + grids[i + 1].span.first * axis->stages[i].factor,
                line->phases, cells, count);
      fill_margins (line, cells, count, cells[0], cells[count - 1]);
    }
  convolve (axis, grids[last].data + line->margin, coarse, get_padded (grids[last].span.count));
  fx_rows_restore_infinities (grids[last].data + line->margin - axis->radius, 1,
                              2 * axis->radius + 1, grids[last].span.count, coarse);
  for (int i = last - 1; i >= 0; i--)
    {
      int count = grids[i + 1].span.count;

      fill_margins (line, coarse, count, coarse[0], coarse[count - 1]);
      blur_line_refine (line, i, coarse, i ? grids[i].span : line->result,
                        i ? grids[i].data + line->margin : out);
      coarse = grids[i].data + line->margin;
    }
}

void
blur_line_filter (BlurLine *line, float left, float right, float *out)
{
  float *source = blur_line_get_source (line);

  fill_margins (line, source, line->grids[0].span.count, left, right);
  if (line->axis->n_stages)
    filter_multires (line, out);
  else
    convolve (line->axis, source + line->result.first - line->grids[0].span.first, out,
              get_padded (line->result.count));
}
