#include "subject.h"
#include "../lib/run.h"

const Precision precisions[N_PRECISIONS] = {
  { GIMP_PRECISION_U8_GAMMA, FX_SAMPLE_U8, TRUE, "8-bit gamma" },
  { GIMP_PRECISION_U8_LINEAR, FX_SAMPLE_U8, FALSE, "8-bit linear" },
  { GIMP_PRECISION_U16_GAMMA, FX_SAMPLE_U16, TRUE, "16-bit gamma" },
  { GIMP_PRECISION_U16_LINEAR, FX_SAMPLE_U16, FALSE, "16-bit linear" },
  { GIMP_PRECISION_U32_GAMMA, FX_SAMPLE_U32, TRUE, "32-bit gamma" },
  { GIMP_PRECISION_U32_LINEAR, FX_SAMPLE_U32, FALSE, "32-bit linear" },
  { GIMP_PRECISION_HALF_GAMMA, FX_SAMPLE_HALF, TRUE, "half gamma" },
  { GIMP_PRECISION_HALF_LINEAR, FX_SAMPLE_HALF, FALSE, "half linear" },
  { GIMP_PRECISION_FLOAT_GAMMA, FX_SAMPLE_FLOAT, TRUE, "float gamma" },
  { GIMP_PRECISION_FLOAT_LINEAR, FX_SAMPLE_FLOAT, FALSE, "float linear" },
  { GIMP_PRECISION_DOUBLE_GAMMA, FX_SAMPLE_DOUBLE, TRUE, "double gamma" },
  { GIMP_PRECISION_DOUBLE_LINEAR, FX_SAMPLE_DOUBLE, FALSE, "double linear" },
};

static gboolean
is_coverage (gint32 drawable)
{
  return gimp_item_is_channel (drawable) || gimp_item_is_layer_mask (drawable);
}

FxFormat
subject_format (gint32 drawable)
{
  GimpPrecision precision = gimp_image_get_precision (gimp_item_get_image (drawable));
  FxFormat format = { .sample = FX_SAMPLE_U8 };

  for (int i = 0; i < N_PRECISIONS; i++)
    if (precisions[i].precision == precision)
      {
        format.sample = precisions[i].sample;
        format.gamma = precisions[i].gamma && ! is_coverage (drawable);
      }
  format.channels = gimp_drawable_bpp (drawable) / fx_sample_size (format.sample);
  return format;
}

Raster *
subject_read (gint32 drawable)
{
  GeglBuffer *buffer = gimp_drawable_get_buffer (drawable);
  FxFormat format = subject_format (drawable);
  Raster *raster = raster_new (&format, gimp_drawable_width (drawable),
                               gimp_drawable_height (drawable));

  gegl_buffer_get (buffer, GEGL_RECTANGLE (0, 0, raster->width, raster->height), 1.0, NULL,
                   raster->pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  g_object_unref (buffer);
  return raster;
}

void
subject_write (gint32 drawable, const Raster *raster)
{
  GeglBuffer *buffer = gimp_drawable_get_buffer (drawable);

  gegl_buffer_set (buffer, GEGL_RECTANGLE (0, 0, raster->width, raster->height), 0, NULL,
                   raster->pixels, GEGL_AUTO_ROWSTRIDE);
  gegl_buffer_flush (buffer);
  g_object_unref (buffer);
  gimp_drawable_update (drawable, 0, 0, raster->width, raster->height);
}

void
subject_fill (gint32 drawable, GRand *rand, gboolean wild)
{
  g_autoptr (Raster) raster = subject_read (drawable);

  raster_fill (raster, rand, wild);
  subject_write (drawable, raster);
}

Subject
subject_new_empty (GimpPrecision precision, GimpImageType type, int width, int height)
{
  gboolean grey = type == GIMP_GRAY_IMAGE || type == GIMP_GRAYA_IMAGE;
  Subject subject;

  subject.image = gimp_image_new_with_precision (width, height, grey ? GIMP_GRAY : GIMP_RGB,
                                                 precision);
  subject.drawable = gimp_layer_new (subject.image, "subject", width, height, type, 100.0,
                                     GIMP_LAYER_MODE_NORMAL);
  gimp_image_insert_layer (subject.image, subject.drawable, -1, 0);
  return subject;
}

Subject
subject_new (GimpPrecision precision, GimpImageType type, int width, int height, GRand *rand,
             gboolean wild)
{
  Subject subject = subject_new_empty (precision, type, width, height);

  subject_fill (subject.drawable, rand, wild);
  return subject;
}

BlurParams
subject_params (gint32 drawable, const Args *args)
{
  return (BlurParams) {
    .sigma_x = args->sigma_x,
    .sigma_y = args->sigma_y,
    .kernel_size = args->kernel_size,
    .abyss = (FxAbyss) args->abyss,
    .light = is_coverage (drawable) ? FX_LIGHT_LINEAR : (FxLight) args->light,
  };
}

FilterSettings *
subject_settings (const Args *args)
{
  const double values[] = { args->sigma_x, args->sigma_y, args->kernel_size, args->abyss,
                            args->light,   args->grow,    args->device };
  FilterSettings *settings = filter_settings_new (filters_find (PROCEDURE));

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    filter_settings_set (settings, i, values[i]);
  return settings;
}

void
subject_set_last_values (const Args *args)
{
  g_autoptr (FilterSettings) settings = subject_settings (args);
  g_autofree char *text = filter_settings_to_text (settings);

  gimp_set_data (PROCEDURE, text, strlen (text));
}

double *
subject_selection (Subject subject)
{
  g_autoptr (Raster) selection = subject_read (gimp_image_get_selection (subject.image));
  g_autofree double *values = raster_values (selection);
  int width = gimp_drawable_width (subject.drawable);
  int height = gimp_drawable_height (subject.drawable);
  double *mask = g_new0 (double, (gsize) width *height);
  gint left, top;

  gimp_drawable_offsets (subject.drawable, &left, &top);
  for (int y = MAX (0, -top); y < MIN (height, selection->height - top); y++)
    for (int x = MAX (0, -left); x < MIN (width, selection->width - left); x++)
      mask[(gsize) y * width + x] = values[(gsize) (y + top) * selection->width + x + left];
  return mask;
}

static const char *
status_name (GimpPDBStatusType status)
{
  const char *name = NULL;

  gimp_enum_get_value (GIMP_TYPE_PDB_STATUS_TYPE, status, &name, NULL, NULL, NULL);
  return name ? name : "unknown status";
}

gboolean
subject_call (Subject subject, const char *procedure, GimpRunMode mode, const GimpParam *args,
              int n_args, GimpPDBStatusType *status, char **message)
{
  GimpParam params[3 + SUBJECT_ARGS_MAX] = {
    { GIMP_PDB_INT32, { .d_int32 = mode } },
    { GIMP_PDB_IMAGE, { .d_image = subject.image } },
    { GIMP_PDB_DRAWABLE, { .d_drawable = subject.drawable } },
  };
  GimpParam *values;
  gint n_values;

  memcpy (params + 3, args, (gsize) n_args * sizeof *args);
  values = gimp_run_procedure2 (procedure, &n_values, 3 + n_args, params);
  *status = values[0].data.d_status;
  gimp_destroy_params (values, n_values);
  *message = *status == GIMP_PDB_SUCCESS
               ? NULL
               : g_strdup_printf ("%s: %s", status_name (*status), gimp_get_pdb_error ());
  return *status == GIMP_PDB_SUCCESS;
}

gboolean
subject_blur (Subject subject, GimpRunMode mode, const Args *args, GimpPDBStatusType *status,
              char **message)
{
  const Args given = args ? *args : (Args) { 0 };
  const GimpParam params[] = { SUBJECT_FLOAT (given.sigma_x),   SUBJECT_FLOAT (given.sigma_y),
                               SUBJECT_INT (given.kernel_size), SUBJECT_INT (given.abyss),
                               SUBJECT_INT (given.light),       SUBJECT_INT (given.grow),
                               SUBJECT_INT (given.device) };

  return subject_call (subject, PROCEDURE, mode, params, args ? G_N_ELEMENTS (params) : 0, status,
                       message);
}

static gboolean
no_pixel_read (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  memset (pixels, 0, stride * (rect->height - 1) + rect->width);
  return TRUE;
}

static gboolean
no_pixel_write (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride,
                GError **error)
{
  return TRUE;
}

/* One that fails is there: what asks for it is to fail too. */
static gboolean
gpu_is_there (void)
{
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (GError) error = NULL;
  const BlurParams params = { .sigma_x = 1.0, .sigma_y = 1.0 };
  FxImage image = {
    .format = { FX_SAMPLE_U8, 1, FALSE },
    .width = 1,
    .height = 1,
    .region = { 0, 0, 1, 1 },
    .read = no_pixel_read,
    .write = no_pixel_write,
  };

  run_blur (engine, &params, FX_DEVICE_GPU, &image, NULL, &error);
  return ! g_error_matches (error, FX_ERROR, FX_ERROR_UNAVAILABLE);
}

gboolean
subject_on_gpu (int device)
{
  static int there = -1;

  if (device == FX_DEVICE_CPU ||
      (device == FX_DEVICE_AUTO && g_strcmp0 (g_getenv ("CUDA_BLUR_DEVICE"), "cpu") == 0))
    return FALSE;
  if (there < 0)
    there = gpu_is_there ();
  return there;
}

char *
subject_differs (const Raster *actual, const Raster *expected, int device, double range,
                 double factor)
{
  g_autofree double *values = NULL;

  if (! subject_on_gpu (device) || raster_bytes (actual) != raster_bytes (expected))
    return raster_differs (actual, expected);
  values = raster_values (expected);
  return raster_compare (actual, values, range, factor);
}
