#include "device.h"
#include "naive.h"
#include "picture.h"

#include <string.h>

#define TAPS        7
#define SIGMA       1.5
#define BLOCK       16
#define CPU_REPEATS 3

static const struct {
  int width, height;
} sizes[] = { { 400, 300 }, { 800, 600 }, { 1280, 720 }, { 1920, 1080 }, { 2560, 1440 } };

/* A launch of the naive kernel. */
typedef struct {
  CUmodule module;
  CUfunction kernel;
  void *in, *out; /* on the device */
  int width, height;
} Naive;

static gboolean
run_naive (gpointer data, Card *card, GError **error)
{
  Naive *naive = data;
  void *args[] = { &naive->in, &naive->out, &naive->width, &naive->height };

  return card_launch (card, naive->kernel, (naive->width + BLOCK - 1) / BLOCK,
                      (naive->height + BLOCK - 1) / BLOCK, BLOCK, args, error);
}

/* What the GPU made must be what the CPU makes. */
static gboolean
check_naive (const Machine *machine, const Naive *naive, const guint8 *want, GError **error)
{
  gsize size = (gsize) naive->width * naive->height * 3;
  g_autofree guint8 *got = g_malloc (size);

  if (! card_download (machine->card, naive->out, got, size, error))
    return FALSE;
  if (memcmp (got, want, size) == 0)
    return TRUE;
  g_set_error (error, BLUR_ERROR, BLUR_ERROR_DEVICE, "the naive kernel's result is wrong");
  return FALSE;
}

static gboolean
time_module (const Machine *machine, const BenchCase *about, Naive *naive, const guint8 *want,
             GError **error)
{
  g_autofree double *milliseconds = g_new (double, machine->repeats);
  int n;

  if (! card_time (machine->card, run_naive, naive, milliseconds, machine->repeats, &n, error) ||
      ! check_naive (machine, naive, want, error))
    return FALSE;
  bench_print (about, milliseconds, n);
  return TRUE;
}

/* The naive kernel by way of PTX or of a CUBIN. */
static gboolean
time_naive (const Machine *machine, const BenchCase *about, gboolean ptx, const guint8 *pixels,
            const guint8 *want, GError **error)
{
  g_autofree char *source = naive_get_source (TAPS, SIGMA);
  const BlurTarget target = { machine->target.arch, ptx || machine->target.ptx };
  g_autoptr (GBytes) code = blur_program_compile (machine->compiler, source, &target, error);
  gsize size = (gsize) about->width * about->height * 3;
  Naive naive = { .width = about->width, .height = about->height };
  gboolean done;

  if (! code || ! card_load (code, &naive.module, error))
    return FALSE;
  done = card_get_kernel (naive.module, "naive", &naive.kernel, error) &&
         (naive.in = card_new (size, pixels, error)) && (naive.out = card_new (size, NULL, error)) &&
         time_module (machine, about, &naive, want, error);
  cudaFree (naive.in);
  cudaFree (naive.out);
  card_unload (naive.module);
  return done;
}

static gboolean
time_engine (const Machine *machine, const BenchCase *about, BlurLight light, const guint8 *pixels,
             GError **error)
{
  const BlurFormat format = { BLUR_SAMPLE_U8, 3, TRUE };
  g_autoptr (BlurPlan) plan = machine_new_plan (&format, light, SIGMA, TAPS);

  return machine_time_blur (machine, machine->gpu, about, plan, pixels, error);
}

static void
time_cpu (const BenchCase *about, const guint8 *pixels, guint8 *result)
{
  double milliseconds[CPU_REPEATS];
  int n;

  for (n = 0; n < CPU_REPEATS && ! (n > 0 && bench_is_late ()); n++)
    {
      gint64 start = g_get_monotonic_time ();

      naive_blur (TAPS, SIGMA, pixels, result, about->width, about->height);
      milliseconds[n] = bench_get_milliseconds (start);
    }
  bench_print (about, milliseconds, n);
}

static gboolean
measure_size (const Machine *machine, int width, int height, GError **error)
{
  g_autofree guint8 *pixels = picture_new_rgb (width, height);
  g_autofree guint8 *result = g_malloc ((gsize) width * height * 3);
  const BenchCase cpu = { "naive-cpu", width, height, "rgb-u8", SIGMA, "cpu" };
  const BenchCase ptx = { "naive-ptx", width, height, "rgb-u8", SIGMA, "gpu" };
  const BenchCase cubin = { "naive-cubin", width, height, "rgb-u8", SIGMA, "gpu" };
  const BenchCase blur = { "blur", width, height, "rgb-u8", SIGMA, "gpu" };
  const BenchCase linear = { "blur-linear", width, height, "rgb-u8", SIGMA, "gpu" };

  time_cpu (&cpu, pixels, result);
  if (! machine->card)
    return TRUE;
  if (machine->compiler && (! time_naive (machine, &ptx, TRUE, pixels, result, error) ||
                            ! time_naive (machine, &cubin, FALSE, pixels, result, error)))
    return FALSE;
  return time_engine (machine, &blur, BLUR_LIGHT_PERCEPTUAL, pixels, error) &&
         time_engine (machine, &linear, BLUR_LIGHT_LINEAR, pixels, error);
}

gboolean
sizes_measure (const Machine *machine, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (sizes) && ! bench_is_late (); i++)
    if (! measure_size (machine, sizes[i].width, sizes[i].height, error))
      return FALSE;
  return TRUE;
}
