#include "motion.h"
#include "operation-description.h"

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
  { .property = "abyss", .values = operation_abysses },
  { NULL },
};

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
#define SETTINGS(kind) \
  ((const TakenSetting[]) { { "kind", kind }, { "abyss-policy", 0 }, { NULL } })

static const TakenOperation taken[] = {
  { "gegl:motion-blur-linear", line_properties, SETTINGS (MOTION_LINE) },
  { "gegl:motion-blur-circular", spin_properties, SETTINGS (MOTION_SPIN), .keeps_edges = TRUE },
  { "gegl:motion-blur-zoom", zoom_properties, SETTINGS (MOTION_ZOOM) },
  { NULL },
};

const OperationDescription motion_blur_operation = {
  .filter = &motion_blur,
  .type_name = "CudaMotionBlur",
  .categories = "blur",
  .properties = properties,
  .taken = taken,
};
