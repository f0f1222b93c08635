#include "subject.h"

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

static FxFormat
get_format (gint32 drawable)
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
  FxFormat format = get_format (drawable);
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
subject_fill (gint32 drawable, GRand *rand)
{
  g_autoptr (Raster) raster = subject_read (drawable);

  raster_fill (raster, rand);
  subject_write (drawable, raster);
}

Subject
subject_new (GimpPrecision precision, GimpImageType type, int width, int height, GRand *rand)
{
  gboolean grey = type == GIMP_GRAY_IMAGE || type == GIMP_GRAYA_IMAGE;
  Subject subject;

  subject.image = gimp_image_new_with_precision (width, height, grey ? GIMP_GRAY : GIMP_RGB,
                                                 precision);
  subject.drawable = gimp_layer_new (subject.image, "subject", width, height, type, 100.0,
                                     GIMP_LAYER_MODE_NORMAL);
  gimp_image_insert_layer (subject.image, subject.drawable, -1, 0);
  subject_fill (subject.drawable, rand);
  return subject;
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

gboolean
subject_blur (Subject subject, const Args *args, char **message)
{
  gint n_values;
  GimpParam *values = gimp_run_procedure (PROCEDURE, &n_values, GIMP_PDB_INT32,
                                          GIMP_RUN_NONINTERACTIVE, GIMP_PDB_IMAGE, subject.image,
                                          GIMP_PDB_DRAWABLE, subject.drawable, GIMP_PDB_FLOAT,
                                          args->sigma_x, GIMP_PDB_FLOAT, args->sigma_y,
                                          GIMP_PDB_INT32, args->kernel_size, GIMP_PDB_INT32,
                                          args->abyss, GIMP_PDB_INT32, args->light, GIMP_PDB_INT32,
                                          args->grow, GIMP_PDB_INT32, args->device, GIMP_PDB_END);
  gboolean done = values[0].data.d_status == GIMP_PDB_SUCCESS;

  gimp_destroy_params (values, n_values);
  *message = done ? NULL : g_strdup (gimp_get_pdb_error ());
  return done;
}
