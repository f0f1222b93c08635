#include "focus-blur.h"

#include "filters.h"

#include <glib/gi18n-lib.h>
#include <math.h>

const FilterChoice focus_blur_types[] = {
  [FOCUS_GAUSSIAN] = { "gaussian", N_ ("Gaussian") },
  [FOCUS_LENS] = { "lens", N_ ("Lens") },
  { NULL },
};

double
focus_blur_limit_strength (FocusKind kind, double strength)
{
  return kind == FOCUS_LENS && strength <= FOCUS_STRENGTH_MAX ? MIN (strength, FOCUS_LENS_MAX)
                                                              : strength;
}

/* Plans. */

static FocusParams
focus_blur_get_params (const FilterSettings *settings)
{
  FocusParams params = { 0 };

  filter_settings_get_params (settings, &params);
  params.strength = focus_blur_limit_strength (params.kind, params.strength);
  return params;
}

FILTER_DEFINE_CHECK (FocusParams, focus_blur_check, focus_blur_get_params, focus_params_check)
FILTER_DEFINE_GET_GROWTH (FocusParams, focus_blur_get_growth, focus_blur_get_params,
                          focus_params_get_growth)

static FxPlan *
focus_blur_make_plan (const FilterSettings *settings, const FxFormat *format,
                      const FxGeometry *geometry, gboolean coverage)
{
  const FocusParams params = focus_blur_get_params (settings);

  return focus_plan_new (&params, NULL, format, geometry, NULL);
}

/* Lines. */

#define FAR        1e9 /* pixels: out of sight */
#define POINTS_MAX 16384

/* Adds the point of the shape that is u, v from the centre before the shape is turned. */
static void
add_point (GArray *points, const FocusParams *params, const FxGeometry *geometry, double u,
           double v)
{
  double turn = params->rotation * G_PI / 180.0, c = cos (turn), s = sin (turn);
  const FilterPoint point = { geometry->x + params->x * geometry->width + c * u - s * v,
                              geometry->y + params->y * geometry->height + s * u + c * v };

  g_array_append_val (points, point);
}

/* Adds an ellipse with these half axes. A chord is off by r (1 - cos (pi / n)) at most. */
static void
add_ellipse (GArray *points, const FocusParams *params, const FxGeometry *geometry, double a,
             double b, double error)
{
  double n = ceil (G_PI / sqrt (2.0 * error / MAX (a, b)));

  n = CLAMP (n, 16.0, POINTS_MAX);
  for (double i = 0.0; i < n; i++)
    add_point (points, params, geometry, a * cos (2.0 * G_PI * i / n),
               b * sin (2.0 * G_PI * i / n));
}

/* The same of a rectangle and a diamond. */
static void
add_corners (GArray *points, const FocusParams *params, const FxGeometry *geometry, double a,
             double b, gboolean diamond)
{
  for (int i = 0; i < 4; i++)
    {
      double u = i == 1 || i == 2 ? -1.0 : 1.0, v = i < 2 ? 1.0 : -1.0; /* of a rectangle */

      add_point (points, params, geometry, a * (diamond ? (u + v) / 2.0 : u),
                 b * (diamond ? (v - u) / 2.0 : v));
    }
}

/* Returns how far from the centre the line lies, 1 being half of the width: where the blur begins,
 * has half of its strength, and has all of it. */
static double
get_distance (const FocusParams *params, guint number)
{
  const double share[] = { 0.0, params->midpoint, 1.0 };

  return params->radius * (params->focus + (1.0 - params->focus) * share[number]);
}

static gboolean
get_line (const FilterSettings *settings, const FxGeometry *geometry, guint number, double error,
          GArray *points)
{
  const FocusParams params = focus_blur_get_params (settings);
  double unit = geometry->width / 2.0, a, b;

  if (number > 2)
    return FALSE;
  unit *= get_distance (&params, number);
  a = params.shape == FOCUS_HORIZONTAL ? FAR : unit * (1.0 + MIN (params.aspect_ratio, 0.0));
  b = params.shape == FOCUS_VERTICAL ? FAR : unit * (1.0 - MAX (params.aspect_ratio, 0.0));
  if (a <= 0.0 || b <= 0.0)
    return TRUE;
  if (params.shape == FOCUS_CIRCLE)
    add_ellipse (points, &params, geometry, a, b, error);
  else
    add_corners (points, &params, geometry, a, b, params.shape == FOCUS_DIAMOND);
  return TRUE;
}

/* Properties. */

static const FilterChoice shapes[] = {
  [FOCUS_CIRCLE] = { "circle", N_ ("Circle") },
  [FOCUS_SQUARE] = { "square", N_ ("Square") },
  [FOCUS_DIAMOND] = { "diamond", N_ ("Diamond") },
  [FOCUS_HORIZONTAL] = { "horizontal", N_ ("Horizontal") },
  [FOCUS_VERTICAL] = { "vertical", N_ ("Vertical") },
  { NULL },
};

static const FilterProperty properties[] = {
  FOCUS_BLUR_TYPE_PROPERTY (FocusParams),
  { .name = "blur-radius",
    .initial = 25.0,
    .label = N_ ("Stren_gth:"),
    FOCUS_BLUR_STRENGTH (FocusParams, strength) },
  { .name = "shape",
    .type = FILTER_TYPE_OF (FocusParams, shape),
    .choices = shapes,
    .label = N_ ("Shap_e:"),
    .tooltip = N_ ("What stays sharp: a circle, a square or a diamond around the centre, or a band "
                   "through it, horizontal or vertical"),
    .traced = " shape " },
  { .name = "x",
    .role = FILTER_ROLE_POINT,
    .label = N_ ("Center _X:"),
    .tooltip = N_ ("Where the centre is; 0 is the left edge of the layer, 1 the right edge"),
    .traced = " center ",
    CHOICES_COORDINATE (FocusParams, x, FOCUS_CENTER_MAX, "x") },
  { .name = "y",
    .label = N_ ("Center _Y:"),
    .tooltip = N_ ("Where the centre is; 0 is the upper edge of the layer, 1 the lower edge"),
    .traced = " ",
    CHOICES_COORDINATE (FocusParams, y, FOCUS_CENTER_MAX, "y") },
  { .name = "radius",
    .type = FILTER_TYPE_OF (FocusParams, radius),
    .maximum = FOCUS_RADIUS_MAX,
    .initial = 0.75,
    .slider = { .digits = 3, .step = 0.01, .end = 2.0 / FOCUS_RADIUS_MAX },
    .label = N_ ("_Fully soft at:"),
    .tooltip = N_ (
      "How far from the centre the blur has all of its strength; 1 is half of the layer's width"),
    .traced = " radius ",
    .gegl = { .ui_maximum = 2.0, .keys = "unit=relative-distance" } },
  { .name = "focus",
    .type = FILTER_TYPE_OF (FocusParams, focus),
    .maximum = 1.0,
    .initial = 0.25,
    .slider = { .digits = 3, .step = 0.01 },
    .label = N_ ("Sharp _up to:"),
    .tooltip = N_ ("How far from the centre all is sharp, as a part of where it is fully soft") },
  { .name = "midpoint",
    .type = FILTER_TYPE_OF (FocusParams, midpoint),
    .maximum = 1.0,
    .initial = 0.5,
    .slider = { .digits = 3, .step = 0.01 },
    .label = N_ ("Half a_t:"),
    .tooltip = N_ (
      "Where the blur has half of its strength, between sharp (0) and fully soft (1)") },
  { .name = "aspect-ratio",
    .type = FILTER_TYPE_OF (FocusParams, aspect_ratio),
    .minimum = -1.0,
    .maximum = 1.0,
    .slider = { .digits = 3, .step = 0.01 },
    .label = N_ ("Aspect rat_io:"),
    .tooltip = N_ ("Above 0 the shape becomes flat, below 0 narrow") },
  { .name = "rotation",
    CHOICES_ANGLE (FocusParams, rotation),
    .label = N_ ("Rotatio_n:"),
    .tooltip = N_ ("How many degrees the shape is turned clockwise"),
    .gegl.keys = "unit=degree direction=cw" },
  CHOICES_KEEP_SHARP_PROPERTY (FocusParams, FOCUS_KEEP_MAX),
  FOCUS_BLUR_LENS_PROPERTIES (FocusParams),
  CHOICES_ABYSS_PROPERTY (FocusParams, "abyss-policy", N_ ("A_byss policy:")),
  CHOICES_AVERAGED_LIGHT_PROPERTY (FocusParams),
  CHOICES_GROW_PROPERTY (N_ ("Gro_w layer")),
  CHOICES_DEVICE_PROPERTY,
};

/* The strength and the centre stay as they are. */
static const FilterPreset presets[] = {
  { N_ ("Tilt-shift"), "shape=horizontal radius=0.5 focus=0.2 midpoint=0.5 aspect-ratio=0 "
                       "rotation=0 keep-sharp=0" },
  { N_ ("Iris"), "shape=circle radius=0.9 focus=0.4 midpoint=0.5 aspect-ratio=0 rotation=0 "
                 "keep-sharp=0" },
  { N_ ("Portrait"), "shape=circle radius=0.7 focus=0.6 midpoint=0.5 aspect-ratio=-0.3 rotation=0 "
                     "keep-sharp=1" },
  { N_ ("Miniature"), "shape=horizontal radius=0.25 focus=0.15 midpoint=0.4 aspect-ratio=0 "
                      "rotation=0 keep-sharp=0" },
  { NULL },
};

/* The operation. */

/* GEGL cuts the centre to a whole number, toward 0, which is the middle of a pixel there. */
static double
convert_center (double center, double from, double size)
{
  double converted = (trunc (from + center * size) + 0.5 - from) / size;

  return CLAMP (converted, -FOCUS_CENTER_MAX, FOCUS_CENTER_MAX);
}

static double
convert_x (double x, const FxGeometry *box)
{
  return convert_center (x, box->x, box->width);
}

static double
convert_y (double y, const FxGeometry *box)
{
  return convert_center (y, box->y, box->height);
}

static const TakeOverProperty taken_properties[] = {
  { "blur-radius" },
  { "shape" },
  { "x", .convert = convert_x },
  { "y", .convert = convert_y },
  { "radius" },
  { "focus" },
  { "midpoint" },
  { "aspect-ratio" },
  { "rotation" },
  { NULL },
};

/* Highlights are the lens's; "high-quality" chooses between two results that are less exact. */
static const TakeOver take_overs[] = {
  { "gegl:focus-blur", taken_properties, .choice = "blur-type", .chosen = "gaussian" },
  { NULL },
};

const FilterDescription focus_blur = {
  FILTER_NAMES ("focus-blur"),
  .title = N_ ("Focus Blur (CUDA)"),
  .menu_label = N_ ("Focus Blur (_CUDA)..."),
  .menu_path = "<Image>/Filters/Blur",
  .blurb = N_ (
    "Keep a face (portrait) or a street (tilt-shift, miniature) sharp, and blur the rest "
    "more and more, on the GPU or the CPU"),
  .help = "Convolves each pixel with a Gaussian, or the aperture of a lens, whose size grows with "
          "the distance from a shape, in premultiplied alpha, on an NVIDIA GPU through CUDA; "
          "without one it gives the same pixels, to within rounding, on the CPU.",
  .properties = properties,
  .n_properties = G_N_ELEMENTS (properties),
  .presets = presets,
  .check = focus_blur_check,
  .get_growth = focus_blur_get_growth,
  .get_line = get_line,
  .preview_hint = N_ ("Drag the cross in the preview to move the centre. All is sharp within the "
                      "dashed line, half as soft at the dotted one, and fully soft beyond the "
                      "solid one."),
  .make_plan = focus_blur_make_plan,
  .take_overs = take_overs,
};
