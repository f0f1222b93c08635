#include "operation-description.h"

#include <glib/gi18n-lib.h>

static const OperationProperty properties[] = {
  { .property = "values",
    .label = N_ ("Matrix (to edit in cells: Filters > Generic > Matrix Designer, if installed)") },
  { .property = "divisor", .usual_minimum = -100.0, .usual_maximum = 100.0, .gamma = 1.0 },
  { .property = "offset", .usual_minimum = -1.0, .usual_maximum = 1.0, .gamma = 1.0 },
  { NULL },
};

const OperationDescription convolution_matrix_operation = {
  .filter = &convolution_matrix,
  .type_name = "CudaConvolve",
  .categories = "generic",
  .properties = properties,
};
