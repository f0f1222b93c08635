#include "operation-description.h"
#include "selective.h"

#include <math.h>

static const OperationProperty properties[] = {
  { .property = "sigma", .usual_maximum = 20.0, .gamma = 2.0, .unit = "pixel-distance" },
  { .property = "delta", .usual_maximum = 0.5, .gamma = 1.0 },
  { .property = "abyss", .values = operation_abysses },
  { NULL },
};

/* GEGL's weights are exp (-0.5 d^2 / blur-radius). */
static double
convert_radius (double radius, const GeglRectangle *box)
{
  return sqrt (radius);
}

/* GEGL's window has as many pixels on each side as blur-radius has whole ones. Those beyond 6 sigma
 * are left out: their weights are 1.5e-8 of the middle's and less, which single precision, in which
 * GEGL sums them, does not hold beside that. */
static FxPlan *
make_taken_plan (const FilterSettings *settings, const FxFormat *format)
{
  double sigma = filter_settings_get_named (settings, "sigma");
  double radius = sigma * sigma * (1.0 + 1e-15); /* not below the one that sigma is the root of */
  const SelectiveParams params = {
    .sigma = sigma,
    .radius = (int) MIN (radius, ceil (6.0 * sigma)),
    .delta = filter_settings_get_named (settings, "delta"),
    .edges = SELECTIVE_HARD,
    .abyss = FX_ABYSS_CLAMP,
    .light = FX_LIGHT_PERCEPTUAL,
  };
  FxPlan *plan = selective_plan_new (&params, format, NULL);

  return plan ? plan : fx_plan_new_missing (format);
}

static const TakenProperty taken_properties[] = {
  { "blur-radius", "sigma", G_TYPE_DOUBLE, NULL, convert_radius },
  { "max-delta", "delta", G_TYPE_DOUBLE, NULL, NULL },
  { NULL },
};

static const TakenOperation taken[] = {
  { .name = "gegl:gaussian-blur-selective",
    .properties = taken_properties,
    .make_plan = make_taken_plan },
  { NULL },
};

const OperationDescription selective_blur_operation = {
  .filter = &selective_blur,
  .type_name = "CudaSelectiveBlur",
  .categories = "blur",
  .properties = properties,
  .taken = taken,
};
