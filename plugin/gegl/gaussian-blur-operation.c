#include "gaussian-blur-take-over.h"
#include "message.h"
#include "operation.h"

#include <math.h>

/* The order of GEGL's GeglGaussianBlurPolicy differs. */
static const int abysses[] = {
  [FX_ABYSS_CLAMP] = 1,
  [FX_ABYSS_NONE] = 0,
  [FX_ABYSS_BLACK] = 2,
  [FX_ABYSS_WHITE] = 3,
};

static const OperationProperty properties[] = {
  { .property = "sigma-x",
    .name = "std-dev-x",
    .usual_minimum = 0.24,
    .usual_maximum = 100.0,
    .gamma = 3.0,
    .unit = "pixel-distance",
    .axis = "x" },
  { .property = "sigma-y",
    .name = "std-dev-y",
    .usual_minimum = 0.24,
    .usual_maximum = 100.0,
    .gamma = 3.0,
    .unit = "pixel-distance",
    .axis = "y" },
  { .property = "kernel-size", .name = "kernel-size", .usual_maximum = 101.0, .gamma = 1.0 },
  { .property = "abyss", .name = "abyss-policy", .values = abysses },
  { NULL },
};

static double
blur_operation_get (const FilterSettings *settings, const char *property)
{
  return filter_settings_get (settings, filter_find_property (&gaussian_blur, property));
}

/* Returns the growth of gegl:gaussian-blur: half the length of its FIR, with sigma rounded to a
 * float as there. An explicit kernel size gives half of that size. */
static int
get_axis_growth (const FilterSettings *settings, const char *sigma)
{
  int size = (int) blur_operation_get (settings, "kernel-size");
  float value = (float) blur_operation_get (settings, sigma);

  if (value <= 1e-5)
    return 0;
  return (size > 0 ? size : (int) ceil (value * 6.5)) / 2;
}

static void
blur_operation_get_growth (const FilterSettings *settings, int *x, int *y)
{
  *x = get_axis_growth (settings, "sigma-x");
  *y = get_axis_growth (settings, "sigma-y");
}

static void
blur_operation_link_original (const FilterSettings *settings, gboolean clip, GeglNode *graph,
                              GeglNode *input, GeglNode *output)
{
  static const char *const sigmas[] = { "sigma-x", "sigma-y" };
  const int abyss = abysses[(int) blur_operation_get (settings, "abyss")];
  GeglNode *last = input;
  int axis;

  for (axis = 0; axis < 2; axis++)
    {
      GeglNode *blur = gegl_node_new_child (graph, "operation", "gegl:gblur-1d", "orientation",
                                            axis, "std-dev",
                                            MIN (blur_operation_get (settings, sigmas[axis]),
                                                 1500.0),
                                            "abyss-policy", abyss, "clip-extent", clip, NULL);

      gegl_node_link (last, blur);
      last = blur;
    }
  gegl_node_link (last, output);
}

static void
take_over (void)
{
  g_autoptr (GError) error = NULL;

  if (! gegl_take_over_begin (&error))
    message_show_once (error->message);
}

const OperationDescription gaussian_blur_operation = {
  .filter = &gaussian_blur,
  .name = "cuda:gaussian-blur",
  .type_name = "CudaGaussianBlur",
  .categories = "blur",
  .properties = properties,
  .get_growth = blur_operation_get_growth,
  .link = blur_operation_link_original,
  .begin = take_over,
};
