#include "choices.h"
#include "convolve.h"
#include "filters.h"

#include <float.h>
#include <glib/gi18n-lib.h>

/* Plans. */

/* The values still belong to settings. */
static ConvolveParams
convolution_matrix_get_params (const FilterSettings *settings)
{
  const FilterMatrix *matrix = filter_settings_get_matrix (settings, 0);
  ConvolveParams params = {
    .rows = matrix->rows,
    .columns = matrix->columns,
    .values = matrix->values,
  };

  filter_settings_get_params (settings, &params);
  return params;
}

FILTER_DEFINE_CHECK (ConvolveParams, convolution_matrix_check, convolution_matrix_get_params,
                     convolve_params_check)

/* Describes the work on the device that the settings ask for, or on the GPU if it is automatic. */
static char *
describe (const FilterSettings *settings, const FxPlan *plan)
{
  const ConvolveParams params = convolution_matrix_get_params (settings);
  gboolean on_cpu = filter_settings_get_device (settings) == FX_DEVICE_CPU;
  ConvolveFacts facts;
  int passes;

  convolve_params_get_facts (&params, plan->missing ? NULL : plan, &facts);
  passes = 2 * (on_cpu ? facts.cpu_passes : facts.gpu_passes);
  if (on_cpu ? facts.cpu_fft : facts.gpu_fft)
    return g_strdup_printf (_ ("%d x %d, sum %.5g; by Fourier transform"), params.rows,
                            params.columns, facts.sum);
  if (passes > 0)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                         "%d x %d, sum %.5g; %d pass along rows and columns",
                                         "%d x %d, sum %.5g; %d passes along rows and columns",
                                         (gulong) passes),
                            params.rows, params.columns, facts.sum, passes);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d x %d, sum %.5g; one pass over %d value",
                                       "%d x %d, sum %.5g; one pass over %d values",
                                       (gulong) facts.taps),
                          params.rows, params.columns, facts.sum, facts.taps);
}

static FxPlan *
convolution_matrix_make_plan (const FilterSettings *settings, const FxFormat *format,
                              const FxGeometry *geometry, gboolean coverage)
{
  const ConvolveParams params = convolution_matrix_get_params (settings);

  return convolve_plan_new (&params, format, NULL);
}

/* Properties. */

static const double sharpen[] = { 0.0, -1.0, 0.0, -1.0, 5.0, -1.0, 0.0, -1.0, 0.0 };

static const FilterMatrix initial_matrix = { 3, 3, 9, sharpen };

static const FilterChoice channels[] = {
  { "red", N_ ("R_ed") },
  { "green", N_ ("_Green") },
  { "blue", N_ ("_Blue") },
  { "alpha", N_ ("A_lpha") },
  { NULL },
};

static const FilterChoice weightings[] = {
  [CONVOLVE_ALPHA_AUTOMATIC] = { "auto", N_ ("Automatic") },
  [CONVOLVE_ALPHA_PREMULTIPLIED] = { "premultiplied", N_ ("Premultiplied") },
  [CONVOLVE_ALPHA_STRAIGHT] = { "straight", N_ ("Straight") },
  { NULL },
};

static const FilterProperty properties[] = {
  { .name = "values",
    .type = FILTER_MATRIX,
    .minimum = 1,
    .maximum = CONVOLVE_SIZE_MAX,
    .matrix = &initial_matrix,
    .label = N_ ("_Matrix:"),
    .tooltip = N_ ("Rows of numbers, an odd number of each up to 1023: type or paste them, "
                   "separated by blanks, commas or semicolons"),
    .traced = "matrix ",
    .gegl = { .nick = N_ (
                "Matrix (to edit in cells: Filters > Generic > Matrix Designer, if installed)") } },
  { .name = "divisor",
    .type = FILTER_TYPE_OF (ConvolveParams, divisor),
    .minimum = -FLT_MAX,
    .maximum = FLT_MAX,
    .label = N_ ("D_ivisor:"),
    .tooltip = N_ ("What the values are divided by; 0 stands for their sum, or for 1 if that is 0"),
    .gegl = { .ui_minimum = -100.0, .ui_maximum = 100.0 } },
  { .name = "offset",
    .type = FILTER_TYPE_OF (ConvolveParams, offset),
    .minimum = -FLT_MAX,
    .maximum = FLT_MAX,
    .label = N_ ("O_ffset:"),
    .tooltip = N_ ("What is added to the result; 1 is white"),
    .gegl = { .ui_minimum = -1.0, .ui_maximum = 1.0 } },
  { .name = "channels",
    .type = FILTER_WHOLE_NUMBER,
    .place = FILTER_PLACE (ConvolveParams, channels),
    .maximum = CONVOLVE_CHANNELS_ALL,
    .bits = channels,
    .label = N_ ("Channels:"),
    .tooltip = N_ ("Which channels are changed"),
    .automatic = { .label = N_ ("A_utomatic"),
                   .tooltip = N_ ("All, but alpha only if the sum of the values is not 0") } },
  { .name = "alpha-weighting",
    .type = FILTER_TYPE_OF (ConvolveParams, alpha),
    .choices = weightings,
    .initial = CONVOLVE_ALPHA_AUTOMATIC,
    .label = N_ ("Alpha _weighting:"),
    .tooltip = N_ ("Premultiplied weights colour by its alpha, straight does not; automatic is "
                   "straight if the sum of the values is 0") },
  CHOICES_ABYSS_PROPERTY (ConvolveParams, NULL, N_ ("Ab_yss policy:")),
  CHOICES_LIGHT_PROPERTY (
    ConvolveParams, N_ ("Ligh_t:"),
    N_ ("Linear convolves light, as a lens does; perceptual convolves the values of sRGB")),
  CHOICES_DEVICE_PROPERTY,
};

const FilterDescription convolution_matrix = {
  FILTER_NAMES ("convolve"),
  .title = N_ ("Convolution Matrix (CUDA)"),
  .menu_label = N_ ("Convolution Matrix (_CUDA)..."),
  .menu_path = "<Image>/Filters/Generic",
  .blurb = N_ ("Convolve with any matrix (kernel), on the GPU or the CPU"),
  .help = "Puts in place of each pixel the sum of the pixels around it, each multiplied by its "
          "value of the matrix, divided by the divisor, plus the offset: a matrix of any odd size "
          "up to 1023 x 1023, on an NVIDIA GPU through CUDA; without one it gives the same pixels, "
          "to within rounding, on the CPU.",
  .properties = properties,
  .n_properties = G_N_ELEMENTS (properties),
  .check = convolution_matrix_check,
  .describe = describe,
  .make_plan = convolution_matrix_make_plan,
};
