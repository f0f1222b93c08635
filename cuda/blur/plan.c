#include "plan.h"

#include <math.h>

#define REACH_MIN        4.5
#define REACH_MIN_CURVED 5.0 /* where there is a curve */
#define REACH_MAX        6.0
#define CHUNK_ROWS_MAX   128 /* a row of GIMP's tiles */
#define CHUNK_ROWS_MIN   4
#define LEAST_CHUNK_ROWS 32
#define STRIP_MIN        64

/* How far the kernel reaches, in sigmas: the mass of the tail that is cut off,
 *     Q(reach) = erfc (reach / sqrt (2)) / 2,
 * must not show in what is stored, at the worst of edges. There sRGB's curve magnifies an error at
 * a dark sample 12.92 times, and the division by the least alpha at which colour counts, 8/255, 32
 * times. The shares of a level allowed leave room for rounding. 8-bit must hit 99% of its samples,
 * also where a whole line has one value: the least reaches, where Q is 0.001 levels, see to that.
 * Others are held to 1e-5 of the range, and through a curve they reach as far as the contract's
 * reference, for the light of an HDR pixel goes with the 2.4th power of its value. */
static double
get_reach (const FxFormat *format, FxCurve curve)
{
  double magnified = (curve == FX_CURVE_NONE ? 1.0 : 12.92) * (format->channels % 2 ? 1.0 : 32.0);
  double allowed, reach;

  if (format->sample == FX_SAMPLE_U8)
    allowed = 1.0 / 32.0 / 255.0;
  else if (format->sample == FX_SAMPLE_U16)
    allowed = 0.6 / 65535.0;
  else if (curve == FX_CURVE_NONE)
    allowed = 1e-6;
  else
    return REACH_MAX;
  reach = curve == FX_CURVE_NONE ? REACH_MIN : REACH_MIN_CURVED;
  for (; reach < REACH_MAX; reach += 0.5)
    if (erfc (reach / G_SQRT2) / 2.0 * magnified <= allowed)
      break;
  return reach;
}

/* How many of its coarsest cells sigma measures at the least: as for the reach, the error of
 * multi-resolution (multires.c) must not show. At 2 that at a step is 1.2e-6: of 255 levels 0.004
 * magnified 12.92 times, so that one sample in 250 there is rounded to its neighbour, and 0.13
 * magnified 413 times; at 2.65, 1.1e-7, or 3.5e-6 divided by the least alpha; at 3, 3.9e-8, one
 * level of 65535 magnified 413 times. */
static double
get_ratio (const FxFormat *format, FxCurve curve)
{
  if (format->sample == FX_SAMPLE_U8)
    return 2.0;
  if (format->sample == FX_SAMPLE_U16)
    return 3.0;
  return curve == FX_CURVE_NONE ? 2.65 : 4.0;
}

static FxCurve
get_curve (const FxFormat *format, FxLight light)
{
  if (format->gamma && light == FX_LIGHT_LINEAR)
    return FX_CURVE_TO_LINEAR;
  if (! format->gamma && light == FX_LIGHT_PERCEPTUAL)
    return FX_CURVE_TO_PERCEPTUAL;
  return FX_CURVE_NONE;
}

static void
init_fir (BlurAxis *axis, double sigma, int radius)
{
  double sum = 1.0;
  int k;

  axis->sigma = sigma;
  axis->reach = radius;
  axis->radius = radius;
  axis->weights = g_new (float, radius + 1);
  for (k = radius; k > 0; k--) /* the small ones first */
    sum += 2.0 * exp (-0.5 * k * k / (sigma * sigma));
  axis->weights[0] = (float) (1.0 / sum);
  for (k = 1; k <= radius; k++)
    axis->weights[k] = (float) (exp (-0.5 * k * k / (sigma * sigma)) / sum);
}

/* The taps of a longer explicit kernel, and of the shortest ones, that lie beyond the most are left
 * out: in single precision they add nothing to a sum with the others. */
static void
init_axis (BlurAxis *axis, double sigma, int kernel_size, double reach, double ratio)
{
  int most = (int) (BLUR_REACH_MAX * sigma);

  if (sigma < BLUR_SIGMA_MIN)
    init_fir (axis, sigma, 0);
  else if (kernel_size > 0)
    init_fir (axis, sigma, MIN ((kernel_size - 1) / 2, most));
  else if (! blur_axis_init_multires (axis, sigma, ratio))
    init_fir (axis, sigma, MIN ((int) ceil (reach * sigma), most));
}

static gpointer
copy_floats (const float *values, int n)
{
  return g_memdup2 (values, n * sizeof (float));
}

/* Most blurs are the same along both axes. */
static void
copy_axis (BlurAxis *axis, const BlurAxis *from)
{
  int i;

  *axis = *from;
  axis->weights = copy_floats (from->weights, from->radius + 1);
  for (i = 0; i < from->n_stages; i++)
    {
      const BlurStage *stage = &from->stages[i];

      axis->stages[i].decimate = copy_floats (stage->decimate, stage->radius + 1);
      axis->stages[i].interpolate = copy_floats (stage->interpolate, stage->factor * BLUR_ORDER);
    }
}

static void
init_beyond (BlurPlan *plan)
{
  gboolean has_alpha = plan->format.channels % 2 == 0;
  float color = plan->abyss == FX_ABYSS_WHITE ? 1.0f : 0.0f;
  int c;

  for (c = 0; c < plan->format.channels; c++)
    plan->beyond[c] = color;
  if (has_alpha)
    plan->beyond[plan->format.channels - 1] = plan->abyss == FX_ABYSS_NONE ? 0.0f : 1.0f;
}

BlurPlan *
blur_plan_new (const BlurParams *params, const FxFormat *format)
{
  BlurPlan *plan = g_new0 (BlurPlan, 1);
  double reach, ratio;

  plan->users = 1;
  plan->format = *format;
  plan->curve = get_curve (format, params->light);
  plan->abyss = params->abyss;
  reach = get_reach (format, plan->curve);
  ratio = get_ratio (format, plan->curve);
  init_axis (&plan->x, params->sigma_x, params->kernel_size, reach, ratio);
  if (params->sigma_y == params->sigma_x)
    copy_axis (&plan->y, &plan->x);
  else
    init_axis (&plan->y, params->sigma_y, params->kernel_size, reach, ratio);
  init_beyond (plan);
  return plan;
}

void
blur_axis_clear (BlurAxis *axis)
{
  int i;

  for (i = 0; i < axis->n_stages; i++)
    {
      g_free (axis->stages[i].decimate);
      g_free (axis->stages[i].interpolate);
    }
  g_free (axis->weights);
}

BlurPlan *
blur_plan_ref (BlurPlan *plan)
{
  g_atomic_int_inc (&plan->users);
  return plan;
}

void
blur_plan_free (BlurPlan *plan)
{
  if (! plan || ! g_atomic_int_dec_and_test (&plan->users))
    return;
  blur_axis_clear (&plan->x);
  blur_axis_clear (&plan->y);
  g_free (plan);
}

gsize
fx_get_pitch (int width)
{
  return ((gsize) width + 63) & ~(gsize) 63;
}

/* The source that count pixels from first on need, of length there are. */
static FxSpan
get_source (const BlurAxis *axis, int first, int count, int length)
{
  int start = MAX (0, first - axis->reach);
  int end = (int) MIN ((gint64) length, (gint64) first + count + axis->reach);

  return (FxSpan) { start, end - start };
}

FxStrip
fx_layout_get_strip (const BlurPlan *plan, const FxImage *image, const FxLayout *layout, int x0)
{
  const FxRect *region = &image->region;
  int x1 = x0 + MIN (layout->strip_width, region->x + region->width - x0);
  FxSpan columns = get_source (&plan->x, x0, x1 - x0, image->width);
  FxSpan rows = get_source (&plan->y, region->y, region->height, image->height);

  return (FxStrip) {
    .width = image->width,
    .height = image->height,
    .x0 = x0,
    .x1 = x1,
    .y0 = region->y,
    .y1 = region->y + region->height,
    .source_x0 = columns.first,
    .source_x1 = columns.first + columns.count,
    .source_y0 = rows.first,
    .source_y1 = rows.first + rows.count,
    .chunk_rows = layout->chunk_rows,
  };
}

FxSpan
fx_strip_get_columns (const FxStrip *strip)
{
  return (FxSpan) { strip->source_x0, strip->source_x1 - strip->source_x0 };
}

FxSpan
fx_strip_get_rows (const FxStrip *strip)
{
  return (FxSpan) { strip->source_y0, strip->source_y1 - strip->source_y0 };
}

int
fx_strip_get_ring_rows (const BlurPlan *plan, const FxStrip *strip)
{
  return (int) MIN ((gint64) strip->source_y1 - strip->source_y0,
                    2 * (gint64) plan->y.reach + 2 * (gint64) strip->chunk_rows);
}

/* The strip in the middle of the region takes as much as any. */
static void
update_bytes (const BlurPlan *plan, const FxImage *image, FxStripBytes get_bytes, FxLayout *layout)
{
  const FxRect *region = &image->region;
  FxStrip strip = fx_layout_get_strip (plan, image, layout,
                                       region->x + (region->width - layout->strip_width) / 2);

  layout->bytes = get_bytes (plan, &strip);
}

/* Where even the smallest layout is over the limit, narrow strips may save next to nothing, for the
 * rows that multi-resolution keeps are as wide as what the strip reaches, and each strip reads all
 * of that anew: takes the widest that is not much larger. */
static FxLayout
get_least_layout (const BlurPlan *plan, const FxImage *image, FxStripBytes get_bytes,
                  FxLayout smallest)
{
  FxLayout layout = { .strip_width = image->region.width, .chunk_rows = LEAST_CHUNK_ROWS };

  update_bytes (plan, image, get_bytes, &layout);
  while (layout.bytes > smallest.bytes + smallest.bytes / 4 &&
         layout.strip_width > smallest.strip_width)
    {
      layout.strip_width = MAX (STRIP_MIN, (layout.strip_width + 1) / 2);
      update_bytes (plan, image, get_bytes, &layout);
    }
  return layout;
}

FxLayout
fx_layout_new (const BlurPlan *plan, const FxImage *image, FxStripBytes get_bytes, gsize limit)
{
  gsize row_bytes = image->region.width * fx_format_size (&plan->format);
  FxLayout layout = { .strip_width = image->region.width, .chunk_rows = CHUNK_ROWS_MAX };

  while (layout.chunk_rows > CHUNK_ROWS_MIN && layout.chunk_rows * row_bytes > FX_BAND_BYTES)
    layout.chunk_rows /= 2;
  update_bytes (plan, image, get_bytes, &layout);
  while (layout.bytes > limit && layout.chunk_rows > CHUNK_ROWS_MIN)
    {
      layout.chunk_rows /= 2;
      update_bytes (plan, image, get_bytes, &layout);
    }
  while (layout.bytes > limit && layout.strip_width > STRIP_MIN)
    {
      layout.strip_width = MAX (STRIP_MIN, (layout.strip_width + 1) / 2);
      update_bytes (plan, image, get_bytes, &layout);
    }
  return layout.bytes <= limit ? layout : get_least_layout (plan, image, get_bytes, layout);
}
