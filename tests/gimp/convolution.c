#include "convolution.h"

#include "../lib/correlation.h"
#include "../lib/memory.h"

/* The call. */

gboolean
convolution_apply (Subject subject, GimpRunMode mode, const Convolution *convolution,
                   GimpPDBStatusType *status, char **message)
{
  const Convolution given = convolution ? *convolution : (Convolution) { 0 };
  const GimpParam params[] = {
    SUBJECT_INT (given.rows),
    SUBJECT_INT (given.columns),
    SUBJECT_INT (given.count),
    { GIMP_PDB_FLOATARRAY, { .d_floatarray = (double *) given.values } },
    SUBJECT_FLOAT (given.divisor),
    SUBJECT_FLOAT (given.offset),
    SUBJECT_INT (given.channels),
    SUBJECT_INT (given.weighting),
    SUBJECT_INT (given.abyss),
    SUBJECT_INT (given.light),
    SUBJECT_INT (given.device),
  };

  return subject_call (subject, CONVOLVE, mode, params, convolution ? G_N_ELEMENTS (params) : 0,
                       status, message);
}

/* The engine. */

ConvolveParams
convolution_params (gint32 drawable, const Convolution *convolution)
{
  gboolean coverage = gimp_item_is_channel (drawable);

  return (ConvolveParams) {
    .rows = convolution->rows,
    .columns = convolution->columns,
    .values = convolution->values,
    .divisor = convolution->divisor,
    .offset = convolution->offset,
    .channels = convolution->channels,
    .alpha = (ConvolveAlpha) convolution->weighting,
    .abyss = (FxAbyss) convolution->abyss,
    .light = coverage ? FX_LIGHT_LINEAR : (FxLight) convolution->light,
  };
}

Raster *
convolution_run (const Raster *raster, const ConvolveParams *params, GError **error)
{
  g_autoptr (FxPlan) plan = convolve_plan_new (params, &raster->format, error);
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (Raster) result = raster_copy (raster);
  const Memory memory = { raster->pixels, result->pixels, raster->width, raster->height,
                          raster->format };
  FxImage image = memory_get_image (&memory);

  if (! plan || ! fx_engine_run (engine, plan, FX_DEVICE_CPU, &image, NULL, error))
    return NULL;
  return g_steal_pointer (&result);
}

/* The definition. */

double *
convolution_define (const Raster *raster, const ConvolveParams *params)
{
  g_autofree double *values = raster_values (raster);

  return correlation_get_values (params, &raster->format, raster->width, raster->height, values);
}
