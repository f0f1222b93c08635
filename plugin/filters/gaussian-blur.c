#include "blur.h"
#include "choices.h"
#include "filters.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The sliders' range, in pixels. */
#define END  300.0 /* their last value */
#define BEND 0.1   /* where they turn from linear to logarithmic */
#define SLIDER                                                   \
  {                                                              \
    .digits = 2, .end = END / BLUR_SIGMA_MAX, .bend = BEND / END \
  }

/* Of GIMP's own dialog. Sigma has no unit there: with one, and an axis, GIMP ends the slider at the
 * layer's size, and makes it linear. */
#define GEGL_SLIDER(axis_key)                                                  \
  {                                                                            \
    .ui_minimum = 0.24, .ui_maximum = END, .ui_gamma = 3.0, .keys = (axis_key) \
  }

/* Plans. */

FILTER_DEFINE_GET_PARAMS (BlurParams, gaussian_blur_get_params)
FILTER_DEFINE_CHECK (BlurParams, gaussian_blur_check, gaussian_blur_get_params, blur_params_check)
FILTER_DEFINE_GET_GROWTH (BlurParams, gaussian_blur_get_growth, gaussian_blur_get_params,
                          blur_params_get_growth)

static FxPlan *
gaussian_blur_make_plan (const FilterSettings *settings, const FxFormat *format,
                         const FxGeometry *geometry, gboolean coverage)
{
  const BlurParams params = gaussian_blur_get_params (settings);

  return blur_plan_new (&params, format, NULL);
}

/* Returns the size that sigma needs, at least 3. */
static int
get_needed_size (const FilterSettings *settings)
{
  BlurParams params = gaussian_blur_get_params (settings);
  int x, y;

  params.kernel_size = 0;
  blur_params_get_growth (&params, &x, &y);
  return CLAMP (2 * MAX (x, y) + 1, 3, BLUR_KERNEL_SIZE_MAX);
}

/* Properties. */

static const FilterProperty properties[] = {
  { .name = "sigma-x",
    .operation_name = "std-dev-x",
    .type = FILTER_TYPE_OF (BlurParams, sigma_x),
    .pair = TRUE,
    .maximum = BLUR_SIGMA_MAX,
    .initial = 3.0,
    .slider = SLIDER,
    .label = N_ ("Size _X:"),
    .tooltip = N_ ("Horizontal standard deviation; 0 leaves this axis alone"),
    .traced = "sigma ",
    .gegl = GEGL_SLIDER ("axis=x") },
  { .name = "sigma-y",
    .operation_name = "std-dev-y",
    .type = FILTER_TYPE_OF (BlurParams, sigma_y),
    .maximum = BLUR_SIGMA_MAX,
    .initial = 3.0,
    .slider = SLIDER,
    .label = N_ ("Size _Y:"),
    .tooltip = N_ ("Vertical standard deviation; 0 leaves this axis alone"),
    .traced = " ",
    .gegl = GEGL_SLIDER ("axis=y") },
  { .name = "kernel-size",
    .type = FILTER_TYPE_OF (BlurParams, kernel_size),
    .last = TRUE,
    .maximum = BLUR_KERNEL_SIZE_MAX,
    .label = N_ ("_Kernel size:"),
    .tooltip = N_ (
      "Width of the kernel on each axis in pixels, an odd number: the Gaussian is cut off there"),
    .automatic = { .get = get_needed_size,
                   .label = N_ ("A_utomatic"),
                   .tooltip = N_ ("As many pixels as sigma needs"),
                   .step = 2 },
    .gegl = { .ui_maximum = 101.0, .nick = N_ ("Kernel size (0: automatic)") } },
  CHOICES_ABYSS_PROPERTY (BlurParams, "abyss-policy", N_ ("A_byss policy:")),
  CHOICES_AVERAGED_LIGHT_PROPERTY (BlurParams),
  CHOICES_GROW_PROPERTY (N_ ("_Grow layer")),
  CHOICES_DEVICE_PROPERTY,
};

/* The operation. */

/* Returns the growth of gegl:gaussian-blur: half the length of its FIR, with sigma rounded to a
 * float as there. An explicit kernel size gives half of that size. */
static int
get_axis_growth (double sigma, int size)
{
  float value = (float) sigma;

  if (value <= 1e-5)
    return 0;
  return (size > 0 ? size : (int) ceil (value * 6.5)) / 2;
}

static void
get_operation_growth (const FilterSettings *settings, const FxGeometry *geometry, int *x, int *y)
{
  const BlurParams params = gaussian_blur_get_params (settings);

  *x = get_axis_growth (params.sigma_x, params.kernel_size);
  *y = get_axis_growth (params.sigma_y, params.kernel_size);
}

/* All but "filter", which chooses between two that are less exact. */
static const TakeOverProperty taken_properties[] = {
  { "std-dev-x" }, { "std-dev-y" }, { "abyss-policy" }, { "clip-extent" }, { NULL },
};

static const TakeOver take_overs[] = {
  { "gegl:gaussian-blur", taken_properties },
  { NULL },
};

const FilterDescription gaussian_blur = {
  FILTER_NAMES ("gaussian-blur"),
  .title = N_ ("Gaussian Blur (CUDA)"),
  .menu_label = N_ ("Gaussian Blur (_CUDA)..."),
  .menu_path = "<Image>/Filters/Blur",
  .blurb = N_ ("Blur with a Gaussian, on the GPU or the CPU"),
  .help = "Convolves the drawable with the sampled, normalised Gaussian, in premultiplied alpha, "
          "on an NVIDIA GPU through CUDA; without one it gives the same pixels, to within "
          "rounding, on the CPU.",
  .properties = properties,
  .n_properties = G_N_ELEMENTS (properties),
  .check = gaussian_blur_check,
  .get_growth = gaussian_blur_get_growth,
  .make_plan = gaussian_blur_make_plan,
  .get_operation_growth = get_operation_growth,
  .take_overs = take_overs,
};
