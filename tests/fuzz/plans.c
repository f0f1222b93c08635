#include "plans.h"

#include "cpu.h"
#include "error.h"
#include "gpu.h"
#include "pipeline.h"
#if HAVE_CUDA
#include "gpu-run.h"
#endif

#include <math.h>

#define LEVELS     12    /* of drafts */
#define REACH_MAX  45000 /* pixels: 9 times the largest sigma */
#define COST_MAX   1e5   /* nanoseconds a sample of what is run */
#define COLUMNS    9     /* of a small image */
#define ROWS       5
#define PIXELS_MAX ((gint64) 1 << 56) /* 70 petapixels: of more, bytes would not fit in 64 bits */

/* One byte says what most formats are; every other one is taken as it comes. */
void
plans_take_format (FuzzInput *input, FxFormat *format)
{
  guint8 kind = fuzz_take_byte (input);

  *format = (FxFormat) { .sample = (FxSample) (kind & 7),
                         .channels = (kind >> 3 & 3) + 1,
                         .gamma = kind >> 5 & 1 };
  if (kind & 64)
    fuzz_take (input, &format->trc, offsetof (FxTrc, table));
  if (kind & 128)
    {
      format->sample = (FxSample) fuzz_take_int (input);
      format->channels = fuzz_take_int (input);
    }
}

/* Layouts. */

/* first, end: as far as the numbers allow. */
static int
take_between (FuzzInput *input, int first, int last)
{
  return first + (int) ((guint32) fuzz_take_int (input) % ((guint32) last - (guint32) first + 1));
}

/* Small if a byte says so, because most images are. */
static int
take_length (FuzzInput *input)
{
  return take_between (input, 1, fuzz_take_byte (input) % 4 ? 5000 : FX_SIZE_MAX);
}

static void
take_image (FuzzInput *input, FxImage *image)
{
  FxRect *region = &image->region;

  image->width = take_length (input);
  image->height = (int) MIN (take_length (input), PIXELS_MAX / image->width);
  region->x = take_between (input, 0, image->width - 1);
  region->y = take_between (input, 0, image->height - 1);
  region->width = take_between (input, 1, image->width - region->x);
  region->height = take_between (input, 1, image->height - region->y);
  image->band_rows = fuzz_take_byte (input) % 2 ? 1 << take_between (input, 0, 30) : 0;
}

static void
check_span (int first, int end, int source_first, int source_end, int length)
{
  g_assert_true (0 <= source_first && source_first <= first);
  g_assert_true (first < end && end <= source_end && source_end <= length);
}

static void
check_strip (const FxPipelineJob *job, gconstpointer device, int x0)
{
  const FxReach *reach = &job->plan->reach;
  const FxImage *image = job->image;
  FxStrip strip = fx_layout_get_strip (&job->layout, reach, image, x0);
  gsize bytes = job->backend->get_bytes (device, job->plan, &strip);
  int rows = fx_strip_get_ring_rows (&strip, reach), y;
  gsize pixels = (gsize) strip.x1 - (gsize) strip.x0;

  check_span (strip.x0, strip.x1, strip.source_x0, strip.source_x1, image->width);
  check_span (strip.y0, strip.y1, strip.source_y0, strip.source_y1, image->height);
  g_assert_true (rows >= 1 && rows <= image->height);
  y = fx_strip_get_chunk_end (&strip, strip.y0, strip.y1);
  g_assert_true (y > strip.y0 && y <= strip.y1);
  g_assert_cmpuint (bytes, >=, pixels); /* it did not overflow */
  g_assert_cmpuint (bytes, <, (gsize) 1 << 62);
}

static void
check_layout (const FxBackend *backend, gconstpointer device, const FxPlan *plan,
              const FxImage *image, gsize limit)
{
  const FxRect *region = &image->region;
  FxLayout layout = fx_layout_new (backend, device, plan, image, FALSE, limit);
  const FxPipelineJob job = { .backend = backend, .plan = plan, .image = image, .layout = layout };
  int last = region->x + (region->width - 1) / layout.strip_width * layout.strip_width;

  g_assert_true (layout.strip_width >= 1 && layout.strip_width <= region->width);
  g_assert_true (layout.chunk_rows >= 1);
  g_assert_cmpint (layout.chunk_rows & (layout.chunk_rows - 1), ==, 0);
  check_strip (&job, device, region->x);
  check_strip (&job, device, last);
  g_assert_cmpuint (fx_pipeline_get_staging_bytes (&job), >, 0);
}

/* Drafts, programs, costs. */

static void
check_cost (const FxPlan *plan)
{
  const FxCpu cpu = { .threads = 16 };
  double cost = plan->cpu_cost;

  g_assert_true (isfinite (cost) && cost > 0.0);
  g_assert_true (isfinite (fx_cpu_get_cost (&cpu, plan, 1e18)));
}

#if HAVE_CUDA
static void
check_programs (const FxPlan *plan)
{
  const FxProgramCase what = {
    .codec = plan->codec, .plan = plan, .shared_block = 232448, .shared_processor = 233472
  };
  const FxProgram *programs[FX_PROGRAMS_MAX];
  int n = fx_gpu_path_get_programs (plan, FX_VARIANTS_BOTH, programs), i;

  g_assert_true (n >= 1 && n <= FX_PROGRAMS_MAX);
  for (i = 0; i < n; i++)
    {
      g_autofree char *text = fx_program_get_text (programs[i], &what);

      g_assert_true (g_utf8_validate (text, -1, NULL));
      g_assert_null (strstr (text, "nan"));
    }
}
#endif

static gboolean
contains (const FxRect *outer, const FxRect *inner)
{
  return outer->x <= inner->x && outer->y <= inner->y &&
         (gint64) outer->x + outer->width >= (gint64) inner->x + inner->width &&
         (gint64) outer->y + outer->height >= (gint64) inner->y + inner->height;
}

static void
check_reach (const FxReach *reach, FuzzInput *input, int most)
{
  const FxRect result = { (gint16) fuzz_take_short (input), (gint16) fuzz_take_short (input),
                          1 + fuzz_take_byte (input), 1 + fuzz_take_byte (input) };
  const FxRect source = fx_reach_get_source (reach, &result);

  g_assert_true (contains (&source, &result));
  g_assert_true (MIN (reach->left, reach->right) >= 0 && MAX (reach->left, reach->right) <= most);
  g_assert_true (MIN (reach->above, reach->below) >= 0 && MAX (reach->above, reach->below) <= most);
}

/* Blurs a small image. There is no NaN in the result. */
static void
check_run (const FxPlan *plan)
{
  FxCpu cpu = { .threads = 1, .memory = 1 << 26 };
  const FxStrip strip = { .width = COLUMNS,
                          .height = ROWS,
                          .x1 = COLUMNS,
                          .y1 = ROWS,
                          .source_x1 = COLUMNS,
                          .source_y1 = ROWS,
                          .chunk_rows = ROWS };
  double pixels[COLUMNS * ROWS * FX_CHANNELS_MAX], result[COLUMNS * ROWS * FX_CHANNELS_MAX];
  FxRun *run = fx_cpu_backend.begin (&cpu, plan, &strip, NULL);

  memset (pixels, 0x3c, sizeof pixels); /* from 0 to 1 in each format, or near it */
  g_assert_true (run && fx_cpu_backend.push (run, pixels, 0, ROWS, NULL));
  g_assert_true (fx_cpu_backend.pull (run, result, 0, ROWS, NULL));
  fx_cpu_backend.end (run);
  if (plan->codec.format.sample == FX_SAMPLE_FLOAT)
    for (int i = 0; i < COLUMNS * ROWS * plan->codec.format.channels; i++)
      g_assert_false (isnan (((float *) result)[i]));
}

static void
check_one (const FxPlan *plan, int reach_max, FuzzInput *input, const FxImage *image, gsize limit)
{
  const FxCpu cpu = { .threads = 16 };

  check_reach (&plan->reach, input, reach_max);
  if (plan->identity)
    return;
  check_cost (plan);
  check_layout (&fx_cpu_backend, &cpu, plan, image, limit);
#if HAVE_CUDA
  check_layout (&fx_gpu_backend, NULL, plan, image, limit);
  check_programs (plan);
#endif
  if (plan->cpu_cost <= COST_MAX)
    check_run (plan);
}

void
plans_check (const FxPlan *plan, FuzzInput *input)
{
  FxImage image = { .format = plan->codec.format };
  int level = 1 + fuzz_take_byte (input) % LEVELS;
  gsize limit = fuzz_take_long (input) >> fuzz_take_byte (input) % 64;
  g_autoptr (FxPlan) draft = NULL;

  take_image (input, &image);
  check_one (plan, REACH_MAX, input, &image, limit);
  if (plan->filter->get_draft)
    draft = plan->filter->get_draft (plan, level);
  if (draft)
    check_one (draft, (REACH_MAX >> level) + 2, input, &image, limit);
}
