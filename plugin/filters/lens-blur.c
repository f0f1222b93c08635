#include "choices.h"
#include "filters.h"
#include "lens.h"

#include <glib/gi18n-lib.h>

/* Plans. */

FILTER_DEFINE_GET_PARAMS (LensParams, lens_blur_get_params)
FILTER_DEFINE_CHECK (LensParams, lens_blur_check, lens_blur_get_params, lens_params_check)
FILTER_DEFINE_GET_GROWTH (LensParams, lens_blur_get_growth, lens_blur_get_params,
                          lens_params_get_growth)

static void
draw_aperture (const FilterSettings *settings, int size, float *values)
{
  const LensParams params = lens_blur_get_params (settings);

  lens_params_draw_aperture (&params, size, values);
}

static FxPlan *
lens_blur_make_plan (const FilterSettings *settings, const FxFormat *format,
                     const FxGeometry *geometry, gboolean coverage)
{
  const LensParams params = lens_blur_get_params (settings);

  return lens_plan_new (&params, format, NULL);
}

/* Properties. */

static const FilterProperty properties[] = {
  { .name = "radius",
    .type = FILTER_TYPE_OF (LensParams, radius),
    .maximum = LENS_RADIUS_MAX,
    .initial = 10.0,
    .slider = { .digits = 2, .step = 0.1, .bend = 0.002 },
    .label = N_ ("Radi_us:"),
    .tooltip = N_ ("How strong the blur is: the radius in pixels of the shape that a point of "
                   "light becomes; 0 changes nothing"),
    .traced = "radius ",
    .gegl = { .ui_maximum = 100.0, .ui_gamma = 2.0, .keys = "unit=pixel-distance" } },
  CHOICES_BLADES_PROPERTY (LensParams, 0, LENS_BLADES_MIN, LENS_BLADES_MAX, N_ ("_Blades:")),
  { .name = "rotation",
    CHOICES_ANGLE (LensParams, rotation),
    .label = N_ ("Ro_tation:"),
    /* No unit: GIMP 3's dial for degrees points to the right at 0. */
    .tooltip = N_ ("How many degrees the aperture is turned clockwise; at 0 a corner points up") },
  CHOICES_ROUNDNESS_PROPERTY (LensParams, 0, N_ ("Rou_ndness:")),
  { .name = "ring",
    .type = FILTER_TYPE_OF (LensParams, ring),
    .minimum = -1.0,
    .maximum = 1.0,
    .slider = { .digits = 2, .step = 0.01 },
    .label = N_ ("Rin_g:"),
    .tooltip = N_ ("How bright the rim is: above 0, points of light become soap bubbles; below 0, "
                   "they have soft edges") },
  CHOICES_SQUEEZE_PROPERTY (LensParams, 0, N_ ("S_queeze:")),
  CHOICES_HIGHLIGHTS_PROPERTY (LensParams, 0, LENS_HIGHLIGHTS_MAX, N_ ("H_ighlights:")),
  CHOICES_THRESHOLD_PROPERTY (LensParams, 0, N_ ("Thr_eshold:")),
  CHOICES_ABYSS_PROPERTY (LensParams, "abyss-policy", N_ ("Ab_yss policy:")),
  CHOICES_AVERAGED_LIGHT_PROPERTY (LensParams),
  CHOICES_GROW_PROPERTY (N_ ("Gro_w layer")),
  CHOICES_DEVICE_PROPERTY,
};

#define SHAPE(blades, rotation, roundness, ring, squeeze)                          \
  "blades=" #blades " rotation=" #rotation " roundness=" #roundness " ring=" #ring \
  " squeeze=" #squeeze

/* The radius stays as it is. GIMP 3 has only whole presets, with the initial values in place of
 * what is not named here. */
static const FilterPreset presets[] = {
  { N_ ("Disc"), SHAPE (0, 0, 0, 0, 0) },
  { N_ ("Hexagon"), SHAPE (6, 0, 0, 0, 0) },
  { N_ ("Rounded octagon"), SHAPE (8, 22.5, 0.5, 0, 0) },
  { N_ ("Soap bubble"), SHAPE (0, 0, 0, 0.8, 0) },
  { N_ ("Soft"), SHAPE (0, 0, 0, -0.8, 0) },
  { N_ ("Anamorphic"), SHAPE (0, 0, 0, 0.2, 0.8) },
  { N_ ("Night lights"), SHAPE (0, 0, 0, 0.2, 0) " highlights=4 threshold=0.9" },
  { NULL },
};

const FilterDescription lens_blur = {
  FILTER_NAMES ("lens-blur"),
  .title = N_ ("Lens Blur (CUDA)"),
  .menu_label = N_ ("Lens Blur (_CUDA)..."),
  .menu_path = "<Image>/Filters/Blur",
  .blurb = N_ ("Blur as a lens that is out of focus (bokeh), on the GPU or the CPU"),
  .help = "Spreads each point of light over the shape of a lens's aperture, in premultiplied "
          "alpha, on an NVIDIA GPU through CUDA; without one it gives the same pixels, to within "
          "rounding, on the CPU.",
  .properties = properties,
  .n_properties = G_N_ELEMENTS (properties),
  .presets = presets,
  .check = lens_blur_check,
  .get_growth = lens_blur_get_growth,
  .draw_picture = draw_aperture,
  .picture_label = N_ ("The shape that a point of light becomes"),
  .make_plan = lens_blur_make_plan,
};
