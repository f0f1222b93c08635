#include "convolution.h"

#include "../lib/memory.h"

#include <math.h>

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

typedef struct {
  const ConvolveParams *params;
  const FxFormat *format;
  const double *source;           /* in the light, straight */
  int width, height, alpha;       /* alpha: its channel, or -1 */
  double sum, divisor, magnitude; /* of the values */
  gboolean both;                  /* there are values of both signs */
} Definition;

static void
find_sums (Definition *definition)
{
  const ConvolveParams *params = definition->params;
  gboolean above = FALSE, below = FALSE;

  for (int i = 0; i < params->rows * params->columns; i++)
    {
      definition->sum += params->values[i];
      definition->magnitude += fabs (params->values[i]);
      above = above || params->values[i] > 0.0;
      below = below || params->values[i] < 0.0;
    }
  if (fabs (definition->sum) < 1e-12 * definition->magnitude)
    definition->sum = 0.0;
  definition->both = above && below;
  definition->divisor = params->divisor != 0.0   ? params->divisor
                        : definition->sum != 0.0 ? definition->sum
                                                 : 1.0;
}

/* Channel c of the pixel at x, y, which may lie beyond the edge. */
static double
get_sample (const Definition *definition, int x, int y, int c)
{
  FxAbyss abyss = definition->params->abyss;
  int width = definition->width, height = definition->height;

  if (abyss == FX_ABYSS_CLAMP)
    {
      x = CLAMP (x, 0, width - 1);
      y = CLAMP (y, 0, height - 1);
    }
  if (x >= 0 && x < width && y >= 0 && y < height)
    return definition->source[((gsize) y * width + x) * definition->format->channels + c];
  return abyss == FX_ABYSS_WHITE || (abyss == FX_ABYSS_BLACK && c == definition->alpha) ? 1.0 : 0.0;
}

/* The sum of the values, or of their magnitudes, times channel c, times alpha where weighed; c -1:
 * times 1. */
static double
correlate (const Definition *definition, int x, int y, int c, gboolean weighed, gboolean magnitudes)
{
  const ConvolveParams *params = definition->params;
  double sum = 0.0;

  for (int i = 0; i < params->rows * params->columns; i++)
    {
      int at_x = x + i % params->columns - params->columns / 2;
      int at_y = y + i / params->columns - params->rows / 2;
      double value = magnitudes ? fabs (params->values[i]) : params->values[i];

      if (c >= 0)
        value *= get_sample (definition, at_x, at_y, c);
      if (weighed)
        value *= get_sample (definition, at_x, at_y, definition->alpha);
      sum += value;
    }
  return sum;
}

static gboolean
is_written (const Definition *definition, int c)
{
  guint asked = definition->params->channels;

  if (c == definition->alpha)
    return asked == 0 ? definition->sum != 0.0 : asked & CONVOLVE_ALPHA;
  if (asked == 0)
    return TRUE;
  return definition->format->channels > 2 ? asked >> c & 1 : (asked & 7) != 0;
}

static double
get_colour (const Definition *definition, int x, int y, int c)
{
  const ConvolveParams *params = definition->params;
  gboolean weighed = params->alpha == CONVOLVE_ALPHA_PREMULTIPLIED ||
                     (params->alpha == CONVOLVE_ALPHA_AUTOMATIC && definition->sum != 0.0);
  double numerator, by;

  if (definition->alpha < 0 || ! weighed)
    return correlate (definition, x, y, c, FALSE, FALSE) / definition->divisor + params->offset;
  numerator = correlate (definition, x, y, c, TRUE, FALSE);
  if (! is_written (definition, definition->alpha) && definition->both)
    {
      by = correlate (definition, x, y, -1, TRUE, TRUE) / definition->magnitude;
      numerator /= definition->divisor;
    }
  else
    {
      by = correlate (definition, x, y, -1, TRUE, FALSE);
      numerator *= definition->sum != 0.0 ? definition->sum / definition->divisor : 1.0;
    }
  return (by != 0.0 ? numerator / by : 0.0) + params->offset;
}

static double
get_alpha (const Definition *definition, int x, int y)
{
  const ConvolveParams *params = definition->params;

  return correlate (definition, x, y, definition->alpha, FALSE, FALSE) / definition->divisor +
         (params->channels & CONVOLVE_ALPHA ? params->offset : 0.0);
}

/* The curves, of colours: the raster's own, which premultiplies where there is alpha. */
static void
convert (double *values, gsize pixels, const FxFormat *format, FxLight light, gboolean into)
{
  const FxFormat plain = { format->sample, 1, format->gamma };

  for (gsize i = 0; i < pixels * format->channels; i++)
    if (format->channels % 2 != 0 || (int) (i % format->channels) != format->channels - 1)
      (into ? raster_premultiply : raster_unpremultiply) (values + i, 1, &plain, light);
}

double *
convolution_define (const Raster *raster, const ConvolveParams *params)
{
  const FxFormat *format = &raster->format;
  gsize pixels = (gsize) raster->width * raster->height;
  g_autofree double *source = raster_values (raster), *stored = raster_values (raster);
  double *result = raster_values (raster);
  Definition definition = { params,         format,
                            source,         raster->width,
                            raster->height, format->channels % 2 == 0 ? format->channels - 1 : -1 };

  find_sums (&definition);
  convert (source, pixels, format, params->light, TRUE);
  for (gsize i = 0; i < pixels * format->channels; i++)
    {
      int c = (int) (i % format->channels);
      int x = (int) (i / format->channels % raster->width);
      int y = (int) (i / format->channels / raster->width);

      result[i] = c == definition.alpha ? get_alpha (&definition, x, y)
                                        : get_colour (&definition, x, y, c);
    }
  convert (result, pixels, format, params->light, FALSE);
  for (gsize i = 0; i < pixels * format->channels; i++)
    if (! is_written (&definition, (int) (i % format->channels)))
      result[i] = stored[i];
    else if (format->sample <= FX_SAMPLE_U32)
      result[i] = CLAMP (result[i], 0.0, 1.0);
  return result;
}

double
convolution_gain (const ConvolveParams *params)
{
  Definition definition = { .params = params };

  find_sums (&definition);
  return MAX (1.0, definition.magnitude / fabs (definition.divisor));
}
