#include "operation-description.h"

static const OperationProperty properties[] = {
  { .property = "radius", .usual_maximum = 100.0, .gamma = 2.0, .unit = "pixel-distance" },
  /* Without a unit: for degrees, GIMP 3 has a dial, which points to the right at 0, where a corner
   * of the aperture points up. */
  { .property = "rotation", .usual_minimum = -180.0, .usual_maximum = 180.0, .gamma = 1.0 },
  { .property = "abyss", .values = operation_abysses },
  { NULL },
};

const OperationDescription lens_blur_operation = {
  .filter = &lens_blur,
  .type_name = "CudaLensBlur",
  .categories = "blur",
  .properties = properties,
};
