/* The convolution on the CPU. Each row of the source is decoded into a ring of rows; each row of
 * the result is a weighted sum of pieces of them, one a tap. Where the matrix is a sum of few
 * products, the ring has, for each, the rows filtered along x, and the taps are those along y. */
#include "ways.h"

#include "cpu.h"
#include "error.h"
#include "team.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Below this alpha a colour cannot be told, and the division would overflow. */
#define ALPHA_MIN 1e-30f

/* Nanoseconds of a sample beside its taps, and for each of them; of a product's own, in taps: what
 * it costs beside its taps, and how many times as much as others these do. Measured. */
#define SAMPLE_COST   2.0
#define TAP_COST      0.024
#define PRODUCT_COST  5.0
#define PRODUCT_TIMES 1.7

/* A piece of a row of the ring, and its weight in the result, by planes: colour's and alpha's. */
typedef struct {
  int y;  /* rows below that of the result */
  int at; /* floats from where the plane begins */
  float weight, alpha_weight;
} Tap;

/* A thread's own room. */
typedef struct {
  float *line;        /* a row of the source by planes, then with what lies beyond it */
  float *result;      /* by planes */
  const float **rows; /* one a tap */
} Scratch;

typedef struct {
  FxRun base;
  const ConvolvePlan *plan;
  int channels;
  int products;
  FxTeam *team;
  int threads;
  gsize pitch;    /* floats of a plane of the ring */
  gsize row_size; /* floats of a row of it: planes of each product, or of the source */
  float *ring;    /* row y at slot y mod ring_rows */
  int ring_rows;
  float *beyond;  /* one such row, of what lies beyond the edge */
  guint8 *stored; /* a ring of the source as it is stored; NULL: all channels are written */
  Tap *taps;      /* of the result */
  int n_taps;
  float *weights[2]; /* theirs: colour's, alpha's */
  Scratch *scratch;  /* one a thread */
} Run;

int
convolve_cpu_get_products (const ConvolvePlan *plan)
{
  const ConvolveMatrix *matrix = &plan->matrix;

  /* Products cancel out where a weight is 0, but not infinities. */
  if (plan->weights || (matrix->rank > 1 && plan->base.codec.format.sample >= FX_SAMPLE_HALF))
    return 0;
  return convolve_matrix_choose_products (matrix, PRODUCT_COST, PRODUCT_TIMES);
}

double
convolve_get_cpu_cost (const FxPlan *base)
{
  const ConvolvePlan *plan = convolve_plan_get (base);
  const ConvolveMatrix *matrix = &plan->matrix;
  int products = convolve_cpu_get_products (plan);
  double taps = products * (PRODUCT_COST + PRODUCT_TIMES * (matrix->rows + matrix->columns));

  return SAMPLE_COST + TAP_COST * (products ? taps : matrix->taps);
}

/* Sizes, in floats. */

static int
get_width (const FxStrip *strip)
{
  return strip->x1 - strip->x0;
}

static int
get_source_width (const FxStrip *strip)
{
  return strip->source_x1 - strip->source_x0;
}

/* Of a plane that all taps of a row find what they need in, by whole vectors. */
static gsize
get_line_pitch (const ConvolvePlan *plan, const FxStrip *strip)
{
  return fx_rows_get_pitch (get_width (strip)) + fx_rows_get_pitch (plan->matrix.columns);
}

static gsize
get_pitch (const ConvolvePlan *plan, const FxStrip *strip)
{
  return convolve_cpu_get_products (plan) ? fx_rows_get_pitch (get_width (strip))
                                          : get_line_pitch (plan, strip);
}

/* An odd number of blocks, so that rows do not all fall into the same few places of the cache. */
static gsize
get_row_size (const ConvolvePlan *plan, const FxStrip *strip)
{
  gsize planes = (gsize) plan->base.codec.format.channels *
                 MAX (convolve_cpu_get_products (plan), 1);

  return (planes * get_pitch (plan, strip) / FX_COLUMN | 1) * FX_COLUMN;
}

static gsize
get_line_size (const ConvolvePlan *plan, const FxStrip *strip)
{
  gsize source = fx_rows_get_pitch (get_source_width (strip));

  return plan->base.codec.format.channels * (source + get_line_pitch (plan, strip));
}

static gsize
get_result_size (const ConvolvePlan *plan, const FxStrip *strip)
{
  return plan->base.codec.format.channels * fx_rows_get_pitch (get_width (strip));
}

static gsize
get_stored_bytes (const ConvolvePlan *plan, const FxStrip *strip)
{
  gsize row = get_width (strip) * fx_format_size (&plan->base.codec.format);

  return convolve_plan_writes_all (plan) ? 0
                                         : row * fx_strip_get_ring_rows (strip, &plan->base.reach);
}

static int
count_taps (const ConvolvePlan *plan)
{
  int products = convolve_cpu_get_products (plan);

  return products ? products * plan->matrix.rows : plan->matrix.taps;
}

static gsize
get_bytes (gconstpointer device, const FxPlan *base, const FxStrip *strip)
{
  const FxCpu *cpu = device;
  const ConvolvePlan *plan = convolve_plan_get (base);
  gsize rows = (gsize) fx_strip_get_ring_rows (strip, &base->reach) + 1;
  gsize scratch = (get_line_size (plan, strip) + get_result_size (plan, strip)) * sizeof (float) +
                  MAX (count_taps (plan), plan->matrix.columns) * sizeof (float *);

  return rows * get_row_size (plan, strip) * sizeof (float) + cpu->threads * scratch +
         get_stored_bytes (plan, strip);
}

static gboolean
needs_all (const FxPlan *plan)
{
  return FALSE;
}

/* Taps. */

static void
add_tap (Run *run, int y, gsize at, float weight, float alpha_weight)
{
  if (weight != 0.0f)
    run->taps[run->n_taps++] = (Tap) { y, (int) at, weight, alpha_weight };
}

static void
add_matrix_taps (Run *run)
{
  const ConvolveMatrix *matrix = &run->plan->matrix, *alpha = run->plan->weights;
  int i;

  for (i = 0; i < matrix->rows * matrix->columns; i++)
    add_tap (run, matrix->top + i / matrix->columns, i % matrix->columns, matrix->weights[i],
             (alpha ? alpha : matrix)->weights[i]);
}

static void
add_product_taps (Run *run)
{
  const ConvolveMatrix *matrix = &run->plan->matrix;
  int n, j;

  for (n = 0; n < run->products; n++)
    for (j = 0; j < matrix->rows; j++)
      {
        float weight = matrix->along_y[n * matrix->rows + j];

        add_tap (run, matrix->top + j, n * run->channels * run->pitch, weight, weight);
      }
}

static void
init_taps (Run *run)
{
  int n = count_taps (run->plan), i;

  run->taps = g_new (Tap, MAX (n, 1));
  if (run->products)
    add_product_taps (run);
  else
    add_matrix_taps (run);
  run->weights[0] = g_new (float, MAX (n, 1));
  run->weights[1] = g_new (float, MAX (n, 1));
  for (i = 0; i < run->n_taps; i++)
    {
      run->weights[0][i] = run->taps[i].weight;
      run->weights[1][i] = run->taps[i].alpha_weight;
    }
}

/* The run. */

static void
end (FxRun *base)
{
  Run *run = (Run *) base;
  int i;

  fx_team_free (run->team);
  for (i = 0; run->scratch && i < run->threads; i++)
    {
      g_free (run->scratch[i].line);
      g_free (run->scratch[i].result);
      g_free (run->scratch[i].rows);
    }
  g_free (run->scratch);
  g_free (run->taps);
  g_free (run->weights[0]);
  g_free (run->weights[1]);
  g_free (run->stored);
  g_free (run->ring);
  g_free (run->beyond);
  g_free (run);
}

static gboolean
allocate_scratch (Run *run)
{
  const FxStrip *strip = &run->base.strip;
  int pieces = MAX (MAX (run->n_taps, run->plan->matrix.columns), 1), i;

  run->scratch = g_new0 (Scratch, run->threads);
  for (i = 0; i < run->threads; i++)
    {
      Scratch *scratch = &run->scratch[i];

      scratch->line = fx_cpu_allocate (get_line_size (run->plan, strip));
      scratch->result = fx_cpu_allocate (get_result_size (run->plan, strip));
      scratch->rows = g_new (const float *, pieces);
      if (! scratch->line || ! scratch->result)
        return FALSE;
      memset (scratch->line, 0, get_line_size (run->plan, strip) * sizeof (float));
    }
  return TRUE;
}

static gboolean
allocate_rings (Run *run)
{
  const FxStrip *strip = &run->base.strip;
  gsize stored = get_stored_bytes (run->plan, strip);

  run->ring = fx_cpu_allocate (run->ring_rows * run->row_size);
  run->beyond = fx_cpu_allocate (run->row_size);
  if (stored > 0)
    run->stored = g_try_malloc (stored);
  return run->ring && run->beyond && (run->stored || stored == 0);
}

/* Along x. */

/* Lays source, whose first sample is the strip's first, into a plane whose first
 * sample is the one that the first tap of the result's first pixel has; what lies beyond the edge
 * goes by the abyss policy. */
static void
lay_line (const Run *run, const float *source, int channel, float *plane)
{
  const FxStrip *strip = &run->base.strip;
  const FxPlan *plan = run->base.plan;
  gboolean clamped = plan->abyss == FX_ABYSS_CLAMP;
  int first = strip->x0 + run->plan->matrix.left;
  int n = get_width (strip) + run->plan->matrix.columns - 1;
  int begin = CLAMP (strip->source_x0 - first, 0, n);
  int end = CLAMP (strip->source_x1 - first, begin, n), i;
  float beyond = plan->beyond[channel];
  float left = clamped ? source[0] : beyond;
  float right = clamped ? source[get_source_width (strip) - 1] : beyond;

  for (i = 0; i < begin; i++)
    plane[i] = left;
  if (end > begin)
    memcpy (plane + begin, source + (first + begin - strip->source_x0),
            (end - begin) * sizeof *plane);
  for (i = end; i < n; i++)
    plane[i] = right;
}

/* A plane filtered along x for one product. */
static void
filter_line (const Run *run, Scratch *scratch, const float *plane, int product, float *out)
{
  const ConvolveMatrix *matrix = &run->plan->matrix;
  const float *weights = matrix->along_x + product * matrix->columns;
  float some[CONVOLVE_SIZE_MAX];
  int n = 0, i;

  for (i = 0; i < matrix->columns; i++)
    if (weights[i] != 0.0f) /* which would make NaN of infinity */
      {
        scratch->rows[n] = plane + i;
        some[n++] = weights[i];
      }
  fx_rows_combine (scratch->rows, some, n, run->pitch, out);
}

/* Makes a row of the ring of a row of the source by planes. */
static void
make_row (const Run *run, Scratch *scratch, float *const *planes, float *row)
{
  float *laid = scratch->line +
                run->channels * fx_rows_get_pitch (get_source_width (&run->base.strip));
  int c, n;

  for (c = 0; c < run->channels; c++)
    {
      if (! run->products)
        lay_line (run, planes[c], c, row + c * run->pitch);
      else
        lay_line (run, planes[c], c, laid);
      for (n = 0; n < run->products; n++)
        filter_line (run, scratch, laid, n, row + (n * run->channels + c) * run->pitch);
    }
}

static void
init_planes (const Run *run, Scratch *scratch, float **planes)
{
  gsize pitch = fx_rows_get_pitch (get_source_width (&run->base.strip));
  int c;

  for (c = 0; c < FX_CHANNELS_MAX; c++)
    planes[c] = scratch->line + MIN (c, run->channels - 1) * pitch;
}

static void
init_beyond (Run *run)
{
  Scratch *scratch = &run->scratch[0];
  float *planes[FX_CHANNELS_MAX];
  int c, i;

  init_planes (run, scratch, planes);
  for (c = 0; c < run->channels; c++)
    for (i = 0; i < get_source_width (&run->base.strip); i++)
      planes[c][i] = run->base.plan->beyond[c];
  make_row (run, scratch, planes, run->beyond);
}

static FxRun *
begin (gpointer device, const FxPlan *base, const FxStrip *strip, GError **error)
{
  const ConvolvePlan *plan = convolve_plan_get (base);
  Run *run = g_new0 (Run, 1);
  double pixels = (double) get_source_width (strip) * (strip->source_y1 - strip->source_y0);

  run->base = (FxRun) { .backend = convolve_get_cpu_way (base), .plan = base, .strip = *strip };
  run->plan = plan;
  run->channels = base->codec.format.channels;
  run->products = convolve_cpu_get_products (plan);
  run->threads = fx_cpu_get_threads (device, pixels * MAX (count_taps (plan) / 16, 1));
  run->team = fx_team_new (run->threads);
  run->pitch = get_pitch (plan, strip);
  run->row_size = get_row_size (plan, strip);
  run->ring_rows = fx_strip_get_ring_rows (strip, &base->reach);
  init_taps (run);
  if (allocate_scratch (run) && allocate_rings (run))
    {
      init_beyond (run);
      convolve_trace_way (plan, run->products ? "products, CPU" : "taps, CPU");
      return &run->base;
    }
  fx_set_no_memory (error);
  end (&run->base);
  return NULL;
}

/* The source. */

typedef struct {
  Run *run;
  const guint8 *source;
  int y;
} Push;

/* Keeps the pixels that the result has. */
static void
store_row (Run *run, const guint8 *source, int y)
{
  const FxStrip *strip = &run->base.strip;
  gsize pixel = fx_format_size (&run->base.plan->codec.format);
  gsize row = get_width (strip) * pixel;

  memcpy (run->stored + y % run->ring_rows * row, source + (strip->x0 - strip->source_x0) * pixel,
          row);
}

static void
push_rows (gpointer data, int first, int end, int thread)
{
  const Push *job = data;
  Run *run = job->run;
  Scratch *scratch = &run->scratch[thread];
  int width = get_source_width (&run->base.strip), row;
  gsize stride = width * fx_format_size (&run->base.plan->codec.format);
  float *planes[FX_CHANNELS_MAX];

  init_planes (run, scratch, planes);
  for (row = first; row < end; row++)
    {
      int y = job->y + row;

      fx_codec_decode (&run->base.plan->codec, job->source + row * stride, width, planes);
      make_row (run, scratch, planes, run->ring + y % run->ring_rows * run->row_size);
      if (run->stored)
        store_row (run, job->source + row * stride, y);
    }
}

static gboolean
push (FxRun *base, gconstpointer source, int y, int rows, GError **error)
{
  Run *run = (Run *) base;
  Push job = { run, source, y };

  fx_team_run (run->team, rows, 4, push_rows, &job);
  return TRUE;
}

/* The result. */

/* Where row y of the ring is; beyond the edge, what the abyss policy puts there. */
static const float *
get_row (const Run *run, gint64 y)
{
  int height = run->base.strip.height;

  if ((y < 0 || y >= height) && run->base.plan->abyss != FX_ABYSS_CLAMP)
    return run->beyond;
  return run->ring + CLAMP (y, 0, height - 1) % run->ring_rows * run->row_size;
}

static void
sum_row (const Run *run, Scratch *scratch, int y)
{
  gsize pitch = fx_rows_get_pitch (get_width (&run->base.strip));
  gboolean alpha = fx_format_has_alpha (&run->base.plan->codec.format);
  int c, i;

  for (c = 0; c < run->channels; c++)
    {
      for (i = 0; i < run->n_taps; i++)
        scratch->rows[i] = get_row (run, (gint64) y + run->taps[i].y) + c * run->pitch +
                           run->taps[i].at;
      fx_rows_combine (scratch->rows, run->weights[alpha && c == run->channels - 1], run->n_taps,
                       pitch, scratch->result + c * pitch);
    }
}

/* Straight colour, of n pixels of a plane. What is not finite stays. */
static void
weigh (const float *alpha, float gain, float *color, int n)
{
  int i;

  for (i = 0; i < n; i++)
    {
      float straight = fabsf (alpha[i]) >= ALPHA_MIN ? color[i] * gain / alpha[i] : 0.0f;

      color[i] = fabsf (color[i]) <= FLT_MAX ? straight : color[i];
    }
}

/* The result's planes of a row become what is to be stored. */
static void
finish_row (const Run *run, float *const *planes)
{
  const ConvolvePlan *plan = run->plan;
  int width = get_width (&run->base.strip), c, i;

  for (c = 0; plan->weighs && c < run->channels - 1; c++)
    weigh (planes[run->channels - 1], plan->gain, planes[c], width);
  for (c = 0; c < run->channels; c++)
    for (i = 0; i < width && plan->offset[c] != 0.0f; i++)
      planes[c][i] += plan->offset[c];
}

/* Puts the channels that are not written back to what they were. */
static void
restore_row (const Run *run, int y, guint8 *out)
{
  const FxFormat *format = &run->base.plan->codec.format;
  int width = get_width (&run->base.strip), c, i;
  gsize sample = fx_sample_size (format->sample), pixel = fx_format_size (format);
  const guint8 *stored = run->stored + y % run->ring_rows * width * pixel;

  for (c = 0; c < run->channels; c++)
    if (! (run->plan->written & 1u << c))
      for (i = 0; i < width; i++)
        memcpy (out + i * pixel + c * sample, stored + i * pixel + c * sample, sample);
}

typedef struct {
  const Run *run;
  guint8 *result;
  int y;
} Pull;

static void
pull_rows (gpointer data, int first, int end, int thread)
{
  const Pull *job = data;
  const Run *run = job->run;
  Scratch *scratch = &run->scratch[thread];
  FxCodec codec = run->base.plan->codec;
  int width = get_width (&run->base.strip), row, c;
  gsize pitch = fx_rows_get_pitch (width), stride = width * fx_format_size (&codec.format);
  float *planes[FX_CHANNELS_MAX];

  codec.alpha = FX_ALPHA_STRAIGHT; /* as finish_row has made it */
  for (c = 0; c < FX_CHANNELS_MAX; c++)
    planes[c] = scratch->result + MIN (c, run->channels - 1) * pitch;
  for (row = first; row < end; row++)
    {
      sum_row (run, scratch, job->y + row);
      finish_row (run, planes);
      fx_codec_encode (&codec, planes, width, job->result + row * stride);
      if (run->stored)
        restore_row (run, job->y + row, job->result + row * stride);
    }
}

static gboolean
pull (FxRun *base, gpointer result, int y, int rows, GError **error)
{
  Run *run = (Run *) base;
  Pull job = { run, result, y };

  fx_team_run (run->team, rows, 1, pull_rows, &job);
  return TRUE;
}

const FxBackend *
convolve_get_cpu_way (const FxPlan *plan)
{
  static const FxBackend way = {
    .needs_all = needs_all,
    .get_bytes = get_bytes,
    .begin = begin,
    .push = push,
    .pull = pull,
    .end = end,
  };

  return &way;
}
