/* bench-convolve-paths [REPEATS [tiles|none-tiles]]: each path of the convolution on the GPU, data
 * resident, by the device's own clock, and how far its results are from those of the taps. With
 * "tiles", the Fourier transforms with tiles of several sizes. "none" is with transparency beyond
 * the edges; otherwise the pixels at the edges are repeated. "convolve" is the path that the
 * plug-in takes.
 *
 * Figures as bench_print has them; "sigma" is the size of a dense matrix. The format float-opaque
 * has an alpha of 1; float has some of which colour cannot be transformed, but is recomputed. A
 * comment follows each result that is compared: the largest difference, in levels for 8-bit, and
 * the share of the samples that are equal. */
#include "bench.h"
#include "convolve-gpu.h"
#include "convolve-plan.h"
#include "picture.h"

#define WIDTH    3840
#define HEIGHT   2160
#define SAMPLES  (WIDTH * HEIGHT * 4)
#define SUMS     63 /* the largest matrix of which the GPU sums the taps */
#define WARM_UPS 2

typedef struct {
  FxGpu *gpu;
  const char *name; /* of the format */
  FxFormat format;
  FxAbyss abyss;
  gconstpointer pixels;
  gpointer taps, result; /* room for SAMPLES of the format */
  int repeats;
} Bench;

static double *
make_values (int size)
{
  double *values = g_new (double, (gsize) size *size);
  guint32 state = size;

  for (int i = 0; i < size * size; i++)
    {
      state = state * 1664525u + 1013904223u;
      values[i] = (state >> 8) / 16777216.0 - 0.25;
    }
  return values;
}

static FxPlan *
make_plan (const Bench *bench, int size, const ConvolveChoice *choice, GError **error)
{
  g_autofree double *values = make_values (size);
  const ConvolveParams params = {
    .rows = size, .columns = size, .values = values, .abyss = bench->abyss
  };
  FxPlan *plan = convolve_plan_new (&params, &bench->format, error);

  if (! plan)
    return NULL;
  ((ConvolvePlan *) plan)->choice = *choice;
  return plan;
}

static gboolean
time_plan (Bench *bench, const char *name, int size, const ConvolveChoice *choice, gpointer result,
           GError **error)
{
  const BenchCase about = { name, WIDTH, HEIGHT, bench->name, size, "gpu" };
  g_autofree double *milliseconds = g_new (double, bench->repeats + WARM_UPS);
  g_autoptr (FxPlan) plan = make_plan (bench, size, choice, error);

  if (! plan || ! fx_gpu_time (bench->gpu, plan, WIDTH, HEIGHT, bench->pixels, result, milliseconds,
                               bench->repeats + WARM_UPS, error))
    return FALSE;
  if (choice->path == CONVOLVE_PATH_FFT && plan->filter->get_gpu_path (plan) != &convolve_gpu_fft)
    g_print ("# not by Fourier transforms:\n");
  bench_print (&about, milliseconds + WARM_UPS, bench->repeats);
  return TRUE;
}

static void
compare (const Bench *bench, const char *name, int size)
{
  const gboolean u8 = bench->format.sample == FX_SAMPLE_U8;
  double most = 0.0;
  gsize equal = 0;

  for (gsize i = 0; i < SAMPLES; i++)
    {
      const double a = u8 ? ((guint8 *) bench->taps)[i] : ((float *) bench->taps)[i];
      const double b = u8 ? ((guint8 *) bench->result)[i] : ((float *) bench->result)[i];

      most = fabs (a - b) <= most ? most : fabs (a - b);
      equal += a == b;
    }
  g_print ("# %s %d %s: at most %g, %.4f%% equal\n", name, size, bench->name, most,
           100.0 * equal / SAMPLES);
}

static gboolean
measure_cheapest (Bench *bench, int size, GError **error)
{
  const ConvolveChoice cheapest = { CONVOLVE_PATH_CHEAPEST };
  gboolean done;

  if (! time_plan (bench, "convolve", size, &cheapest, NULL, error))
    return FALSE;
  bench->abyss = FX_ABYSS_NONE;
  done = time_plan (bench, "convolve-none", size, &cheapest, NULL, error);
  bench->abyss = FX_ABYSS_CLAMP;
  return done;
}

static gboolean
measure_paths (Bench *bench, GError **error)
{
  static const int sizes[] = { 3, 5, 7, 9, 11, 13, 15, 21, 31, 41, 63, 127, 255, 511, 1023 };
  const ConvolveChoice taps = { CONVOLVE_PATH_TAPS }, fft = { CONVOLVE_PATH_FFT };

  for (guint i = 0; i < G_N_ELEMENTS (sizes) && ! bench_is_late (); i++)
    {
      const gboolean both = sizes[i] <= SUMS;

      if (both && ! time_plan (bench, "taps", sizes[i], &taps, bench->taps, error))
        return FALSE;
      if (! time_plan (bench, "fft", sizes[i], &fft, bench->result, error))
        return FALSE;
      if (both)
        compare (bench, "fft", sizes[i]);
      if (! measure_cheapest (bench, sizes[i], error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
measure_tile (Bench *bench, int size, int columns, int rows, int megabytes, GError **error)
{
  const ConvolveChoice choice = { CONVOLVE_PATH_FFT, columns, rows, (gsize) megabytes << 20 };
  g_autofree char *name = g_strdup_printf ("fft-%dx%d-%dMB", columns, rows, megabytes);

  return time_plan (bench, name, size, &choice, NULL, error);
}

static gboolean
measure_tiles (Bench *bench, GError **error)
{
  static const int sizes[] = { 63, 127, 255, 511, 1023 };
  static const int lengths[] = { 256,  512,  1024, 1536, 2048, 2304, 2560,
                                 2816, 3072, 4096, 4352, 4608, 4864 };
  const guint n = G_N_ELEMENTS (lengths);

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint i = 0; i < n * n && ! bench_is_late (); i++)
      {
        const int columns = lengths[i / n], rows = lengths[i % n];
        const gboolean whole = columns > WIDTH && rows > HEIGHT; /* the margins can be shared */

        if (MIN (columns, rows) > 5 * sizes[s] / 4 && rows <= 4096 &&
            (whole || bench->abyss == FX_ABYSS_CLAMP) &&
            ! measure_tile (bench, sizes[s], columns, rows, 256, error))
          return FALSE;
      }
  return TRUE;
}

static gboolean
measure_format (Bench *bench, const char *name, FxSample sample, gconstpointer pixels,
                gboolean (*measure) (Bench *, GError **), GError **error)
{
  gboolean done;

  bench->name = name;
  bench->format = (FxFormat) { sample, 4, sample == FX_SAMPLE_U8 };
  bench->pixels = pixels;
  bench->taps = g_malloc (SAMPLES * fx_sample_size (sample));
  bench->result = g_malloc (SAMPLES * fx_sample_size (sample));
  done = measure (bench, error);
  g_free (bench->taps);
  g_free (bench->result);
  return done;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_auto (FxConfig) config = { 0 };
  g_autofree float *linear = picture_new_linear (WIDTH, HEIGHT);
  g_autofree guint8 *stored = picture_new (WIDTH, HEIGHT);
  const char *what = argc > 2 ? argv[2] : "paths";
  gboolean (*measure) (Bench *, GError **) = g_str_has_suffix (what, "tiles") ? measure_tiles
                                                                              : measure_paths;
  Bench bench = { .repeats = argc > 1 ? atoi (argv[1]) : 9,
                  .abyss = strcmp (what, "none-tiles") ? FX_ABYSS_CLAMP : FX_ABYSS_NONE };
  gboolean done = fx_config_init (&config, FX_DEVICE_GPU, &error) &&
                  (bench.gpu = fx_gpu_open (&config, &error)) != NULL;

  if (done)
    g_print ("# GPU: %s\n", fx_gpu_get_name (bench.gpu));
  if (measure == measure_paths)
    done = done && measure_format (&bench, "u8", FX_SAMPLE_U8, stored, measure, &error) &&
           measure_format (&bench, "float", FX_SAMPLE_FLOAT, linear, measure, &error);
  for (gsize i = 3; i < SAMPLES; i += 4)
    linear[i] = 1.0f;
  done = done && measure_format (&bench, "float-opaque", FX_SAMPLE_FLOAT, linear, measure, &error);
  if (! done)
    g_printerr ("bench-convolve-paths: %s\n", error->message);
  fx_gpu_close (bench.gpu);
  return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
