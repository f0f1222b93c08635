/* A plug-in of GIMP 3 with two procedures, for what no script can do there.
 *
 * bench-effect (width, height, float) times an effect whose sigma changes as if a slider moved,
 * from each change until the whole picture has followed, as a new layer.
 *
 * bench-pairs (count, seed, file) filters random layers with random settings, and writes what comes
 * out to a file: gimp3-pairs.py compares the files of two runs with the same seed, one with
 * CUDA_BLUR_DEVICE=gpu and one with cpu.
 *
 * Build it with the flags of `pkg-config --cflags --libs gimp-3.0`, and put it into a folder of its
 * name in GIMP's plug-ins. */
#include <libgimp/gimp.h>
#include <math.h>
#include <stdio.h>

#define TYPE_PROBE (probe_get_type ())
G_DECLARE_FINAL_TYPE (Probe, probe, GIMP3, PROBE, GimpPlugIn)

struct _Probe {
  GimpPlugIn parent;
};

G_DEFINE_FINAL_TYPE (Probe, probe, GIMP_TYPE_PLUG_IN)

/* Effects. */

#define WARM_UP 5
#define CALLS   21

static void
set_sigma (GimpDrawableFilter *effect, double sigma)
{
  g_object_set (gimp_drawable_filter_get_config (effect), "std-dev-x", sigma, "std-dev-y", sigma,
                NULL);
  gimp_drawable_filter_update (effect);
}

static double
time_change (GimpImage *image, GimpDrawableFilter *effect, double sigma)
{
  gint64 start = g_get_monotonic_time ();

  set_sigma (effect, sigma);
  gimp_item_delete (GIMP_ITEM (gimp_layer_new_from_visible (image, image, "")));
  return (double) (g_get_monotonic_time () - start) / 1000;
}

static GimpDrawable *
add_layer (GimpImage *image, GimpImageType type)
{
  GimpLayer *layer = gimp_layer_new (image, "", gimp_image_get_width (image),
                                     gimp_image_get_height (image), type, 100,
                                     GIMP_LAYER_MODE_NORMAL);

  gimp_image_undo_disable (image);
  gimp_image_insert_layer (image, layer, NULL, 0);
  return GIMP_DRAWABLE (layer);
}

static GimpDrawableFilter *
new_filter (GimpDrawable *layer, const char *operation)
{
  GimpDrawableFilter *filter = gimp_drawable_filter_new (layer, operation, "");

  gimp_drawable_filter_set_blend_mode (filter, GIMP_LAYER_MODE_REPLACE);
  return filter;
}

static void
fill_with_plasma (GimpDrawable *layer)
{
  GimpDrawableFilter *plasma = new_filter (layer, "gegl:plasma");

  g_object_set (gimp_drawable_filter_get_config (plasma), "width", gimp_drawable_get_width (layer),
                "height", gimp_drawable_get_height (layer), NULL);
  gimp_drawable_merge_filter (layer, plasma);
}

static void
time_effect (const char *operation, int width, int height, GimpPrecision precision)
{
  GimpImage *image = gimp_image_new_with_precision (width, height, GIMP_RGB, precision);
  GimpDrawable *layer = add_layer (image, GIMP_RGBA_IMAGE);
  GimpDrawableFilter *effect;
  int i;

  fill_with_plasma (layer);
  effect = new_filter (layer, operation);
  set_sigma (effect, 6);
  gimp_drawable_append_filter (layer, effect);
  for (i = -WARM_UP; i < CALLS; i++)
    {
      double ms = time_change (image, effect, 10 + 0.5 * i);

      if (i >= 0)
        g_print ("effect\t%s\t%dx%d\t%s\t%.3f\n", operation, width, height,
                 precision == GIMP_PRECISION_FLOAT_LINEAR ? "float" : "u8", ms);
    }
  gimp_image_delete (image);
}

static GimpValueArray *
run_effect (GimpProcedure *procedure, GimpProcedureConfig *config, G_GNUC_UNUSED gpointer data)
{
  int width, height;
  gboolean is_float;
  GimpPrecision precision;

  g_object_get (config, "width", &width, "height", &height, "float", &is_float, NULL);
  precision = is_float ? GIMP_PRECISION_FLOAT_LINEAR : GIMP_PRECISION_U8_NON_LINEAR;
  time_effect ("gegl:gaussian-blur", width, height, precision);
  time_effect ("cuda:gaussian-blur", width, height, precision);
  return gimp_procedure_new_return_values (procedure, GIMP_PDB_SUCCESS, NULL);
}

/* Pairs. */

/* Cells of black, white and noise. */
static void
fill_with_cells (GimpDrawable *layer, GRand *rand)
{
  const int width = gimp_drawable_get_width (layer), height = gimp_drawable_get_height (layer);
  const int cell = g_rand_int_range (rand, 1, 40);
  g_autofree float *pixels = g_new (float, (gsize) width *height * 4);
  g_autoptr (GeglBuffer) buffer = gimp_drawable_get_buffer (layer);
  float *sample = pixels;
  int x, y, c;

  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++)
      for (c = 0; c < 4; c++)
        {
          const int kind = (x / cell + y / cell + c) % 4;

          *sample++ = kind < 2 ? (float) kind : (float) g_rand_double (rand);
        }
  gegl_buffer_set (buffer, GEGL_RECTANGLE (0, 0, width, height), 0, babl_format ("R'G'B'A float"),
                   pixels, GEGL_AUTO_ROWSTRIDE);
}

static double
pick_size (GRand *rand, double least, double most)
{
  return least * pow (most / least, g_rand_double (rand));
}

static char *
make_matrix (GRand *rand)
{
  const int size = 2 * g_rand_int_range (rand, 0, 20) + 1;
  GString *text = g_string_new (NULL);
  int i;

  for (i = 0; i < size * size; i++)
    g_string_append_printf (text, "%d%c", g_rand_int_range (rand, 0, 9),
                            i % size == size - 1 ? '\n' : ' ');
  return g_string_free (text, FALSE);
}

static GimpDrawableFilter *
make_filter (GimpDrawable *layer, GRand *rand)
{
  static const char *const operations[] = { "cuda:gaussian-blur", "cuda:lens-blur",
                                            "cuda:convolve" };
  const guint n = (guint) g_rand_int_range (rand, 0, G_N_ELEMENTS (operations));
  GimpDrawableFilter *filter = new_filter (layer, operations[n]);
  GimpDrawableFilterConfig *config = gimp_drawable_filter_get_config (filter);
  g_autofree char *matrix = n == 2 ? make_matrix (rand) : NULL;

  if (n == 0)
    g_object_set (config, "std-dev-x", pick_size (rand, 0.3, 70), "std-dev-y",
                  pick_size (rand, 0.3, 70), NULL);
  else if (n == 1)
    g_object_set (config, "radius", pick_size (rand, 1, 55), "highlights",
                  g_rand_boolean (rand) ? 4.0 : 0.0, NULL);
  else
    g_object_set (config, "values", matrix, NULL);
  return filter;
}

static void
write_layer (GimpDrawable *layer, const char *operation, FILE *file)
{
  const Babl *format = gimp_drawable_get_format (layer);
  const int width = gimp_drawable_get_width (layer), height = gimp_drawable_get_height (layer);
  const gsize size = (gsize) width * height * babl_format_get_bytes_per_pixel (format);
  g_autoptr (GeglBuffer) buffer = gimp_drawable_get_buffer (layer);
  g_autofree char *pixels = g_malloc (size);

  gegl_buffer_get (buffer, GEGL_RECTANGLE (0, 0, width, height), 1.0, format, pixels,
                   GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  fprintf (file, "%s;%d;%d;%s\n", babl_format_get_encoding (format), width, height, operation);
  fwrite (pixels, 1, size, file);
}

static void
write_random (GRand *rand, FILE *file)
{
  static const GimpPrecision precisions[] = {
    GIMP_PRECISION_U8_NON_LINEAR,    GIMP_PRECISION_U16_NON_LINEAR, GIMP_PRECISION_U16_LINEAR,
    GIMP_PRECISION_U32_LINEAR,       GIMP_PRECISION_HALF_LINEAR,    GIMP_PRECISION_FLOAT_LINEAR,
    GIMP_PRECISION_FLOAT_NON_LINEAR, GIMP_PRECISION_DOUBLE_LINEAR
  };
  const int width = g_rand_int_range (rand, 1, 700), height = g_rand_int_range (rand, 1, 500);
  const gboolean gray = g_rand_int_range (rand, 0, 4) == 0, alpha = g_rand_boolean (rand);
  GimpImage *image = gimp_image_new_with_precision (
    width, height, gray ? GIMP_GRAY : GIMP_RGB,
    precisions[g_rand_int_range (rand, 0, G_N_ELEMENTS (precisions))]);
  GimpDrawable *layer = add_layer (image,
                                   (GimpImageType) ((gray ? GIMP_GRAY_IMAGE : GIMP_RGB_IMAGE) +
                                                    alpha));
  GimpDrawableFilter *filter;
  g_autofree char *operation = NULL;

  fill_with_cells (layer, rand);
  filter = make_filter (layer, rand);
  operation = gimp_drawable_filter_get_operation_name (filter);
  gimp_drawable_merge_filter (layer, filter);
  write_layer (layer, operation, file);
  gimp_image_delete (image);
}

static GimpValueArray *
run_pairs (GimpProcedure *procedure, GimpProcedureConfig *config, G_GNUC_UNUSED gpointer data)
{
  int count, seed;
  g_autofree char *name = NULL;
  GRand *rand;
  FILE *file;
  gboolean written;

  gegl_init (NULL, NULL);
  g_object_get (config, "count", &count, "seed", &seed, "file", &name, NULL);
  rand = g_rand_new_with_seed ((guint32) seed);
  file = fopen (name, "wb");
  while (file && count-- > 0)
    write_random (rand, file);
  written = file && fclose (file) == 0;
  g_rand_free (rand);
  return gimp_procedure_new_return_values (procedure,
                                           written ? GIMP_PDB_SUCCESS : GIMP_PDB_EXECUTION_ERROR,
                                           NULL);
}

/* The plug-in. */

static GList *
query_procedures (G_GNUC_UNUSED GimpPlugIn *plug_in)
{
  return g_list_append (g_list_append (NULL, g_strdup ("bench-effect")), g_strdup ("bench-pairs"));
}

static GimpProcedure *
create_procedure (GimpPlugIn *plug_in, const char *name)
{
  const gboolean effect = g_str_equal (name, "bench-effect");
  const char *const first = effect ? "width" : "count", *const second = effect ? "height" : "seed";
  GimpProcedure *procedure = gimp_procedure_new (plug_in, name, GIMP_PDB_PROC_TYPE_PLUGIN,
                                                 effect ? run_effect : run_pairs, NULL, NULL);

  gimp_procedure_add_int_argument (procedure, first, first, NULL, 1, 65536, 1, G_PARAM_READWRITE);
  gimp_procedure_add_int_argument (procedure, second, second, NULL, 1, 65536, 1, G_PARAM_READWRITE);
  if (effect)
    gimp_procedure_add_boolean_argument (procedure, "float", "float", NULL, FALSE,
                                         G_PARAM_READWRITE);
  else
    gimp_procedure_add_string_argument (procedure, "file", "file", NULL, "", G_PARAM_READWRITE);
  return procedure;
}

static gboolean
set_i18n (G_GNUC_UNUSED GimpPlugIn *plug_in, G_GNUC_UNUSED const char *procedure,
          G_GNUC_UNUSED char **domain, G_GNUC_UNUSED char **folder)
{
  return FALSE;
}

static void
probe_class_init (ProbeClass *class)
{
  GimpPlugInClass *plug_in_class = GIMP_PLUG_IN_CLASS (class);

  plug_in_class->query_procedures = query_procedures;
  plug_in_class->create_procedure = create_procedure;
  plug_in_class->set_i18n = set_i18n;
}

static void
probe_init (G_GNUC_UNUSED Probe *probe)
{
}

GIMP_MAIN (TYPE_PROBE)
