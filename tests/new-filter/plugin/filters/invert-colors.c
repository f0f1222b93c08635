#include "choices.h"
#include "filters.h"
#include "invert.h"

FILTER_DEFINE_GET_PARAMS (InvertParams, invert_colors_get_params)
FILTER_DEFINE_CHECK (InvertParams, invert_colors_check, invert_colors_get_params,
                     invert_params_check)

static FxPlan *
invert_colors_make_plan (const FilterSettings *settings, const FxFormat *format,
                         const FxGeometry *geometry, gboolean coverage)
{
  const InvertParams params = invert_colors_get_params (settings);

  return invert_plan_new (&params, format, NULL);
}

static const FilterProperty properties[] = {
  { .name = "amount",
    .type = FILTER_TYPE_OF (InvertParams, amount),
    .maximum = 1.0,
    .initial = 1.0,
    .label = N_ ("A_mount:"),
    .tooltip = N_ ("How much of the inverted image to mix in"),
    .traced = "amount " },
  CHOICES_LIGHT_PROPERTY (InvertParams, N_ ("_Light:"),
                          N_ ("Linear inverts light; perceptual inverts the values of sRGB")),
  CHOICES_DEVICE_PROPERTY,
};

const FilterDescription invert_colors = {
  FILTER_NAMES ("invert"),
  .title = N_ ("Invert Colors (CUDA)"),
  .menu_label = N_ ("Invert Colors (_CUDA)..."),
  .menu_path = "<Image>/Filters/Generic",
  .blurb = N_ ("Invert colors on an NVIDIA GPU"),
  .help = "Mixes each colour with its inverse.",
  .properties = properties,
  .n_properties = G_N_ELEMENTS (properties),
  .check = invert_colors_check,
  .make_plan = invert_colors_make_plan,
};
