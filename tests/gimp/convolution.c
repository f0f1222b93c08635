#include "convolution.h"

#include "../lib/correlation.h"
#include "../lib/memory.h"

/* The call. */

static GimpParam
make_int (gint value)
{
  return (GimpParam) { GIMP_PDB_INT32, { .d_int32 = value } };
}

static GimpParam
make_float (double value)
{
  return (GimpParam) { GIMP_PDB_FLOAT, { .d_float = value } };
}

/* Returns how many they are. */
static int
fill_params (GimpParam *params, const Convolution *convolution)
{
  GimpParam *next = params;

  *next++ = make_int (convolution->rows);
  *next++ = make_int (convolution->columns);
  *next++ = make_int (convolution->count);
  *next++ = (GimpParam) { GIMP_PDB_FLOATARRAY, { .d_floatarray = (double *) convolution->values } };
  *next++ = make_float (convolution->divisor);
  *next++ = make_float (convolution->offset);
  *next++ = make_int (convolution->channels);
  *next++ = make_int (convolution->weighting);
  *next++ = make_int (convolution->abyss);
  *next++ = make_int (convolution->light);
  *next++ = make_int (convolution->device);
  return (int) (next - params);
}

gboolean
convolution_apply (Subject subject, GimpRunMode mode, const Convolution *convolution,
                   GimpPDBStatusType *status, char **message)
{
  GimpParam params[14] = {
    { GIMP_PDB_INT32, { .d_int32 = mode } },
    { GIMP_PDB_IMAGE, { .d_image = subject.image } },
    { GIMP_PDB_DRAWABLE, { .d_drawable = subject.drawable } },
  };
  gint n_params = 3, n_values;
  GimpParam *values;

  if (convolution)
    n_params += fill_params (params + 3, convolution);
  values = gimp_run_procedure2 (CONVOLVE, &n_values, n_params, params);
  *status = values[0].data.d_status;
  gimp_destroy_params (values, n_values);
  *message = *status == GIMP_PDB_SUCCESS
               ? NULL
               : g_strdup_printf ("status %d: %s", *status, gimp_get_pdb_error ());
  return *status == GIMP_PDB_SUCCESS;
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
