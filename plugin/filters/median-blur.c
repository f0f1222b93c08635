#include "choices.h"
#include "filters.h"
#include "median.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>

/* The slider's, in parts of the range: from 0 to 100 pixels. */
#define START 0.5
#define END   0.625

/* Plans. */

FILTER_DEFINE_GET_PARAMS (MedianParams, median_blur_get_params)
FILTER_DEFINE_CHECK (MedianParams, median_blur_check, median_blur_get_params, median_params_check)

static void
median_blur_get_growth (const FilterSettings *settings, const FxGeometry *geometry, int *x, int *y)
{
  *x = *y = abs (median_blur_get_params (settings).radius);
}

static FxPlan *
median_blur_make_plan (const FilterSettings *settings, const FxFormat *format,
                       const FxGeometry *geometry, gboolean coverage)
{
  MedianParams params = median_blur_get_params (settings);

  params.coverage = coverage;
  return median_plan_new (&params, format, NULL);
}

/* Properties. */

static const FilterChoice neighborhoods[] = {
  [MEDIAN_SQUARE] = { "square", N_ ("Square") },
  [MEDIAN_CIRCLE] = { "circle", N_ ("Circle") },
  [MEDIAN_DIAMOND] = { "diamond", N_ ("Diamond") },
  { NULL },
};

static const FilterProperty properties[] = {
  { .name = "neighborhood",
    .type = FILTER_TYPE_OF (MedianParams, neighborhood),
    .choices = neighborhoods,
    .initial = MEDIAN_CIRCLE,
    .label = N_ ("_Neighborhood:"),
    .tooltip = N_ ("The shape of the window: which pixels around each one are put in order") },
  { .name = "radius",
    .type = FILTER_TYPE_OF (MedianParams, radius),
    .minimum = -MEDIAN_RADIUS_MAX,
    .maximum = MEDIAN_RADIUS_MAX,
    .initial = 3.0,
    .slider = { .step = 1.0, .start = START, .end = END, .bend = 0.1 },
    .label = N_ ("Radi_us:"),
    .tooltip = N_ ("How many pixels the window reaches to each side; 0 changes nothing, and below "
                   "0 the percentiles count from the brightest down"),
    .traced = "radius ",
    .gegl = { .ui_maximum = 100.0, .keys = "unit=pixel-distance" } },
  { .name = "percentile",
    .type = FILTER_TYPE_OF (MedianParams, percentile),
    .maximum = 100.0,
    .initial = 50.0,
    .slider = { .digits = 1, .step = 1.0 },
    .label = N_ ("Percen_tile:"),
    .tooltip = N_ ("Which of the window's values each channel takes: 0 is the darkest, 50 the one "
                   "in the middle (the median), 100 the brightest"),
    .traced = " percentile " },
  { .name = "alpha-percentile",
    .type = FILTER_TYPE_OF (MedianParams, alpha_percentile),
    .maximum = 100.0,
    .initial = 50.0,
    .slider = { .digits = 1, .step = 1.0 },
    .label = N_ ("A_lpha percentile:"),
    .tooltip = N_ ("The same of alpha: 0 is the most transparent, 100 the most opaque") },
  { .name = "threshold",
    .type = FILTER_TYPE_OF (MedianParams, threshold),
    .maximum = 1.0,
    .slider = { .digits = 3, .step = 0.01 },
    .label = N_ ("Thr_eshold:"),
    .tooltip = N_ ("A pixel's colour changes only if it would change by more than this, so that "
                   "grain and fine detail stay; 1 is the difference between black and white"),
    .traced = " threshold ",
    .gegl = { .ui_maximum = 0.5 } },
  CHOICES_SHORT_ABYSS_PROPERTY (MedianParams),
  CHOICES_GROW_PROPERTY (N_ ("Gro_w layer")),
  CHOICES_DEVICE_PROPERTY,
};

static const FilterPreset presets[] = {
  { N_ ("Dust and scratches"), "radius=5 percentile=50 threshold=0.15" },
  { N_ ("Hot pixels"), "radius=2 percentile=50 threshold=0.2" },
  { N_ ("Flat colours"), "radius=12 percentile=50 threshold=0" },
  { NULL },
};

/* The operation. */

/* GEGL's has the ranks of 8-bit samples, whatever their type, but high-precision, and even then if
 * that is their type. It weighs by alpha as a float, by which two of 16 bits count otherwise. A
 * radius of 0 takes the colour of transparent pixels there. */
static gboolean
has_same_samples (const FilterSettings *settings, const FxFormat *format, gboolean precise)
{
  if (median_blur_get_params (settings).radius == 0)
    return FALSE;
  switch (format->sample)
    {
    case FX_SAMPLE_U8:
      return TRUE;
    case FX_SAMPLE_U16:
      return precise && ! fx_format_has_alpha (format);
    case FX_SAMPLE_HALF:
    case FX_SAMPLE_FLOAT:
      return precise;
    default: /* these have more digits than GEGL's floats */
      return FALSE;
    }
}

static const TakeOverProperty taken_properties[] = {
  { "neighborhood" },     { "radius" },       { "percentile" },
  { "alpha-percentile" }, { "abyss-policy" }, { NULL },
};

static const TakeOver take_overs[] = {
  { "gegl:median-blur", taken_properties, .has_same_samples = has_same_samples,
    .precise = "high-precision" },
  { NULL },
};

const FilterDescription median_blur = {
  FILTER_NAMES ("median-blur"),
  .title = N_ ("Median Blur (CUDA)"),
  .menu_label = N_ ("Median Blur (_CUDA)..."),
  .menu_path = "<Image>/Filters/Blur",
  .blurb = N_ ("Take away dust, scratches and hot pixels, or make colours flat, on the GPU or the "
               "CPU"),
  .help = "Puts the values of the pixels around each one in order, and takes the one in the "
          "middle, or at another percentile, on an NVIDIA GPU through CUDA; without one it gives "
          "the same pixels on the CPU. Colours count by their alpha.",
  .properties = properties,
  .n_properties = G_N_ELEMENTS (properties),
  .presets = presets,
  .check = median_blur_check,
  .get_growth = median_blur_get_growth,
  .make_plan = median_blur_make_plan,
  .take_overs = take_overs,
};
