#include "operation-description.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Sigma has no unit: with one, and an axis, GIMP ends the slider at the layer's size, and makes it
 * linear. */
static const OperationProperty properties[] = {
  { .property = "sigma-x",
    .usual_minimum = 0.24,
    .usual_maximum = 300.0,
    .gamma = 3.0,
    .axis = "x" },
  { .property = "sigma-y",
    .usual_minimum = 0.24,
    .usual_maximum = 300.0,
    .gamma = 3.0,
    .axis = "y" },
  { .property = "kernel-size",
    .usual_maximum = 101.0,
    .gamma = 1.0,
    .label = N_ ("Kernel size (0: automatic)") },
  { .property = "abyss", .values = operation_abysses },
  { NULL },
};

/* Returns the growth of gegl:gaussian-blur: half the length of its FIR, with sigma rounded to a
 * float as there. An explicit kernel size gives half of that size. */
static int
get_axis_growth (const FilterSettings *settings, const char *sigma)
{
  int size = (int) filter_settings_get_named (settings, "kernel-size");
  float value = (float) filter_settings_get_named (settings, sigma);

  if (value <= 1e-5)
    return 0;
  return (size > 0 ? size : (int) ceil (value * 6.5)) / 2;
}

static void
blur_operation_get_growth (const FilterSettings *settings, const FxGeometry *geometry, int *x,
                           int *y)
{
  *x = get_axis_growth (settings, "sigma-x");
  *y = get_axis_growth (settings, "sigma-y");
}

/* GEGL's policies in order: bindings between enums pass the number. */
static const char *const their_abysses[] = { "none", "clamp", "black", "white", NULL };

/* All of theirs but "filter", which chooses between two that are less exact. */
static const TakenProperty taken_properties[] = {
  { "std-dev-x", "std-dev-x", G_TYPE_DOUBLE, NULL, NULL },
  { "std-dev-y", "std-dev-y", G_TYPE_DOUBLE, NULL, NULL },
  { "abyss-policy", "abyss-policy", G_TYPE_ENUM, their_abysses, NULL },
  { "clip-extent", "clip-extent", G_TYPE_BOOLEAN, NULL, NULL },
  { NULL },
};

static const TakenOperation taken[] = {
  { .name = "gegl:gaussian-blur", .properties = taken_properties },
  { NULL },
};

const OperationDescription gaussian_blur_operation = {
  .filter = &gaussian_blur,
  .type_name = "CudaGaussianBlur",
  .categories = "blur",
  .properties = properties,
  .get_growth = blur_operation_get_growth,
  .taken = taken,
};
