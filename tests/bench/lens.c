/* bench-lens [REPEATS [cpu]]: the lens blur on the GPU, data resident, by the device's own clock;
 * with "cpu", the engine on the CPU. In either case, the time that making the plan takes.
 *
 * Figures as bench_print has them; "sigma" is the radius. plan: the weights and their products, on
 * the CPU; disc, blades: the shapes; highlights: blades with 3 stops from 0.8. */
#include "bench.h"
#include "engine.h"
#include "lens.h"
#include "gpu.h"
#include "memory.h"
#include "picture.h"

#define WIDTH    3840
#define HEIGHT   2160
#define WARM_UPS 2

typedef struct {
  FxGpu *gpu;
  FxEngine *engine; /* to measure the CPU; NULL: the GPU */
  int repeats;
} Bench;

static const struct {
  const char *name;
  LensParams params;
} shapes[] = {
  { "disc", { .threshold = 0.8 } },
  { "blades", { .blades = 6, .rotation = 10.0, .threshold = 0.8 } },
  { "highlights", { .blades = 6, .rotation = 10.0, .highlights = 3.0, .threshold = 0.8 } },
};

static FxPlan *
make_plan (Bench *bench, const LensParams *params, const FxFormat *format, const char *sample,
           GError **error)
{
  const BenchCase about = { "plan", WIDTH, HEIGHT, sample, params->radius, "cpu" };
  g_autofree double *milliseconds = g_new (double, bench->repeats);
  FxPlan *plan = NULL;

  for (int n = 0; n < bench->repeats; n++)
    {
      const gint64 start = g_get_monotonic_time ();

      fx_plan_free (plan);
      if (! (plan = lens_plan_new (params, format, error)))
        return NULL;
      milliseconds[n] = bench_get_milliseconds (start);
    }
  bench_print (&about, milliseconds, bench->repeats);
  return plan;
}

/* All of the engine, from memory to memory. */
static gboolean
time_cpu (Bench *bench, FxPlan *plan, const BenchCase *about, gconstpointer pixels, GError **error)
{
  const FxFormat *stored = &plan->codec.format;
  g_autofree guint8 *result = g_malloc ((gsize) WIDTH * HEIGHT * fx_format_size (stored));
  const Memory memory = { pixels, result, WIDTH, HEIGHT, *stored };
  const FxImage image = memory_get_image (&memory);
  g_autofree double *milliseconds = g_new (double, bench->repeats);
  int n;

  for (n = 0; n < bench->repeats && (n == 0 || milliseconds[0] < 2000.0); n++)
    {
      FxReport report;

      if (! fx_engine_run (bench->engine, plan, FX_DEVICE_CPU, &image, &report, error))
        return FALSE;
      milliseconds[n] = report.milliseconds;
    }
  bench_print (about, milliseconds, n);
  return TRUE;
}

static gboolean
time_gpu (Bench *bench, FxPlan *plan, const BenchCase *about, gconstpointer pixels, GError **error)
{
  g_autofree double *milliseconds = g_new (double, bench->repeats + WARM_UPS);

  if (! fx_gpu_time (bench->gpu, plan, WIDTH, HEIGHT, pixels, NULL, milliseconds,
                     bench->repeats + WARM_UPS, error))
    return FALSE;
  bench_print (about, milliseconds + WARM_UPS, bench->repeats);
  return TRUE;
}

static gboolean
measure (Bench *bench, int shape, double radius, const FxFormat *format, gconstpointer pixels,
         GError **error)
{
  const char *sample = format->sample == FX_SAMPLE_U8 ? "u8" : "float";
  const BenchCase about = { shapes[shape].name,           WIDTH, HEIGHT, sample, radius,
                            bench->engine ? "cpu" : "gpu" };
  LensParams params = shapes[shape].params;
  g_autoptr (FxPlan) plan = NULL;

  params.radius = radius;
  plan = make_plan (bench, &params, format, sample, error);
  if (! plan)
    return FALSE;
  return bench->engine ? time_cpu (bench, plan, &about, pixels, error)
                       : time_gpu (bench, plan, &about, pixels, error);
}

static gboolean
measure_all (Bench *bench, GError **error)
{
  static const double radii[] = { 1, 3, 5, 8, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500 };
  const FxFormat formats[] = { { FX_SAMPLE_FLOAT, 4, FALSE }, { FX_SAMPLE_U8, 4, TRUE } };
  g_autofree float *linear = picture_new_linear (WIDTH, HEIGHT);
  g_autofree guint8 *stored = picture_new (WIDTH, HEIGHT);
  gconstpointer pixels[] = { linear, stored };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
      for (guint r = 0; r < G_N_ELEMENTS (radii); r++)
        if (! bench_is_late () && ! measure (bench, s, radii[r], &formats[f], pixels[f], error))
          return FALSE;
  return TRUE;
}

static gboolean
open_bench (Bench *bench, gboolean cpu, GError **error)
{
  g_auto (FxConfig) config = { 0 };

  if (cpu)
    {
      bench->engine = fx_engine_new ();
      return TRUE;
    }
  if (! fx_config_init (&config, FX_DEVICE_GPU, error) ||
      ! (bench->gpu = fx_gpu_open (&config, error)))
    return FALSE;
  g_print ("# GPU: %s\n", fx_gpu_get_name (bench->gpu));
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  Bench bench = { .repeats = argc > 1 ? atoi (argv[1]) : 9 };
  const gboolean cpu = argc > 2 && strcmp (argv[2], "cpu") == 0;
  const gboolean done = open_bench (&bench, cpu, &error) && measure_all (&bench, &error);

  if (! done)
    g_printerr ("bench-lens: %s\n", error->message);
  fx_engine_free (bench.engine);
  if (bench.gpu)
    fx_gpu_close (bench.gpu);
  return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
