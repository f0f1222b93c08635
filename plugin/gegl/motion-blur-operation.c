#include "motion.h"
#include "operation.h"

/* The order of GEGL's GeglGaussianBlurPolicy, which the Gaussian's operation has, too. */
static const int abysses[] = {
  [FX_ABYSS_CLAMP] = 1,
  [FX_ABYSS_NONE] = 0,
  [FX_ABYSS_BLACK] = 2,
  [FX_ABYSS_WHITE] = 3,
};

static const OperationProperty properties[] = {
  { .property = "length", .usual_maximum = 200.0, .gamma = 2.0, .unit = "pixel-distance" },
  { .property = "direction",
    .usual_minimum = -180.0,
    .usual_maximum = 180.0,
    .gamma = 1.0,
    .unit = "degree",
    .direction = "cw" },
  { .property = "angle", .usual_maximum = 360.0, .gamma = 2.0, .unit = "degree" },
  { .property = "factor", .usual_minimum = -0.5, .usual_maximum = 1.0, .gamma = 2.0 },
  { .property = "center-x", .usual_maximum = 1.0, .unit = "relative-coordinate", .axis = "x" },
  { .property = "center-y", .usual_maximum = 1.0, .unit = "relative-coordinate", .axis = "y" },
  { .property = "abyss", .values = abysses },
  { NULL },
};

static MotionKind
get_kind (const FilterSettings *settings)
{
  return (MotionKind) filter_settings_get_named (settings, "kind");
}

static void
motion_operation_get_growth (const FilterSettings *settings, const FxGeometry *geometry, int *x,
                             int *y)
{
  const MotionParams params = {
    .kind = get_kind (settings),
    .length = filter_settings_get_named (settings, "length"),
    .direction = filter_settings_get_named (settings, "direction"),
    .angle = filter_settings_get_named (settings, "angle"),
    .factor = filter_settings_get_named (settings, "factor"),
    .center_x = filter_settings_get_named (settings, "center-x"),
    .center_y = filter_settings_get_named (settings, "center-y"),
  };

  *x = *y = 0;
  if (filter_settings_check (settings, NULL))
    motion_params_get_growth (&params, geometry, x, y);
}

/* GEGL has the same three, whose paths have few samples and do not fade. */
static GeglNode *
make_original (const FilterSettings *settings, GeglNode *graph)
{
  double x = filter_settings_get_named (settings, "center-x");
  double y = filter_settings_get_named (settings, "center-y");

  switch (get_kind (settings))
    {
    case MOTION_SPIN:
      return gegl_node_new_child (graph, "operation", "gegl:motion-blur-circular", "center-x", x,
                                  "center-y", y, "angle",
                                  filter_settings_get_named (settings, "angle"), NULL);
    case MOTION_ZOOM:
      return gegl_node_new_child (graph, "operation", "gegl:motion-blur-zoom", "center-x", x,
                                  "center-y", y, "factor",
                                  filter_settings_get_named (settings, "factor"), NULL);
    default:
      return gegl_node_new_child (graph, "operation", "gegl:motion-blur-linear", "length",
                                  filter_settings_get_named (settings, "length"), "angle",
                                  filter_settings_get_named (settings, "direction"), NULL);
    }
}

static void
motion_operation_link_original (const FilterSettings *settings, gboolean clip, GeglNode *graph,
                                GeglNode *input, GeglNode *output)
{
  gegl_node_link_many (input, make_original (settings, graph), output, NULL);
}

/* GEGL's centre is counted from the origin, wherever the input lies, and the middle of a pixel is a
 * whole number there. */
static double
convert_center (double center, int from, int size)
{
  return (center * size - from + 0.5) / size;
}

static double
convert_center_x (double center, const GeglRectangle *box)
{
  return convert_center (center, box->x, box->width);
}

static double
convert_center_y (double center, const GeglRectangle *box)
{
  return convert_center (center, box->y, box->height);
}

static const TakenProperty line_properties[] = {
  { "length", "length", G_TYPE_DOUBLE, NULL, NULL },
  { "angle", "direction", G_TYPE_DOUBLE, NULL, NULL },
  { NULL },
};

static const TakenProperty spin_properties[] = {
  { "angle", "angle", G_TYPE_DOUBLE, NULL, NULL },
  { "center-x", "center-x", G_TYPE_DOUBLE, NULL, convert_center_x },
  { "center-y", "center-y", G_TYPE_DOUBLE, NULL, convert_center_y },
  { NULL },
};

static const TakenProperty zoom_properties[] = {
  { "factor", "factor", G_TYPE_DOUBLE, NULL, NULL },
  { "center-x", "center-x", G_TYPE_DOUBLE, NULL, convert_center_x },
  { "center-y", "center-y", G_TYPE_DOUBLE, NULL, convert_center_y },
  { NULL },
};

/* An abyss of none: beyond the input nothing is. */
static const TakenSetting line_settings[] = { { "kind", MOTION_LINE },
                                              { "abyss-policy", 0 },
                                              { NULL } };
static const TakenSetting spin_settings[] = { { "kind", MOTION_SPIN },
                                              { "abyss-policy", 0 },
                                              { NULL } };
static const TakenSetting zoom_settings[] = { { "kind", MOTION_ZOOM },
                                              { "abyss-policy", 0 },
                                              { NULL } };

static const TakenOperation taken[] = {
  { "gegl:motion-blur-linear", line_properties, line_settings },
  { "gegl:motion-blur-circular", spin_properties, spin_settings },
  { "gegl:motion-blur-zoom", zoom_properties, zoom_settings },
  { NULL },
};

const OperationDescription motion_blur_operation = {
  .filter = &motion_blur,
  .type_name = "CudaMotionBlur",
  .categories = "blur",
  .properties = properties,
  .get_growth = motion_operation_get_growth,
  .link = motion_operation_link_original,
  .taken = taken,
};
