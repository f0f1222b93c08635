#include "operation.h"

/* The order of GEGL's GeglGaussianBlurPolicy, which the Gaussian's operation has, too. */
static const int abysses[] = {
  [FX_ABYSS_CLAMP] = 1,
  [FX_ABYSS_NONE] = 0,
};

static const OperationProperty properties[] = {
  { .property = "sigma", .usual_maximum = 20.0, .gamma = 2.0, .unit = "pixel-distance" },
  { .property = "delta", .usual_maximum = 0.5, .gamma = 1.0 },
  { .property = "abyss", .values = abysses },
  { NULL },
};

/* The result is as large as the input. */
static void
selective_operation_get_growth (const FilterSettings *settings, const FxGeometry *geometry, int *x,
                                int *y)
{
  *x = *y = 0;
}

/* GEGL's sigma is the root of its radius, its window is narrower, and its edges are hard. */
static void
selective_operation_link_original (const FilterSettings *settings, gboolean clip, GeglNode *graph,
                                   GeglNode *input, GeglNode *output)
{
  double sigma = filter_settings_get_named (settings, "sigma");
  GeglNode *node = gegl_node_new_child (graph, "operation", "gegl:gaussian-blur-selective",
                                        "blur-radius", CLAMP (sigma * sigma, 1.0, 1000.0),
                                        "max-delta", filter_settings_get_named (settings, "delta"),
                                        NULL);

  gegl_node_link_many (input, node, output, NULL);
}

const OperationDescription selective_blur_operation = {
  .filter = &selective_blur,
  .type_name = "CudaSelectiveBlur",
  .categories = "blur",
  .properties = properties,
  .get_growth = selective_operation_get_growth,
  .link = selective_operation_link_original,
};
