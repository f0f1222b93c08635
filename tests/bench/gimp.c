/* Measures calls of procedures within one session of the real GIMP; tests/bench.sh runs it.
 *
 * A test-only plug-in with two procedures. plug-in-cuda-blur-bench is the driver: it times each call
 * from the caller's side, which is what a user waits for. plug-in-cuda-blur-bench-tiles is the floor
 * of any plug-in: it reads every pixel of a drawable, writes it to the shadow buffer and merges that,
 * with no blur between. It is a procedure of its own, and not a function of the driver, so that GIMP
 * starts a process for it as it does for the blur: what both pay (the process, babl, GEGL) is in both
 * figures, and their difference is the blur alone. It also returns how long the traffic took without
 * that start (the figure `tiles-traffic`).
 *
 * Every repetition calls all contestants on the same layer, in an order that rotates, so that a drift
 * of the machine's speed falls on all of them alike.
 *
 * The environment says what to measure (bench.sh sets all of it):
 *   BENCH_OUT      file for the figures: what, width, height, format, sigma, device, median, minimum,
 *                  maximum (milliseconds), count, tab-separated, a line each
 *   BENCH_SIZES    1920x1080,3840x2160
 *   BENCH_FORMATS  u8,float
 *   BENCH_SIGMAS   2,10
 *   BENCH_DEVICES  gpu,cpu; auto: the GPU if there is one, else the CPU
 *   BENCH_REPEATS  timed calls a figure
 *   BENCH_SECONDS  after that long nothing new is begun; 0: no limit
 */
#include <libgimp/gimp.h>
#include <stdlib.h>
#include <string.h>

#define BENCH "plug-in-cuda-blur-bench"
#define TILES "plug-in-cuda-blur-bench-tiles"
#define BLUR  "plug-in-cuda-gaussian-blur"
#define GAUSS "plug-in-gauss"

/* GIMP 2.10 maps plug-in-gauss's radius r to GEGL's std-dev 0.32 r, so that sigma needs this
 * radius. (The older formula sqrt (-r^2 / (2 ln (1/255))) = 0.3004 r no longer holds: an impulse
 * blurred with radius 60 comes out with a standard deviation of 18.8.) */
#define GAUSS_RADIUS(sigma) ((sigma) / 0.32)

#define BAND 128 /* rows: one row of tiles */

enum { DEVICE_GPU = 1, DEVICE_CPU = 2 };

/* One of those who run on a layer. */
typedef struct {
  const char *what;
  int device;     /* for BLUR alone */
  GArray *times;  /* of double, milliseconds */
  GArray *inner;  /* for TILES alone: what it measured itself */
} Contestant;

typedef struct {
  char **sizes, **formats, **sigmas;
  GArray *devices;
  int repeats;
  gint64 deadline; /* monotonic, 0: none */
  FILE *out;
} Bench;

typedef struct {
  gint32 image, drawable;
  int width, height;
  const char *format;
} Layer;

/* Tiles. */

static double
copy_tiles (gint32 drawable)
{
  gint64 start = g_get_monotonic_time ();
  GeglBuffer *from = gimp_drawable_get_buffer (drawable);
  GeglBuffer *to = gimp_drawable_get_shadow_buffer (drawable);
  const Babl *format = gegl_buffer_get_format (from);
  int width = gimp_drawable_width (drawable), height = gimp_drawable_height (drawable);
  void *pixels = g_malloc ((gsize) width * BAND * babl_format_get_bytes_per_pixel (format));

  for (int y = 0; y < height; y += BAND)
    {
      GeglRectangle rect = { 0, y, width, MIN (BAND, height - y) };

      gegl_buffer_get (from, &rect, 1.0, format, pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      gegl_buffer_set (to, &rect, 0, format, pixels, GEGL_AUTO_ROWSTRIDE);
    }
  g_free (pixels);
  g_object_unref (from);
  g_object_unref (to); /* sends what is left of it */
  gimp_drawable_merge_shadow (drawable, TRUE);
  gimp_drawable_update (drawable, 0, 0, width, height);
  return (g_get_monotonic_time () - start) / 1000.0;
}

/* Calls. */

/* Returns the procedure's first value, or 0 if it has none; stops the benchmark if it failed, unless
 * failed is not NULL. Frees values. */
static double
finish_call (const char *what, GimpParam *values, int n, gboolean *failed)
{
  double first = n > 1 && values[1].type == GIMP_PDB_FLOAT ? values[1].data.d_float : 0;
  GimpPDBStatusType status = values ? values[0].data.d_status : GIMP_PDB_CALLING_ERROR;

  if (values)
    gimp_destroy_params (values, n);
  if (failed)
    *failed = status != GIMP_PDB_SUCCESS;
  else if (status != GIMP_PDB_SUCCESS)
    {
      fprintf (stderr, "bench: %s failed: %s\n", what, gimp_get_pdb_error ());
      exit (1);
    }
  return first;
}

static double
call_blur (gint32 image, gint32 drawable, double sigma, int device, gboolean *failed)
{
  int n;
  GimpParam *values = gimp_run_procedure (BLUR, &n, GIMP_PDB_INT32, GIMP_RUN_NONINTERACTIVE,
                                          GIMP_PDB_IMAGE, image, GIMP_PDB_DRAWABLE, drawable,
                                          GIMP_PDB_FLOAT, sigma, GIMP_PDB_FLOAT, sigma,
                                          GIMP_PDB_INT32, 0, GIMP_PDB_INT32, 0,
                                          GIMP_PDB_INT32, 0, GIMP_PDB_INT32, 0,
                                          GIMP_PDB_INT32, device, GIMP_PDB_END);

  return finish_call (BLUR, values, n, failed);
}

static double
call_gauss (gint32 image, gint32 drawable, double sigma)
{
  int n;
  GimpParam *values = gimp_run_procedure (GAUSS, &n, GIMP_PDB_INT32, GIMP_RUN_NONINTERACTIVE,
                                          GIMP_PDB_IMAGE, image, GIMP_PDB_DRAWABLE, drawable,
                                          GIMP_PDB_FLOAT, GAUSS_RADIUS (sigma),
                                          GIMP_PDB_FLOAT, GAUSS_RADIUS (sigma),
                                          GIMP_PDB_INT32, 0, GIMP_PDB_END);

  return finish_call (GAUSS, values, n, NULL);
}

static double
call_tiles (gint32 image, gint32 drawable)
{
  int n;
  GimpParam *values = gimp_run_procedure (TILES, &n, GIMP_PDB_INT32, GIMP_RUN_NONINTERACTIVE,
                                          GIMP_PDB_IMAGE, image, GIMP_PDB_DRAWABLE, drawable,
                                          GIMP_PDB_END);

  return finish_call (TILES, values, n, NULL);
}

static void
call (Contestant *who, const Layer *layer, double sigma, gboolean timed)
{
  gint64 start = g_get_monotonic_time ();
  double inner = 0, ms;

  if (strcmp (who->what, "blur") == 0)
    call_blur (layer->image, layer->drawable, sigma, who->device, NULL);
  else if (strcmp (who->what, "tiles") == 0)
    inner = call_tiles (layer->image, layer->drawable);
  else
    call_gauss (layer->image, layer->drawable, sigma);
  ms = (g_get_monotonic_time () - start) / 1000.0;
  if (! timed)
    return;
  g_array_append_val (who->times, ms);
  if (who->inner)
    g_array_append_val (who->inner, inner);
}

/* Layers. */

/* Smooth colours, noise on top and some transparency, as pixels of RGBA float in linear light: no two
 * tiles are alike, so that nothing of GIMP's can share them. */
static void
fill_layer (gint32 drawable, int width, int height)
{
  GeglBuffer *buffer = gimp_drawable_get_buffer (drawable);
  const Babl *format = babl_format ("RGBA float");
  float *row = g_new (float, (gsize) width * 4);
  guint32 random = 1;

  for (int y = 0; y < height; y++)
    {
      for (int i = 0; i < width * 4; i++)
        {
          float smooth = i % 4 == 3 ? 0.9f : (float) (i / 4 * (i % 4 + 1) % width + y % 512) / (width + 512);

          random ^= random << 13;
          random ^= random >> 17;
          random ^= random << 5;
          row[i] = 0.8f * smooth + 0.1f + 0.1f * (random >> 8) / (1 << 24);
        }
      gegl_buffer_set (buffer, GEGL_RECTANGLE (0, y, width, 1), 0, format, row,
                       GEGL_AUTO_ROWSTRIDE);
    }
  g_free (row);
  g_object_unref (buffer);
  gimp_drawable_update (drawable, 0, 0, width, height);
}

static Layer
make_layer (int width, int height, const char *format)
{
  gboolean is_float = strcmp (format, "float") == 0;
  Layer layer = { .width = width, .height = height, .format = format };

  layer.image = gimp_image_new_with_precision (width, height, GIMP_RGB,
                                               is_float ? GIMP_PRECISION_FLOAT_LINEAR
                                                        : GIMP_PRECISION_U8_GAMMA);
  layer.drawable = gimp_layer_new (layer.image, "bench", width, height, GIMP_RGBA_IMAGE, 100,
                                   GIMP_LAYER_MODE_NORMAL);
  gimp_image_insert_layer (layer.image, layer.drawable, -1, 0);
  fill_layer (layer.drawable, width, height);
  return layer;
}

/* Figures. */

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
print_figure (const Bench *bench, const char *what, const Layer *layer, const char *sigma,
              const char *device, GArray *times)
{
  const double *t = (const double *) (void *) times->data;
  int n = times->len;

  if (n == 0)
    return;
  g_array_sort (times, compare_doubles);
  fprintf (bench->out, "%s\t%d\t%d\t%s\t%s\t%s\t%.3f\t%.3f\t%.3f\t%d\n", what, layer->width,
           layer->height, layer->format, sigma, device, (t[(n - 1) / 2] + t[n / 2]) / 2, t[0],
           t[n - 1], n);
  fflush (bench->out);
}

static gboolean
is_late (const Bench *bench)
{
  return bench->deadline > 0 && g_get_monotonic_time () > bench->deadline;
}

static void
measure_sigma (const Bench *bench, const Layer *layer, const char *sigma, GPtrArray *contestants)
{
  double value = g_ascii_strtod (sigma, NULL);

  for (guint i = 0; i < contestants->len; i++)
    call (contestants->pdata[i], layer, value, FALSE);
  for (int r = 0; r < bench->repeats && ! (r > 0 && is_late (bench)); r++)
    for (guint i = 0; i < contestants->len; i++)
      call (contestants->pdata[(i + r) % contestants->len], layer, value, TRUE);
  for (guint i = 0; i < contestants->len; i++)
    {
      Contestant *who = contestants->pdata[i];

      if (who->inner)
        continue; /* knows no sigma: one figure for all of them */
      print_figure (bench, who->what, layer, sigma, who->device == DEVICE_GPU ? "gpu" : "cpu",
                    who->times);
      g_array_set_size (who->times, 0);
    }
}

static Contestant *
add_contestant (GPtrArray *contestants, const char *what, int device)
{
  Contestant *who = g_new0 (Contestant, 1);

  who->what = what;
  who->device = device;
  who->times = g_array_new (FALSE, FALSE, sizeof (double));
  g_ptr_array_add (contestants, who);
  return who;
}

static void
measure_layer (const Bench *bench, const Layer *layer)
{
  GPtrArray *contestants = g_ptr_array_new ();
  Contestant *tiles = add_contestant (contestants, "tiles", 0);

  tiles->inner = g_array_new (FALSE, FALSE, sizeof (double));
  add_contestant (contestants, GAUSS, 0);
  for (guint i = 0; i < bench->devices->len; i++)
    add_contestant (contestants, "blur", g_array_index (bench->devices, int, i));
  for (int i = 0; bench->sigmas[i]; i++)
    if (! is_late (bench))
      measure_sigma (bench, layer, bench->sigmas[i], contestants);
    else
      fprintf (stderr, "bench: left out, no time: %dx%d %s sigma %s\n", layer->width,
               layer->height, layer->format, bench->sigmas[i]);
  print_figure (bench, "tiles", layer, "0", "cpu", tiles->times);
  print_figure (bench, "tiles-traffic", layer, "0", "cpu", tiles->inner);
}

/* Whether the GPU engine works here. */
static gboolean
has_gpu (void)
{
  Layer layer = make_layer (64, 64, "u8");
  gboolean failed;

  call_blur (layer.image, layer.drawable, 2.0, DEVICE_GPU, &failed);
  if (failed)
    fprintf (stderr, "bench: no GPU: %s\n", gimp_get_pdb_error ());
  gimp_image_delete (layer.image);
  return ! failed;
}

static char **
get_list (const char *name)
{
  const char *value = g_getenv (name);

  return g_strsplit (value ? value : "", ",", -1);
}

static void
add_devices (Bench *bench)
{
  char **names = get_list ("BENCH_DEVICES");

  bench->devices = g_array_new (FALSE, FALSE, sizeof (int));
  for (int i = 0; names[i]; i++)
    {
      int device = strcmp (names[i], "cpu") == 0 ? DEVICE_CPU : DEVICE_GPU;

      if (strcmp (names[i], "auto") == 0 && ! has_gpu ())
        device = DEVICE_CPU;
      g_array_append_val (bench->devices, device);
    }
  g_strfreev (names);
}

static void
run_bench (void)
{
  const char *seconds = g_getenv ("BENCH_SECONDS"), *repeats = g_getenv ("BENCH_REPEATS");
  Bench bench = { .sizes = get_list ("BENCH_SIZES"), .formats = get_list ("BENCH_FORMATS"),
                  .sigmas = get_list ("BENCH_SIGMAS"), .repeats = repeats ? atoi (repeats) : 7 };

  if (seconds && atoi (seconds) > 0)
    bench.deadline = g_get_monotonic_time () + atoi (seconds) * G_TIME_SPAN_SECOND;
  bench.out = fopen (g_getenv ("BENCH_OUT"), "w");
  if (! bench.out)
    exit (1);
  add_devices (&bench);
  for (int s = 0; bench.sizes[s]; s++)
    for (int f = 0; bench.formats[f]; f++)
      {
        int width = 0, height = 0;
        Layer layer;

        if (sscanf (bench.sizes[s], "%dx%d", &width, &height) != 2)
          exit (1);
        if (is_late (&bench))
          {
            fprintf (stderr, "bench: left out, no time: %dx%d %s\n", width, height,
                     bench.formats[f]);
            continue;
          }
        layer = make_layer (width, height, bench.formats[f]);
        measure_layer (&bench, &layer);
        gimp_image_delete (layer.image);
      }
  fclose (bench.out);
}

/* The plug-in. */

static void
query (void)
{
  static const GimpParamDef args[] = { { GIMP_PDB_INT32, "run-mode", "Non-interactive" },
                                       { GIMP_PDB_IMAGE, "image", "Image" },
                                       { GIMP_PDB_DRAWABLE, "drawable", "Layer" } };
  static const GimpParamDef values[] = { { GIMP_PDB_FLOAT, "milliseconds", "Of the traffic" } };

  gimp_install_procedure (BENCH, "Measures the blur", "", "", "", "", NULL, NULL, GIMP_PLUGIN, 1, 0,
                          args, NULL);
  gimp_install_procedure (TILES, "Copies a layer onto itself", "", "", "", "", NULL, "RGB*, GRAY*",
                          GIMP_PLUGIN, G_N_ELEMENTS (args), G_N_ELEMENTS (values), args, values);
}

static void
run (const gchar *name, gint n_params, const GimpParam *param, gint *n_return_vals,
     GimpParam **return_vals)
{
  static GimpParam values[2];

  values[0].type = GIMP_PDB_STATUS;
  values[0].data.d_status = GIMP_PDB_SUCCESS;
  *n_return_vals = 1;
  *return_vals = values;
  gegl_init (NULL, NULL);
  if (strcmp (name, BENCH) == 0)
    {
      run_bench ();
      return;
    }
  values[1].type = GIMP_PDB_FLOAT;
  values[1].data.d_float = copy_tiles (param[2].data.d_drawable);
  *n_return_vals = 2;
}

const GimpPlugInInfo PLUG_IN_INFO = { NULL, NULL, query, run };

MAIN ()
