/* bench-partition [REPEATS]: the engine on a part of a GPU's multiprocessors, for an idea of
 * smaller GPUs. CUDA 12.4 and later give a "green context" such a part. The memory stays as fast as
 * it is.
 *
 * Figures as bench_print has them; what is the filter and its version, and device is "gpu-N" for N
 * multiprocessors. The figure "launch" is the longest launch of all that were measured with so
 * many, in milliseconds. */
#include "bench.h"
#include "blur.h"
#include "convolve.h"
#include "device-private.h"
#include "engine-gpu.h"
#include "lens.h"
#include "picture.h"
#include "../lib/run.h"

#include <gmodule.h>

#define WIDTH       3840
#define HEIGHT      2160
#define VIEW_WIDTH  800
#define VIEW_HEIGHT 600
#define WARM_UP     2

#if CUDA_VERSION >= 12040

/* Calls that the engine does not make. */
#define PARTITION_CALLS(call)                                                         \
  call (cuDeviceGetDevResource) call (cuDevSmResourceSplitByCount)                    \
    call (cuDevResourceGenerateDesc) call (cuGreenCtxCreate) call (cuGreenCtxDestroy) \
      call (cuCtxFromGreenCtx) call (cuGreenCtxStreamCreate)

static struct {
#define MEMBER(name) __typeof__ (name) *name;
  PARTITION_CALLS (MEMBER)
#undef MEMBER
} driver;

typedef struct {
  int processors, repeats;
  double longest; /* launch so far, in milliseconds */
} Bench;

static gboolean
find_calls (GError **error)
{
  GModule *module = g_module_open ("libcuda.so.1", G_MODULE_BIND_LAZY);
  gboolean found = module != NULL;

#define FIND(name) found = found && g_module_symbol (module, #name, (gpointer *) &driver.name);
  PARTITION_CALLS (FIND)
#undef FIND
  if (! found)
    g_set_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE, "libcuda.so.1: %s", g_module_error ());
  else
    g_module_make_resident (module);
  return found;
}

/* Launches. */

/* Launches are timed one by one in a run of their own, which waits for each. */
static struct {
  __typeof__ (cuLaunchKernel) *launch;
  FxGpu *gpu;
  CUevent start, end;
  float longest;
} timer;

static CUresult
launch_and_wait (CUfunction kernel, unsigned x, unsigned y, unsigned z, unsigned block_x,
                 unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void **args,
                 void **extra)
{
  const FxDriver *calls = &timer.gpu->driver;
  CUresult result = calls->cuEventRecord (timer.start, stream);
  float milliseconds = 0.0f;

  if (result == CUDA_SUCCESS)
    result = timer.launch (kernel, x, y, z, block_x, block_y, block_z, shared, stream, args, extra);
  if (result == CUDA_SUCCESS)
    result = calls->cuEventRecord (timer.end, stream);
  if (result == CUDA_SUCCESS)
    result = calls->cuEventSynchronize (timer.end);
  if (result == CUDA_SUCCESS)
    result = calls->cuEventElapsedTime (&milliseconds, timer.start, timer.end);
  timer.longest = MAX (timer.longest, milliseconds);
  return result;
}

static gboolean
begin_timing (FxGpu *gpu, GError **error)
{
  timer.gpu = gpu;
  timer.longest = 0.0f;
  timer.launch = gpu->driver.cuLaunchKernel;
  gpu->driver.cuLaunchKernel = launch_and_wait;
  return fx_gpu_check (gpu, gpu->driver.cuEventCreate (&timer.start, CU_EVENT_DEFAULT),
                       "make an event", error) &&
         fx_gpu_check (gpu, gpu->driver.cuEventCreate (&timer.end, CU_EVENT_DEFAULT),
                       "make an event", error);
}

static void
end_timing (Bench *bench)
{
  FxGpu *gpu = timer.gpu;

  gpu->driver.cuLaunchKernel = timer.launch;
  gpu->driver.cuEventDestroy (timer.start);
  gpu->driver.cuEventDestroy (timer.end);
  bench->longest = MAX (bench->longest, timer.longest);
}

/* The part of a GPU. */

static gboolean
make_green_context (const FxGpu *gpu, int processors, CUgreenCtx *green, GError **error)
{
  CUdevResource all, part, rest;
  CUdevResourceDesc description;
  unsigned parts = 1;

  return fx_gpu_check (gpu,
                       driver.cuDeviceGetDevResource (gpu->device, &all, CU_DEV_RESOURCE_TYPE_SM),
                       "count multiprocessors", error) &&
         fx_gpu_check (gpu,
                       driver.cuDevSmResourceSplitByCount (&part, &parts, &all, &rest, 0,
                                                           (unsigned) processors),
                       "split multiprocessors", error) &&
         fx_gpu_check (gpu, driver.cuDevResourceGenerateDesc (&description, &part, 1),
                       "describe multiprocessors", error) &&
         fx_gpu_check (gpu,
                       driver.cuGreenCtxCreate (green, description, gpu->device,
                                                CU_GREEN_CTX_DEFAULT_STREAM),
                       "make a green context", error);
}

/* Moves the open gpu, which has loaded nothing yet, to a part of its multiprocessors. After
 * fx_gpu_close, destroy green. */
static gboolean
restrict_gpu (FxGpu *gpu, int processors, CUgreenCtx *green, GError **error)
{
  if (! make_green_context (gpu, processors, green, error) ||
      ! fx_gpu_check (gpu, gpu->driver.cuStreamDestroy (gpu->stream), "free a stream", error))
    return FALSE;
  gpu->stream = NULL;
  gpu->processors = processors;
  return fx_gpu_check (gpu, driver.cuCtxFromGreenCtx (&gpu->context, *green), "use a green context",
                       error) &&
         fx_gpu_use (gpu, error) &&
         fx_gpu_check (gpu,
                       driver.cuGreenCtxStreamCreate (&gpu->stream, *green, CU_STREAM_NON_BLOCKING,
                                                      0),
                       "make a stream", error);
}

/* Filters. */

static FxPlan *
make_plan (const char *what, double size, const FxFormat *format)
{
  const int side = (int) size;
  g_autofree double *values = g_new (double, side *side);
  const BlurParams blur = { .sigma_x = size, .sigma_y = size };
  const LensParams lens = { .radius = size, .blades = 6, .rotation = 10.0 };
  const ConvolveParams convolve = { .rows = side, .columns = side, .values = values };
  guint32 state = 1;

  if (strcmp (what, "blur") == 0)
    return blur_plan_new (&blur, format, NULL);
  if (strcmp (what, "lens") == 0)
    return lens_plan_new (&lens, format, NULL);
  for (int i = 0; i < side * side; i++)
    {
      state = state * 1664525u + 1013904223u;
      values[i] = (state >> 8) / 16777216.0 - 0.25;
    }
  return convolve_plan_new (&convolve, format, NULL);
}

static gboolean
measure_plan (Bench *bench, FxGpu *gpu, const char *what, double size, const FxFormat *format,
              gconstpointer pixels, GError **error)
{
  g_autofree char *device = g_strdup_printf ("gpu-%d", bench->processors);
  const BenchCase about = { what, WIDTH, HEIGHT, format->sample == FX_SAMPLE_U8 ? "u8" : "float",
                            size, device };
  g_autoptr (FxPlan) plan = make_plan (what, size, format);
  g_autofree double *times = g_new (double, bench->repeats + WARM_UP);
  gboolean done;

  if (! fx_gpu_time (gpu, plan, WIDTH, HEIGHT, pixels, NULL, times, bench->repeats + WARM_UP,
                     error))
    return FALSE;
  bench_print (&about, times + WARM_UP, bench->repeats);
  if (! begin_timing (gpu, error))
    return FALSE;
  done = fx_gpu_time (gpu, plan, WIDTH, HEIGHT, pixels, NULL, times, 1, error);
  end_timing (bench);
  return done;
}

static gboolean
measure_plans (Bench *bench, GError **error)
{
  static const struct {
    const char *what;
    double size;
  } plans[] = {
    { "blur", 3.0 },   { "blur", 50.0 },  { "dense", 3.0 }, { "dense", 7.0 },  { "dense", 15.0 },
    { "dense", 31.0 }, { "dense", 63.0 }, { "lens", 20.0 }, { "lens", 100.0 }, { "lens", 500.0 },
  };
  const FxFormat formats[] = { { FX_SAMPLE_U8, 4, TRUE }, { FX_SAMPLE_FLOAT, 4, FALSE } };
  g_autofree guint8 *stored = picture_new (WIDTH, HEIGHT);
  g_autofree float *linear = picture_new_linear (WIDTH, HEIGHT);
  gconstpointer pixels[] = { stored, linear };
  g_auto (FxConfig) config = { 0 };
  CUgreenCtx green = NULL;
  FxGpu *gpu = NULL;
  gboolean done = fx_config_init (&config, FX_DEVICE_GPU, error) &&
                  (gpu = fx_gpu_open (&config, error)) &&
                  restrict_gpu (gpu, bench->processors, &green, error);

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint i = 0; done && i < G_N_ELEMENTS (plans); i++)
      done = measure_plan (bench, gpu, plans[i].what, plans[i].size, &formats[f], pixels[f], error);
  fx_gpu_close (gpu);
  if (green)
    driver.cuGreenCtxDestroy (green);
  return done;
}

/* Views. */

static gboolean
render (FxPreview *preview, double scale, double sigma, GError **error)
{
  static guint8 rgba[VIEW_WIDTH * VIEW_HEIGHT * 4];
  const BlurParams params = { .sigma_x = sigma, .sigma_y = sigma };
  const FxRect rect = { (int) (WIDTH * scale - VIEW_WIDTH) / 2,
                        (int) (HEIGHT * scale - VIEW_HEIGHT) / 2, VIEW_WIDTH, VIEW_HEIGHT };
  const FxView view = { .scale = scale, .rect = rect };

  return run_view (preview, &params, FX_DEVICE_GPU, &view, rgba, NULL, NULL, NULL, error);
}

/* Each view has another sigma, as under a moving slider. */
static gboolean
measure_view (Bench *bench, FxPreview *preview, double scale, double sigma, GError **error)
{
  g_autofree char *what = g_strdup_printf ("view %.4g", scale);
  g_autofree char *device = g_strdup_printf ("gpu-%d", bench->processors);
  const BenchCase about = { what, WIDTH, HEIGHT, "u8", sigma, device };
  g_autofree double *times = g_new (double, bench->repeats);

  for (int i = -WARM_UP; i < bench->repeats; i++)
    {
      gint64 start = g_get_monotonic_time ();

      if (! render (preview, scale, sigma * (1.0 + 1e-3 * i), error))
        return FALSE;
      if (i >= 0)
        times[i] = bench_get_milliseconds (start);
    }
  bench_print (&about, times, bench->repeats);
  return TRUE;
}

static gboolean
measure_views (Bench *bench, GError **error)
{
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  g_autofree guint8 *source = picture_new (WIDTH, HEIGHT);
  FxEngine *engine = fx_engine_new ();
  FxPreview *preview = fx_preview_new (engine, &format, FALSE, WIDTH, HEIGHT, source);
  CUgreenCtx green = NULL;
  FxGpu *gpu = fx_engine_get_gpu (engine, error);
  gboolean done = gpu && restrict_gpu (gpu, bench->processors, &green, error) &&
                  measure_view (bench, preview, 0.25, 10.0, error) &&
                  measure_view (bench, preview, 0.25, 200.0, error) &&
                  measure_view (bench, preview, 1.0, 10.0, error);

  if (done && begin_timing (gpu, error))
    {
      done = render (preview, 0.25, 10.0, error) && render (preview, 1.0, 10.0, error);
      end_timing (bench);
    }
  fx_preview_free (preview);
  fx_engine_free (engine);
  if (green)
    driver.cuGreenCtxDestroy (green);
  return done;
}

static gboolean
measure_all (int repeats, GError **error)
{
  static const int parts[] = { 8, 16, 32, 64, 128 }; /* a Hopper is split into eights */

  if (! find_calls (error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *device = g_strdup_printf ("gpu-%d", parts[i]);
      const BenchCase about = { "launch", WIDTH, HEIGHT, "all", 0.0, device };
      Bench bench = { .processors = parts[i], .repeats = repeats };

      if (! measure_plans (&bench, error) || ! measure_views (&bench, error))
        return FALSE;
      bench_print_value (&about, bench.longest);
    }
  return TRUE;
}

#else

static gboolean
measure_all (int repeats, GError **error)
{
  g_set_error_literal (error, FX_ERROR, FX_ERROR_UNAVAILABLE,
                       "this was built with a CUDA toolkit older than 12.4");
  return FALSE;
}

#endif

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  if (measure_all (argc > 1 ? MAX (atoi (argv[1]), 1) : 15, &error))
    return EXIT_SUCCESS;
  g_printerr ("bench-partition: %s\n", error->message);
  return EXIT_FAILURE;
}
