/* bench-convolve [REPEATS [cpu]]: the convolution on the GPU, data resident, by the device's own
 * clock; with NVRTC alone, what its programs take to compile; with "cpu", the engine on the CPU.
 *
 * Figures as bench_print has them; "sigma" is the matrix's size. Matrices: dense, of random
 * numbers; rank1 to rank3, sums of so many products; sobel, laplacian, box, disc, line (a
 * diagonal); and blur, the Gaussian's FIR of that size, to compare with rank1. */
#include "bench.h"
#include "blur.h"
#include "card.h"
#include "convolve-gpu.h"
#include "convolve-plan.h"
#include "engine.h"
#include "memory.h"
#include "picture.h"

typedef struct {
  FxGpu *gpus[2]; /* with generic programs alone, and with specialised ones; NULL without a GPU */
  FxCompiler *compiler;
  FxTarget target;
  FxEngine *engine; /* to measure the CPU; NULL: the GPU */
  int width, height, repeats;
} Bench;

/* Matrices. */

static double
get_random (guint32 *state)
{
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) / 16777216.0 - 0.25;
}

static void
add_product (double *values, int size, guint32 *state)
{
  g_autofree double *row = g_new (double, size);

  for (int i = 0; i < size; i++)
    row[i] = get_random (state);
  for (int j = 0; j < size; j++)
    {
      const double factor = get_random (state);

      for (int i = 0; i < size; i++)
        values[j * size + i] += factor * row[i];
    }
}

static double
get_value (const char *kind, int size, int row, int column, guint32 *state)
{
  const int y = row - size / 2, x = column - size / 2;

  if (strcmp (kind, "dense") == 0)
    return get_random (state);
  if (strcmp (kind, "box") == 0)
    return 1.0;
  if (strcmp (kind, "disc") == 0)
    return CLAMP (size / 2 + 0.5 - hypot (x, y), 0.0, 1.0);
  if (strcmp (kind, "line") == 0)
    return x == y;
  if (strcmp (kind, "sobel") == 0)
    return x * (2 - abs (y));
  if (strcmp (kind, "laplacian") == 0)
    return x == 0 && y == 0 ? -4.0 : abs (x) + abs (y) == 1;
  return 0.0;
}

static double *
make_values (const char *kind, int size)
{
  double *values = g_new0 (double, size *size);
  guint32 state = size;

  for (int i = 0; i < size * size; i++)
    values[i] = get_value (kind, size, i / size, i % size, &state);
  for (int n = 0; g_str_has_prefix (kind, "rank") && n < kind[4] - '0'; n++)
    add_product (values, size, &state);
  return values;
}

static FxPlan *
make_plan (const char *kind, int size, const FxFormat *format)
{
  g_autofree double *values = make_values (kind, size);
  const BlurParams blur = { .sigma_x = size / 6.0, .sigma_y = size / 6.0, .kernel_size = size };
  const ConvolveParams params = { .rows = size, .columns = size, .values = values };

  if (strcmp (kind, "blur") == 0)
    return blur_plan_new (&blur, format, NULL);
  return convolve_plan_new (&params, format, NULL);
}

/* Measuring. */

static gboolean
time_compile (Bench *bench, const FxProgram *program, const FxPlan *plan, const char *name,
              const char *format, int size, GError **error)
{
  const FxProgramCase what = {
    .codec = plan->codec, .plan = plan, .shared_block = 232448, .shared_processor = 233472
  };
  g_autofree char *text = fx_program_get_text (program, &what);
  g_autofree char *label = g_strconcat ("compile-", program->name + 9, "-", name, NULL);
  const BenchCase about = { label, bench->width, bench->height, format, size, "cpu" };
  g_autoptr (GBytes) code = NULL;
  gint64 start;

  code = fx_program_compile (program, bench->compiler, text, &bench->target, error);
  if (! code)
    return FALSE;
  g_clear_pointer (&code, g_bytes_unref);
  start = g_get_monotonic_time ();
  code = fx_program_compile (program, bench->compiler, text, &bench->target, error);
  if (! code)
    return FALSE;
  bench_print_value (&about, bench_get_milliseconds (start));
  if (g_getenv ("BENCH_CODE"))
    {
      g_autofree char *file = g_strdup_printf ("%s/%s-%s-%d.cubin", g_getenv ("BENCH_CODE"), label,
                                               format, size);

      g_file_set_contents (file, g_bytes_get_data (code, NULL), g_bytes_get_size (code), NULL);
    }
  return TRUE;
}

static gboolean
time_plan (Bench *bench, FxGpu *gpu, const FxPlan *plan, const char *name, const char *format,
           int size, gconstpointer pixels, GError **error)
{
  const BenchCase about = { name, bench->width, bench->height, format, size, "gpu" };
  g_autofree double *milliseconds = g_new (double, bench->repeats + 2);

  if (! fx_gpu_time (gpu, plan, bench->width, bench->height, pixels, NULL, milliseconds,
                     bench->repeats + 2, error))
    return FALSE;
  bench_print (&about, milliseconds + 2, bench->repeats);
  return TRUE;
}

/* All of the engine, from memory to memory. */
static gboolean
time_cpu (Bench *bench, FxEngine *engine, FxPlan *plan, const char *name, const char *format,
          int size, gconstpointer pixels, GError **error)
{
  const BenchCase about = { name, bench->width, bench->height, format, size, "cpu" };
  const FxFormat *stored = &plan->codec.format;
  g_autofree guint8 *result = g_malloc ((gsize) bench->width * bench->height *
                                        fx_format_size (stored));
  const Memory memory = { pixels, result, bench->width, bench->height, *stored };
  const FxImage image = memory_get_image (&memory);
  g_autofree double *milliseconds = g_new (double, bench->repeats);
  int n;

  for (n = 0; n < bench->repeats && (n == 0 || milliseconds[0] < 2000.0); n++)
    {
      FxReport report;

      if (! fx_engine_run (engine, plan, FX_DEVICE_CPU, &image, &report, error))
        return FALSE;
      milliseconds[n] = report.milliseconds;
    }
  bench_print (&about, milliseconds, n);
  return TRUE;
}

static gboolean
measure (Bench *bench, const char *kind, int size, const FxFormat *format, gconstpointer pixels,
         GError **error)
{
  static const char *const versions[] = { "generic", "specialised" };
  g_autoptr (FxPlan) plan = make_plan (kind, size, format);
  const char *sample = format->sample == FX_SAMPLE_U8 ? "u8" : "float";
  const gboolean blur = strcmp (kind, "blur") == 0;
  const gboolean products = ! blur && plan->filter->get_gpu_path (plan) == &convolve_gpu_products;
  const gboolean small = ! blur && convolve_plan_get (plan)->matrix.taps <= 225;

  if (bench->engine)
    return time_cpu (bench, bench->engine, plan, kind, sample, size, pixels, error);
  if (! bench->gpus[0] && blur)
    return TRUE;
  if (! bench->gpus[0])
    return products
             ? time_compile (bench, &convolve_program_products, plan, kind, sample, size, error) &&
                 time_compile (bench, &convolve_program_products_specialised, plan, kind, sample,
                               size, error)
             : time_compile (bench, &convolve_program_direct, plan, kind, sample, size, error) &&
                 (! small || time_compile (bench, &convolve_program_direct_specialised, plan, kind,
                                           sample, size, error));
  for (int i = 0; i < 2; i++)
    {
      g_autofree char *name = g_strconcat (products ? "products-" : "", versions[i], "-", kind,
                                           NULL);

      if (! time_plan (bench, bench->gpus[i], plan, name, sample, size, pixels, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
measure_all (Bench *bench, GError **error)
{
  static const struct {
    const char *kind;
    int size;
  } matrices[] = {
    { "dense", 3 },     { "dense", 5 },   { "dense", 7 },    { "dense", 9 },  { "dense", 11 },
    { "dense", 15 },    { "dense", 21 },  { "dense", 31 },   { "dense", 63 }, { "sobel", 3 },
    { "laplacian", 3 }, { "box", 5 },     { "box", 31 },     { "disc", 15 },  { "disc", 31 },
    { "line", 31 },     { "line", 63 },   { "rank1", 7 },    { "rank1", 15 }, { "rank1", 31 },
    { "rank1", 63 },    { "blur", 31 },   { "rank2", 15 },   { "rank2", 31 }, { "rank3", 31 },
    { "dense", 127 },   { "dense", 255 }, { "dense", 1023 },
  };
  const FxFormat formats[] = { { FX_SAMPLE_FLOAT, 4, FALSE }, { FX_SAMPLE_U8, 4, TRUE } };
  g_autofree float *linear = picture_new_linear (bench->width, bench->height);
  g_autofree guint8 *stored = picture_new (bench->width, bench->height);
  gconstpointer pixels[] = { linear, stored };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint i = 0; i < G_N_ELEMENTS (matrices); i++)
      if (! bench_is_late () && (bench->engine || matrices[i].size <= CONVOLVE_SMALL_MAX) &&
          ! measure (bench, matrices[i].kind, matrices[i].size, &formats[f], pixels[f], error))
        return FALSE;
  return TRUE;
}

static gboolean
open_bench (Bench *bench, GError **error)
{
  g_autoptr (GError) failure = NULL;

  for (int i = 0; i < 2; i++)
    {
      g_auto (FxConfig) config = { 0 };

      if (! fx_config_init (&config, FX_DEVICE_GPU, error))
        return FALSE;
      config.versions = i ? FX_VERSIONS_SPECIALISED : FX_VERSIONS_GENERIC;
      if (! failure)
        bench->gpus[i] = fx_gpu_open (&config, &failure);
    }
  g_print ("# GPU: %s\n", bench->gpus[0] ? fx_gpu_get_name (bench->gpus[0]) : failure->message);
  bench->target = (FxTarget) { .arch = 90 };
  bench->compiler = fx_compiler_open (0, error);
  return bench->compiler != NULL;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  Bench bench = { .width = 3840, .height = 2160, .repeats = argc > 1 ? atoi (argv[1]) : 9 };
  gboolean done;

  if (argc > 2 && strcmp (argv[2], "cpu") == 0)
    bench.engine = fx_engine_new ();
  done = open_bench (&bench, &error) && measure_all (&bench, &error);

  if (! done)
    g_printerr ("bench-convolve: %s\n", error->message);
  fx_engine_free (bench.engine);
  fx_gpu_close (bench.gpus[0]);
  fx_gpu_close (bench.gpus[1]);
  fx_compiler_close (bench.compiler);
  return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
