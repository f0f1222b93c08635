#include "choices.h"
#include "filters.h"
#include "motion.h"

#include <glib/gi18n-lib.h>

#define WITH(kind) (1u << MOTION_##kind)

/* Plans. */

FILTER_DEFINE_GET_PARAMS (MotionParams, motion_blur_get_params)
FILTER_DEFINE_CHECK (MotionParams, motion_blur_check, motion_blur_get_params, motion_params_check)

static void
motion_blur_get_growth (const FilterSettings *settings, const FxGeometry *geometry, int *x, int *y)
{
  const MotionParams params = motion_blur_get_params (settings);

  motion_params_get_growth (&params, geometry, x, y);
}

static FxPlan *
motion_blur_make_plan (const FilterSettings *settings, const FxFormat *format,
                       const FxGeometry *geometry, gboolean coverage)
{
  const MotionParams params = motion_blur_get_params (settings);

  return motion_plan_new (&params, format, geometry, NULL);
}

/* Properties. */

static const FilterChoice kinds[] = {
  { "line", N_ ("Line") },
  { "spin", N_ ("Spin") },
  { "zoom", N_ ("Zoom") },
  { NULL },
};

static const FilterProperty properties[] = {
  { .name = "kind",
    .type = FILTER_TYPE_OF (MotionParams, kind),
    .choices = kinds,
    .label = N_ ("_Kind:"),
    .tooltip = N_ ("How the picture moved: along a line, around the centre, or towards it"),
    .traced = "kind " },
  { .name = "length",
    .kinds = WITH (LINE),
    .type = FILTER_TYPE_OF (MotionParams, length),
    .maximum = MOTION_LENGTH_MAX,
    .initial = 10.0,
    .slider = { .digits = 2, .step = 0.1, .bend = 0.002 },
    .label = N_ ("Le_ngth:"),
    .tooltip = N_ ("Line: how many pixels the picture moved; 0 changes nothing"),
    .traced = " length ",
    .gegl = { .ui_maximum = 200.0, .ui_gamma = 2.0, .keys = "unit=pixel-distance" } },
  { .name = "direction",
    .kinds = WITH (LINE),
    CHOICES_ANGLE (MotionParams, direction),
    .label = N_ ("D_irection:"),
    .tooltip = N_ ("Line: in which direction the picture moved, in degrees clockwise; at 0 it "
                   "moved to the right"),
    .gegl.keys = "unit=degree direction=cw" },
  { .name = "angle",
    .kinds = WITH (SPIN),
    .type = FILTER_TYPE_OF (MotionParams, angle),
    .maximum = MOTION_ANGLE_MAX,
    .initial = 5.0,
    .slider = { .digits = 2, .step = 0.1, .bend = 0.01 },
    .label = N_ ("An_gle:"),
    .tooltip = N_ ("Spin: how many degrees the picture turned, half of them in each direction; 0 "
                   "changes nothing"),
    .traced = " angle ",
    .gegl = { .ui_maximum = 360.0, .ui_gamma = 2.0, .keys = "unit=degree" } },
  { .name = "factor",
    .kinds = WITH (ZOOM),
    .type = FILTER_TYPE_OF (MotionParams, factor),
    .minimum = -1.0,
    .maximum = 1.0,
    .initial = 0.1,
    .slider = { .digits = 3, .step = 0.01 },
    .label = N_ ("_Factor:"),
    .tooltip = N_ ("Zoom: the part of the way to the centre that each point becomes; below 0 it "
                   "leads away from the centre, and 0 changes nothing"),
    .traced = " factor ",
    .gegl = { .ui_minimum = -0.5, .ui_maximum = 1.0, .ui_gamma = 2.0 } },
  { .name = "center-x",
    .kinds = WITH (SPIN) | WITH (ZOOM),
    .role = FILTER_ROLE_POINT,
    .label = N_ ("Center _X:"),
    .tooltip = N_ (
      "Spin and zoom: where the centre is; 0 is the left edge of the layer, 1 the right edge"),
    .traced = " center ",
    CHOICES_COORDINATE (MotionParams, center_x, MOTION_CENTER_MAX, "x") },
  { .name = "center-y",
    .kinds = WITH (SPIN) | WITH (ZOOM),
    .label = N_ ("Cen_ter Y:"),
    .tooltip = N_ (
      "Spin and zoom: where the centre is; 0 is the upper edge of the layer, 1 the lower edge"),
    .traced = " ",
    CHOICES_COORDINATE (MotionParams, center_y, MOTION_CENTER_MAX, "y") },
  { .name = "fade",
    .kinds = WITH (LINE) | WITH (ZOOM),
    .type = FILTER_TYPE_OF (MotionParams, fade),
    .minimum = -1.0,
    .maximum = 1.0,
    .slider = { .digits = 2, .step = 0.01 },
    .label = N_ ("Fad_e:"),
    .tooltip = N_ (
      "Line and zoom: above 0 the end of the path counts more than its start; below 0 less") },
  CHOICES_ABYSS_PROPERTY (MotionParams, "abyss-policy", N_ ("Ab_yss policy:")),
  CHOICES_AVERAGED_LIGHT_PROPERTY (MotionParams),
  CHOICES_GROW_PROPERTY (N_ ("Gro_w layer")),
  CHOICES_DEVICE_PROPERTY,
};

/* The operation. */

/* GEGL's centre is counted from the origin, wherever the input lies, and the middle of a pixel is a
 * whole number there. */
static double
convert_center (double center, double from, double size)
{
  return (center * size - from + 0.5) / size;
}

static double
convert_center_x (double center, const FxGeometry *box)
{
  return convert_center (center, box->x, box->width);
}

static double
convert_center_y (double center, const FxGeometry *box)
{
  return convert_center (center, box->y, box->height);
}

static const TakeOverProperty line_properties[] = {
  { "length" },
  { "angle", "direction" },
  { NULL },
};

static const TakeOverProperty spin_properties[] = {
  { "angle" },
  { "center-x", .convert = convert_center_x },
  { "center-y", .convert = convert_center_y },
  { NULL },
};

static const TakeOverProperty zoom_properties[] = {
  { "factor" },
  { "center-x", .convert = convert_center_x },
  { "center-y", .convert = convert_center_y },
  { NULL },
};

/* Beyond the input nothing is. */
static const TakeOver take_overs[] = {
  { "gegl:motion-blur-linear", line_properties, "kind=line abyss=none" },
  { "gegl:motion-blur-circular", spin_properties, "kind=spin abyss=none", .keeps_edges = TRUE },
  { "gegl:motion-blur-zoom", zoom_properties, "kind=zoom abyss=none" },
  { NULL },
};

const FilterDescription motion_blur = {
  FILTER_NAMES ("motion-blur"),
  .title = N_ ("Motion Blur (CUDA)"),
  .menu_label = N_ ("Motion Blur (_CUDA)..."),
  .menu_path = "<Image>/Filters/Blur",
  .blurb = N_ ("Blur as a motion does, along a line, around a point or towards it, on the GPU or "
               "the CPU"),
  .help = "Averages the image along a line, an arc or the way to a point, in premultiplied alpha, "
          "on an NVIDIA GPU through CUDA; without one it gives the same pixels, to within "
          "rounding, on the CPU.",
  .properties = properties,
  .n_properties = G_N_ELEMENTS (properties),
  .check = motion_blur_check,
  .preview_hint = N_ ("For spin and zoom, drag the cross in the preview to move the centre."),
  .get_growth = motion_blur_get_growth,
  .make_plan = motion_blur_make_plan,
  .take_overs = take_overs,
};
