#include "pixels.h"

#include "fit.h"

#include <string.h>

/* A colour model of babl's, for the engine. Models with ~ are stored through sRGB's curve in any
 * space. Those with ' are stored through the space's own curve, which also converts linear light to
 * perceptual. */
typedef struct {
  const char *name;
  int channels;
  gboolean gamma, own_curve; /* own_curve: through the space's curve */
} Model;

/* Each one without alpha is followed by the one with it. */
static const Model models[] = {
  { "Y", 1, FALSE }, /* the linear models, by number of channels */
  { "YA", 2, FALSE },
  { "RGB", 3, FALSE },
  { "RGBA", 4, FALSE },
  { "Y'", 1, TRUE, TRUE },
  { "Y'A", 2, TRUE, TRUE },
  { "R'G'B'", 3, TRUE, TRUE },
  { "R'G'B'A", 4, TRUE, TRUE },
  { "Y~", 1, TRUE },
  { "Y~A", 2, TRUE },
  { "R~G~B~", 3, TRUE },
  { "R~G~B~A", 4, TRUE },
};

static const Model *
pixels_find_model (const Babl *model)
{
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    if (babl_model_is (model, models[i].name))
      return &models[i];
  return NULL;
}

/* Returns FALSE if the engine does not support the type. */
static gboolean
get_sample (const Babl *format, FxSample *sample)
{
  static const char *const types[] = {
    [FX_SAMPLE_U8] = "u8",     [FX_SAMPLE_U16] = "u16",     [FX_SAMPLE_U32] = "u32",
    [FX_SAMPLE_HALF] = "half", [FX_SAMPLE_FLOAT] = "float", [FX_SAMPLE_DOUBLE] = "double",
  };
  const char *type = babl_get_name (babl_format_get_type (format, 0));

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (strcmp (type, types[i]) == 0)
      {
        *sample = (FxSample) i;
        return TRUE;
      }
  return FALSE;
}

/* Curves. */

static gboolean
has_one_trc (const Babl *space)
{
  const Babl *red, *green, *blue;
  double unused[8];

  babl_space_get (space, &unused[0], &unused[1], &unused[2], &unused[3], &unused[4], &unused[5],
                  &unused[6], &unused[7], &red, &green, &blue);
  return red == green && red == blue;
}

/* Converts n grey samples from the space's curve to linear light. */
static void
get_light (gconstpointer data, const double *stored, double *light, int n)
{
  const Babl *from = babl_format_with_space ("R'G'B' double", data);
  const Babl *to = babl_format_with_space ("RGB double", data);
  double pixels[FIT_SAMPLES][3];

  for (int i = 0; i < n; i++)
    pixels[i][0] = pixels[i][1] = pixels[i][2] = stored[i];
  babl_process (babl_fish (from, to), pixels, pixels, n);
  for (int i = 0; i < n; i++)
    light[i] = pixels[i][0];
}

/* Sets the curve of a format by its space, as fit_set_trc does. Leaves sRGB's curve and returns
 * FALSE if the space has a different one for each channel. */
static gboolean
set_trc (FxFormat *format, const Babl *space)
{
  const FitCurve curve = { get_light, space };
  FxTrc trc = { 0 };
  gboolean found = has_one_trc (space) && fit_trc (&curve, &trc, NULL);

  fit_set_trc (format, &trc);
  return found;
}

/* Formats. */

static void
set (Pixels *pixels, const Model *model, FxSample sample, const char *type, const Babl *space)
{
  g_autofree char *name = g_strconcat (model->name, " ", type, NULL);

  pixels->babl = babl_format_with_space (name, space);
  pixels->format = (FxFormat) { sample, model->channels, model->gamma };
}

/* Sets the space's curve. Returns FALSE if the engine needs it but does not support it. */
static gboolean
take_curve (Pixels *pixels, const Model *model, const Babl *space, gboolean perceptual)
{
  FxFormat *format = &pixels->format;

  return (format->gamma && ! model->own_curve) || set_trc (format, space) || ! format->gamma ||
         perceptual;
}

/* Returns the bytes of a pixel. */
static int
get_size (const Model *model, FxSample sample)
{
  const FxFormat format = { sample, model->channels, model->gamma };

  return (int) fx_format_size (&format);
}

/* Returns FALSE if the engine does not support the format as it is stored. */
static gboolean
take_stored (Pixels *pixels, const PixelsWanted *wanted)
{
  const Babl *source = wanted->source;
  const Model *model = pixels_find_model (babl_format_get_model (source));
  FxSample sample;

  if (! model || babl_format_is_palette (source) || ! get_sample (source, &sample) ||
      babl_format_get_n_components (source) != model->channels ||
      babl_format_get_bytes_per_pixel (source) != get_size (model, sample))
    return FALSE;
  if (wanted->alpha && model->channels % 2 == 1)
    model++;
  set (pixels, model, sample, babl_get_name (babl_format_get_type (source, 0)), source);
  return take_curve (pixels, model, babl_format_get_space (source), wanted->perceptual);
}

static gboolean
is_grey (const Babl *format)
{
  return (babl_get_model_flags (babl_format_get_model (format)) & BABL_MODEL_FLAG_GRAY) != 0;
}

void
pixels_init (Pixels *pixels, const PixelsWanted *wanted)
{
  const Babl *source = wanted->source;
  gboolean alpha = ! source || wanted->alpha || babl_format_has_alpha (source);
  gboolean grey = source && is_grey (source);

  if (source && ! wanted->floats && take_stored (pixels, wanted))
    return;
  set (pixels, &models[(grey ? 1 : 3) + alpha - 1], FX_SAMPLE_FLOAT, "float", source);
}
