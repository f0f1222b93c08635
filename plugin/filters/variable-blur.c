#include "filters.h"
#include "focus-blur.h"
#include "variable.h"

#include <glib/gi18n-lib.h>

static VariableParams
variable_blur_get_params (const FilterSettings *settings)
{
  VariableParams params = { 0 };

  filter_settings_get_params (settings, &params);
  params.radius = focus_blur_limit_strength (params.kind, params.radius);
  return params;
}

FILTER_DEFINE_CHECK (VariableParams, variable_blur_check, variable_blur_get_params,
                     variable_params_check)
FILTER_DEFINE_GET_GROWTH (VariableParams, variable_blur_get_growth, variable_blur_get_params,
                          variable_params_get_growth)

static FxPlan *
variable_blur_make_plan (const FilterSettings *settings, const FxFormat *format,
                         const FxGeometry *geometry, gboolean coverage)
{
  const VariableParams params = variable_blur_get_params (settings);
  const FilterMap *from = filter_settings_get_map (settings);
  VariableMap map;

  if (from)
    map = (VariableMap) { from->values, from->width, from->height, from->x, from->y };
  return variable_plan_new (&params, from ? &map : NULL, format, NULL);
}

static const FilterProperty properties[] = {
  FOCUS_BLUR_TYPE_PROPERTY (VariableParams),
  { .name = "radius",
    .initial = 10.0,
    .label = N_ ("Stren_gth:"),
    FOCUS_BLUR_STRENGTH (VariableParams, radius) },
  { .name = "focal",
    .type = FILTER_TYPE_OF (VariableParams, focal),
    .maximum = 1.0,
    .slider = { .digits = 3, .step = 0.01 },
    .label = N_ ("Sharp a_t:"),
    .tooltip = N_ ("Which brightness of the map is sharp: 0 is black, 1 is white; the blur grows "
                   "with the distance from it"),
    .traced = " sharp at " },
  { .name = "invert",
    .type = FILTER_SWITCH,
    .place = FILTER_PLACE (VariableParams, invert),
    .label = N_ ("_Invert map"),
    .tooltip = N_ ("Take the negative of the map: black for white") },
  { .name = "linear-mask",
    .type = FILTER_SWITCH,
    .role = FILTER_ROLE_LINEAR_MAP,
    .label = N_ ("Li_near map"),
    .tooltip = N_ ("Take the light of the map instead of its brightness as it is seen: grey is "
                   "then nearer to black") },
  CHOICES_KEEP_SHARP_PROPERTY (VariableParams, FOCUS_KEEP_MAX),
  FOCUS_BLUR_LENS_PROPERTIES (VariableParams),
  CHOICES_ABYSS_PROPERTY (VariableParams, "abyss-policy", N_ ("A_byss policy:")),
  CHOICES_AVERAGED_LIGHT_PROPERTY (VariableParams),
  CHOICES_GROW_PROPERTY (N_ ("Gro_w layer")),
  CHOICES_DEVICE_PROPERTY,
};

/* The strength, the map and what is sharp of it stay as they are. */
static const FilterPreset presets[] = {
  { N_ ("Portrait"), "blur-type=lens keep-sharp=1 blades=0 squeeze=0 highlights=2 threshold=0.8" },
  { NULL },
};

/* "high-quality" chooses between two results that are less exact. */
static const TakeOverProperty taken_properties[] = { { "radius" }, { "linear-mask" }, { NULL } };

static const TakeOver take_overs[] = {
  { "gegl:variable-blur", taken_properties, .beside = TRUE },
  { NULL },
};

const FilterDescription variable_blur = {
  FILTER_NAMES ("variable-blur"),
  .title = N_ ("Variable Blur (CUDA)"),
  .menu_label = N_ ("Variable Blur (_CUDA)..."),
  .menu_path = "<Image>/Filters/Blur",
  .blurb = N_ ("Blur each pixel as strongly as the brightness of another picture says, such as a "
               "depth map, on the GPU or the CPU"),
  .help = "Convolves each pixel with a Gaussian, or the aperture of a lens, whose size is in "
          "proportion to the brightness of a second drawable, in premultiplied alpha, on an NVIDIA "
          "GPU through CUDA; without one it gives the same pixels, to within rounding, on the CPU.",
  .properties = properties,
  .n_properties = G_N_ELEMENTS (properties),
  .presets = presets,
  .map = { N_ ("_Map:"), N_ ("The picture whose brightness says how strong the blur is: black is "
                             "sharp, white is soft") },
  .check = variable_blur_check,
  .get_growth = variable_blur_get_growth,
  .make_plan = variable_blur_make_plan,
  .take_overs = take_overs,
};
