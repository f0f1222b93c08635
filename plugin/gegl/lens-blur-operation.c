#include "lens.h"
#include "operation.h"

#define ORIGINAL "gegl:lens-blur" /* which GEGL 0.4.42 has */

/* The order of GEGL's GeglGaussianBlurPolicy, which the Gaussian's operation has, too. */
static const int abysses[] = {
  [FX_ABYSS_CLAMP] = 1,
  [FX_ABYSS_NONE] = 0,
  [FX_ABYSS_BLACK] = 2,
  [FX_ABYSS_WHITE] = 3,
};

static const OperationProperty properties[] = {
  { .property = "radius", .usual_maximum = 100.0, .gamma = 2.0, .unit = "pixel-distance" },
  { .property = "rotation",
    .usual_minimum = -180.0,
    .usual_maximum = 180.0,
    .gamma = 1.0,
    .unit = "degree",
    .direction = "cw" },
  { .property = "abyss", .values = abysses },
  { NULL },
};

static void
lens_operation_get_growth (const FilterSettings *settings, const FxGeometry *geometry, int *x,
                           int *y)
{
  const LensParams params = {
    .radius = filter_settings_get_named (settings, "radius"),
    .blades = (int) filter_settings_get_named (settings, "blades"),
    .rotation = filter_settings_get_named (settings, "rotation"),
    .roundness = filter_settings_get_named (settings, "roundness"),
    .squeeze = filter_settings_get_named (settings, "squeeze"),
  };

  *x = *y = 0;
  if (filter_settings_check (settings, NULL))
    lens_params_get_growth (&params, x, y);
}

/* GEGL has discs alone, and highlights of another kind, which are left out. */
static void
lens_operation_link_original (const FilterSettings *settings, gboolean clip, GeglNode *graph,
                              GeglNode *input, GeglNode *output)
{
  GeglNode *node = gegl_node_new_child (graph, "operation", ORIGINAL, "radius",
                                        filter_settings_get_named (settings, "radius"), "clip",
                                        clip, NULL);

  gegl_node_link_many (input, node, output, NULL);
}

const OperationDescription lens_blur_operation = {
  .filter = &lens_blur,
  .type_name = "CudaLensBlur",
  .categories = "blur",
  .properties = properties,
  .get_growth = lens_operation_get_growth,
  .link = lens_operation_link_original,
};
