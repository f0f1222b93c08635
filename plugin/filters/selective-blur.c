#include "choices.h"
#include "filters.h"
#include "selective.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Plans. */

static SelectiveParams
selective_blur_get_params (const FilterSettings *settings)
{
  SelectiveParams params = { 0 };

  filter_settings_get_params (settings, &params);
  params.radius = selective_params_get_radius (params.sigma);
  return params;
}

FILTER_DEFINE_CHECK (SelectiveParams, selective_blur_check, selective_blur_get_params,
                     selective_params_check)

static FxPlan *
selective_blur_make_plan (const FilterSettings *settings, const FxFormat *format,
                          const FxGeometry *geometry, gboolean coverage)
{
  SelectiveParams params = selective_blur_get_params (settings);

  params.coverage = coverage;
  return selective_plan_new (&params, format, NULL);
}

/* Properties. */

static const FilterChoice edges[] = {
  [SELECTIVE_HARD] = { "hard", N_ ("Hard") },
  [SELECTIVE_SOFT] = { "soft", N_ ("Soft") },
  { NULL },
};

static const FilterProperty properties[] = {
  { .name = "sigma",
    .type = FILTER_TYPE_OF (SelectiveParams, sigma),
    .maximum = SELECTIVE_SIGMA_MAX,
    .initial = 3.0,
    .slider = { .digits = 2, .step = 0.1, .bend = 0.02 },
    .label = N_ ("Si_gma:"),
    .tooltip = N_ ("How strong the blur is: the standard deviation in pixels; it reaches three "
                   "times as far, and 0 changes nothing"),
    .traced = "sigma ",
    .gegl = { .ui_maximum = 20.0, .ui_gamma = 2.0, .keys = "unit=pixel-distance" } },
  { .name = "delta",
    .type = FILTER_TYPE_OF (SelectiveParams, delta),
    .maximum = 1.0,
    .initial = 0.1,
    .slider = { .digits = 3, .step = 0.01 },
    .label = N_ ("Del_ta:"),
    .tooltip = N_ ("How much pixels may differ to be mixed: edges that are stronger stay sharp; 1 "
                   "is the difference between black and white"),
    .traced = " delta ",
    .gegl = { .ui_maximum = 0.5 } },
  { .name = "edges",
    .type = FILTER_TYPE_OF (SelectiveParams, edges),
    .choices = edges,
    .initial = SELECTIVE_SOFT,
    .label = N_ ("_Edges:"),
    .tooltip = N_ ("Hard mixes only what differs by at most Delta, each channel by itself; soft "
                   "lets colours count less the more they differ (bilateral filter)"),
    .traced = " edges " },
  CHOICES_SHORT_ABYSS_PROPERTY (SelectiveParams),
  { .name = "light",
    .type = FILTER_TYPE_OF (SelectiveParams, light),
    .role = FILTER_ROLE_LIGHT,
    .choices = choices_light,
    .initial = FX_LIGHT_PERCEPTUAL,
    .label = N_ ("_Light:"),
    .tooltip = N_ ("Perceptual averages the values of sRGB, linear averages light; perceptual "
                   "values are compared in both") },
  CHOICES_DEVICE_PROPERTY,
};

static const FilterPreset presets[] = {
  { N_ ("Skin"), "sigma=6 delta=0.08 edges=soft" },
  { N_ ("Noise"), "sigma=2 delta=0.06 edges=soft" },
  { N_ ("Scan"), "sigma=2.5 delta=0.2 edges=hard" },
  { N_ ("Poster"), "sigma=12 delta=0.15 edges=hard" },
  { NULL },
};

/* The operation. */

/* GEGL's weights are exp (-0.5 d^2 / blur-radius). */
static double
convert_radius (double radius, const FxGeometry *box)
{
  return sqrt (radius);
}

/* GEGL's window has as many pixels on each side as blur-radius has whole ones. Those beyond 6 sigma
 * are left out: their weights are 1.5e-8 of the middle's and less, which single precision, in which
 * GEGL sums them, does not hold beside that. */
static FxPlan *
make_taken_plan (const FilterSettings *settings, const FxFormat *format)
{
  SelectiveParams params = selective_blur_get_params (settings);
  double sigma = params.sigma;
  double radius = sigma * sigma * (1.0 + 1e-15); /* not below the one that sigma is the root of */

  params.radius = (int) MIN (radius, ceil (6.0 * sigma));
  params.edges = SELECTIVE_HARD;
  params.abyss = FX_ABYSS_CLAMP;
  params.light = FX_LIGHT_PERCEPTUAL;
  return selective_plan_new (&params, format, NULL);
}

static const TakeOverProperty taken_properties[] = {
  { "blur-radius", "sigma", convert_radius },
  { "max-delta", "delta" },
  { NULL },
};

static const TakeOver take_overs[] = {
  { "gegl:gaussian-blur-selective", taken_properties, .make_plan = make_taken_plan },
  { NULL },
};

const FilterDescription selective_blur = {
  FILTER_NAMES ("selective-blur"),
  .title = N_ ("Selective Gaussian Blur (CUDA)"),
  .menu_label = N_ ("Selective Gaussian Blur (_CUDA)..."),
  .menu_path = "<Image>/Filters/Blur",
  .blurb = N_ ("Smooth skin, noise and scans, and keep edges sharp, on the GPU or the CPU"),
  .help = "Averages each pixel with those around it that differ little from it, with the weights "
          "of a Gaussian, on an NVIDIA GPU through CUDA; without one it gives the same pixels, to "
          "within rounding, on the CPU. Alpha stays as it is.",
  .properties = properties,
  .n_properties = G_N_ELEMENTS (properties),
  .presets = presets,
  .check = selective_blur_check,
  .make_plan = selective_blur_make_plan,
  .take_overs = take_overs,
};
