#include "plan.h"

#include <math.h>

#define REACH_MIN      4.5
#define REACH_MAX      6.0
#define CHUNK_ROWS_MAX 256
#define CHUNK_ROWS_MIN 4
#define CHUNK_BYTES    (16u << 20)
#define STRIP_MIN      64

/* How far the kernel reaches, in sigmas: the mass of the tail that is cut off,
 *     Q(reach) = erfc (reach / sqrt (2)) / 2,
 * must not show in what is stored, at the worst of edges. There sRGB's curve magnifies an error at a
 * dark sample 12.92 times, and the division by the least alpha at which colour counts, 8/255, 32
 * times. The shares of a level allowed leave room for rounding. 8-bit must hit 99% of its samples, also
 * where a whole line has one value: REACH_MIN, where Q is 0.001 levels, sees to that.
 * Others reach as far as the contract's reference, for the light of an HDR pixel goes with the 2.4th
 * power of its value. */
static double
get_reach (const BlurFormat *format, BlurCurve curve)
{
  double magnified = (curve == BLUR_CURVE_NONE ? 1.0 : 12.92) * (format->channels % 2 ? 1.0 : 32.0);
  double allowed, reach;

  if (format->sample == BLUR_SAMPLE_U8)
    allowed = 1.0 / 32.0 / 255.0;
  else if (format->sample == BLUR_SAMPLE_U16)
    allowed = 0.6 / 65535.0;
  else
    return REACH_MAX;
  for (reach = REACH_MIN; reach < REACH_MAX; reach += 0.5)
    if (erfc (reach / G_SQRT2) / 2.0 * magnified <= allowed)
      break;
  return reach;
}

static BlurCurve
get_curve (const BlurFormat *format, BlurLight light)
{
  if (format->gamma && light == BLUR_LIGHT_LINEAR)
    return BLUR_CURVE_TO_LINEAR;
  if (! format->gamma && light == BLUR_LIGHT_PERCEPTUAL)
    return BLUR_CURVE_TO_PERCEPTUAL;
  return BLUR_CURVE_NONE;
}

static int
get_radius (double sigma, int kernel_size, double reach)
{
  if (sigma < BLUR_SIGMA_MIN)
    return 0;
  if (kernel_size > 0)
    return (kernel_size - 1) / 2;
  return (int) ceil (reach * sigma);
}

static void
init_axis (BlurAxis *axis, double sigma, int radius)
{
  double sum = 1.0;
  int k;

  axis->sigma = sigma;
  axis->radius = radius;
  axis->weights = g_new (float, radius + 1);
  for (k = radius; k > 0; k--) /* the small ones first */
    sum += 2.0 * exp (-0.5 * k * k / (sigma * sigma));
  axis->weights[0] = (float) (1.0 / sum);
  for (k = 1; k <= radius; k++)
    axis->weights[k] = (float) (exp (-0.5 * k * k / (sigma * sigma)) / sum);
}

static void
init_beyond (BlurPlan *plan)
{
  gboolean has_alpha = plan->format.channels % 2 == 0;
  float color = plan->abyss == BLUR_ABYSS_WHITE ? 1.0f : 0.0f;
  int c;

  for (c = 0; c < plan->format.channels; c++)
    plan->beyond[c] = color;
  if (has_alpha)
    plan->beyond[plan->format.channels - 1] = plan->abyss == BLUR_ABYSS_NONE ? 0.0f : 1.0f;
}

BlurPlan *
blur_plan_new (const BlurParams *params, const BlurFormat *format)
{
  BlurPlan *plan = g_new0 (BlurPlan, 1);
  double reach;

  plan->format = *format;
  plan->curve = get_curve (format, params->light);
  plan->abyss = params->abyss;
  reach = get_reach (format, plan->curve);
  init_axis (&plan->x, params->sigma_x, get_radius (params->sigma_x, params->kernel_size, reach));
  init_axis (&plan->y, params->sigma_y, get_radius (params->sigma_y, params->kernel_size, reach));
  init_beyond (plan);
  return plan;
}

void
blur_plan_free (BlurPlan *plan)
{
  if (! plan)
    return;
  g_free (plan->x.weights);
  g_free (plan->y.weights);
  g_free (plan);
}

gsize
blur_plan_get_pitch (int width)
{
  return ((gsize) width + 63) & ~(gsize) 63;
}

/* Rows that the ring must hold at once: what one chunk of the result reaches, and the rest of the
 * source chunk that it ends in. Never more than the region needs altogether. */
static int
get_ring_rows (const BlurPlan *plan, const BlurImage *image, int chunk_rows)
{
  gint64 top = MAX (0, (gint64) image->region.y - plan->y.radius);
  gint64 bottom = MIN ((gint64) image->height,
                       (gint64) image->region.y + image->region.height + plan->y.radius);

  return (int) MIN (bottom - top, 2 * (gint64) plan->y.radius + 2 * (gint64) chunk_rows);
}

static gsize
get_bytes (const BlurPlan *plan, const BlurImage *image, const BlurLayout *layout)
{
  gsize source_width = MIN ((gsize) image->width, layout->strip_width + 2 * (gsize) plan->x.radius);
  gsize pixel = blur_format_size (&plan->format);

  return layout->ring_rows * blur_plan_get_pitch (layout->strip_width) * plan->format.channels *
           sizeof (float) +
         layout->chunk_rows * (source_width + layout->strip_width) * pixel;
}

static void
set_chunk_rows (const BlurPlan *plan, const BlurImage *image, BlurLayout *layout, int rows)
{
  layout->chunk_rows = rows;
  layout->ring_rows = get_ring_rows (plan, image, rows);
  layout->bytes = get_bytes (plan, image, layout);
}

BlurLayout
blur_plan_get_layout (const BlurPlan *plan, const BlurImage *image, gsize limit)
{
  gsize row_bytes = image->width * blur_format_size (&plan->format);
  BlurLayout layout = { .strip_width = image->region.width };
  int rows = CHUNK_ROWS_MAX;

  while (rows > CHUNK_ROWS_MIN && rows * row_bytes > CHUNK_BYTES)
    rows /= 2;
  set_chunk_rows (plan, image, &layout, rows);
  while (layout.bytes > limit && layout.chunk_rows > CHUNK_ROWS_MIN)
    set_chunk_rows (plan, image, &layout, layout.chunk_rows / 2);
  while (layout.bytes > limit && layout.strip_width > STRIP_MIN)
    {
      layout.strip_width = MAX (STRIP_MIN, (layout.strip_width + 1) / 2);
      set_chunk_rows (plan, image, &layout, layout.chunk_rows);
    }
  return layout;
}

BlurStrip
blur_plan_get_strip (const BlurPlan *plan, const BlurImage *image, const BlurLayout *layout, int x0)
{
  int x1 = MIN (x0 + layout->strip_width, image->region.x + image->region.width);

  return (BlurStrip) {
    .width = image->width,
    .height = image->height,
    .x0 = x0,
    .x1 = x1,
    .source_x0 = MAX (0, x0 - plan->x.radius),
    .source_x1 = (int) MIN ((gint64) image->width, (gint64) x1 + plan->x.radius),
    .chunk_rows = layout->chunk_rows,
    .ring_rows = layout->ring_rows,
  };
}
