#include "lens.h"
#include "operation.h"

#define ORIGINAL            "gegl:lens-blur"
#define ORIGINAL_RADIUS_MAX 100.0 /* where it becomes slow: its time grows with the square */

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
    .unit = "degree" },
  { .property = "abyss", .values = abysses },
  { NULL },
};

static void
lens_operation_get_growth (const FilterSettings *settings, int *x, int *y)
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

/* GEGL has discs alone, and highlights of another kind, which are left out. Without its lens blur,
 * which not every build of GEGL has, a Gaussian takes its place: a disc's standard deviation along
 * an axis is half of its radius. */
static void
lens_operation_link_original (const FilterSettings *settings, gboolean clip, GeglNode *graph,
                              GeglNode *input, GeglNode *output)
{
  double radius = filter_settings_get_named (settings, "radius");
  GeglNode *node;

  if (gegl_has_operation (ORIGINAL))
    node = gegl_node_new_child (graph, "operation", ORIGINAL, "radius",
                                MIN (radius, ORIGINAL_RADIUS_MAX), "clip", clip, NULL);
  else
    node = gegl_node_new_child (graph, "operation", "gegl:gaussian-blur", "std-dev-x", radius / 2.0,
                                "std-dev-y", radius / 2.0, "clip-extent", clip, NULL);
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
