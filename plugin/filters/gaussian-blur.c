#include "blur.h"
#include "choices.h"
#include "filters.h"

#include <glib/gi18n-lib.h>

#define NAME "cuda-gaussian-blur"

/* Of the sliders, in pixels. */
#define END  300.0 /* their last value */
#define BEND 0.1   /* where they turn from linear to logarithmic */
#define SLIDER                                                   \
  {                                                              \
    .digits = 2, .end = END / BLUR_SIGMA_MAX, .bend = BEND / END \
  }

enum { SIGMA_X, SIGMA_Y, KERNEL_SIZE, ABYSS, LIGHT, GROW, DEVICE, PROPERTIES };

/* Plans. */

static BlurParams
gaussian_blur_get_params (const FilterSettings *settings)
{
  return (BlurParams) {
    .sigma_x = filter_settings_get (settings, SIGMA_X),
    .sigma_y = filter_settings_get (settings, SIGMA_Y),
    .kernel_size = filter_settings_get_int (settings, KERNEL_SIZE),
    .abyss = (FxAbyss) filter_settings_get_int (settings, ABYSS),
    .light = (FxLight) filter_settings_get_int (settings, LIGHT),
  };
}

static gboolean
gaussian_blur_check (const FilterSettings *settings, GError **error)
{
  const BlurParams params = gaussian_blur_get_params (settings);

  return blur_params_check (&params, error);
}

static void
gaussian_blur_get_growth (const FilterSettings *settings, const FxGeometry *geometry, int *x,
                          int *y)
{
  const BlurParams params = gaussian_blur_get_params (settings);

  blur_params_get_growth (&params, x, y);
}

/* A mask's or a channel's values are no light. Their format is linear, so that linear light
 * converts nothing. */
static FxPlan *
gaussian_blur_make_plan (const FilterSettings *settings, const FxFormat *format,
                         const FxGeometry *geometry, gboolean coverage)
{
  BlurParams params = gaussian_blur_get_params (settings);

  if (coverage)
    params.light = FX_LIGHT_LINEAR;
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

static const FilterProperty properties[PROPERTIES] = {
  [SIGMA_X] = { .name = "sigma-x",
                .operation_name = "std-dev-x",
                .type = FILTER_NUMBER,
                .pair = TRUE,
                .maximum = BLUR_SIGMA_MAX,
                .initial = 3.0,
                .slider = SLIDER,
                .label = N_ ("Size _X:"),
                .tooltip = N_ ("Horizontal standard deviation; 0 leaves this axis alone"),
                .traced = "sigma " },
  [SIGMA_Y] = { .name = "sigma-y",
                .operation_name = "std-dev-y",
                .type = FILTER_NUMBER,
                .maximum = BLUR_SIGMA_MAX,
                .initial = 3.0,
                .slider = SLIDER,
                .label = N_ ("Size _Y:"),
                .tooltip = N_ ("Vertical standard deviation; 0 leaves this axis alone"),
                .traced = " " },
  [KERNEL_SIZE] = { .name = "kernel-size",
                    .type = FILTER_WHOLE_NUMBER,
                    .last = TRUE,
                    .maximum = BLUR_KERNEL_SIZE_MAX,
                    .label = N_ ("_Kernel size:"),
                    .tooltip = N_ ("Width of the kernel on each axis in pixels, an odd number: the "
                                   "Gaussian is cut off there"),
                    .automatic = { .get = get_needed_size,
                                   .label = N_ ("A_utomatic"),
                                   .tooltip = N_ ("As many pixels as sigma needs"),
                                   .step = 2 } },
  [ABYSS] = CHOICES_ABYSS_PROPERTY ("abyss-policy", N_ ("A_byss policy:")),
  [LIGHT] = CHOICES_LIGHT_PROPERTY (
    N_ ("_Light:"), N_ ("Linear averages light, as a lens does; perceptual averages the "
                        "values of sRGB")),
  [GROW] = CHOICES_GROW_PROPERTY (N_ ("_Grow layer")),
  [DEVICE] = CHOICES_DEVICE_PROPERTY,
};

const FilterDescription gaussian_blur = {
  .name = NAME,
  .procedure = "plug-in-" NAME,
  .operation = "cuda:gaussian-blur",
  .title = N_ ("Gaussian Blur (CUDA)"),
  .menu_label = N_ ("Gaussian Blur (_CUDA)..."),
  .menu_path = "<Image>/Filters/Blur",
  .blurb = N_ ("Blur with a Gaussian, on the GPU or the CPU"),
  .help = "Convolves the drawable with the sampled, normalised Gaussian, in premultiplied alpha, "
          "on an NVIDIA GPU through CUDA; without one it gives the same pixels, to within "
          "rounding, on the CPU.",
  .properties = properties,
  .n_properties = PROPERTIES,
  .check = gaussian_blur_check,
  .get_growth = gaussian_blur_get_growth,
  .make_plan = gaussian_blur_make_plan,
};
