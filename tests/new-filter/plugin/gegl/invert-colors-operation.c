#include "operation-description.h"

static const OperationProperty properties[] = { { NULL } };

const OperationDescription invert_colors_operation = {
  .filter = &invert_colors,
  .type_name = "CudaInvert",
  .categories = "color",
  .properties = properties,
};
