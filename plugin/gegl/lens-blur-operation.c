#include "operation-description.h"

static const OperationProperty properties[] = {
  { .property = "radius", .usual_maximum = 100.0, .gamma = 2.0, .unit = "pixel-distance" },
  { .property = "rotation",
    .usual_minimum = -180.0,
    .usual_maximum = 180.0,
    .gamma = 1.0,
    .unit = "degree",
    .direction = "cw" },
  { .property = "abyss", .values = operation_abysses },
  { NULL },
};

const OperationDescription lens_blur_operation = {
  .filter = &lens_blur,
  .type_name = "CudaLensBlur",
  .categories = "blur",
  .properties = properties,
};
