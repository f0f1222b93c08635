#include "machine.h"

#include "error.h"
#include "naive.h"
#include "picture.h"

#define BLOCK       16
#define CPU_REPEATS 3
#define CPU_TAPS    7 /* with more the CPU takes too long */

typedef struct {
  int width, height;
  int taps;
  double sigma;
} Subject;

static const Subject subjects[] = {
  { 400, 300, 7, 1.5 },   { 800, 600, 7, 1.5 },   { 1280, 720, 7, 1.5 },
  { 1920, 1080, 7, 1.5 }, { 2560, 1440, 7, 1.5 }, { 2560, 1440, 61, 10.0 },
};

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

/* The GPU's result must be the CPU's, if that is known. */
static gboolean
check_naive (const Machine *machine, const Naive *naive, const guint8 *want, GError **error)
{
  gsize size = (gsize) naive->width * naive->height * 3;
  g_autofree guint8 *got = NULL;

  if (! want)
    return TRUE;
  got = g_malloc (size);
  if (! card_download (machine->card, naive->out, got, size, error))
    return FALSE;
  if (memcmp (got, want, size) == 0)
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_DEVICE, "the naive kernel's result is wrong");
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
time_naive (const Machine *machine, const Subject *subject, gboolean ptx, const guint8 *pixels,
            const guint8 *want, GError **error)
{
  const BenchCase about = { ptx ? "naive-ptx" : "naive-cubin",
                            subject->width,
                            subject->height,
                            "rgb-u8",
                            subject->sigma,
                            "gpu" };
  g_autofree char *source = naive_get_source (subject->taps, subject->sigma);
  const FxTarget target = { machine->target.arch, ptx || machine->target.ptx };
  g_autoptr (GBytes) code = fx_program_compile (NULL, machine->compiler, source, &target, error);
  gsize size = (gsize) subject->width * subject->height * 3;
  Naive naive = { .width = subject->width, .height = subject->height };
  gboolean done;

  if (! code || ! card_load (code, &naive.module, error))
    return FALSE;
  done = card_get_kernel (naive.module, "naive", &naive.kernel, error) &&
         (naive.in = card_new (size, pixels, error)) &&
         (naive.out = card_new (size, NULL, error)) &&
         time_module (machine, &about, &naive, want, error);
  cudaFree (naive.in);
  cudaFree (naive.out);
  card_unload (naive.module);
  return done;
}

static gboolean
time_engine (const Machine *machine, const Subject *subject, FxLight light, const guint8 *pixels,
             GError **error)
{
  const BenchCase about = { light == FX_LIGHT_LINEAR ? "blur-linear" : "blur",
                            subject->width,
                            subject->height,
                            "rgb-u8",
                            subject->sigma,
                            "gpu" };
  const FxFormat format = { FX_SAMPLE_U8, 3, TRUE };
  g_autoptr (FxPlan) plan = machine_new_plan (&format, light, subject->sigma, subject->taps);

  return machine_time_blur (machine, machine->gpu, &about, plan, pixels, error);
}

/* Returns what the naive blur makes of pixels. */
static guint8 *
time_cpu (const Subject *subject, const guint8 *pixels)
{
  const BenchCase about = { "naive-cpu", subject->width, subject->height,
                            "rgb-u8",    subject->sigma, "cpu" };
  guint8 *result = g_malloc ((gsize) subject->width * subject->height * 3);
  double milliseconds[CPU_REPEATS];
  int n;

  for (n = 0; n < CPU_REPEATS && ! (n > 0 && bench_is_late ()); n++)
    {
      gint64 start = g_get_monotonic_time ();

      naive_blur (subject->taps, subject->sigma, pixels, result, subject->width, subject->height);
      milliseconds[n] = bench_get_milliseconds (start);
    }
  bench_print (&about, milliseconds, n);
  return result;
}

static gboolean
measure_subject (const Machine *machine, const Subject *subject, GError **error)
{
  g_autofree guint8 *pixels = picture_new_rgb (subject->width, subject->height);
  g_autofree guint8 *want = subject->taps <= CPU_TAPS ? time_cpu (subject, pixels) : NULL;

  if (! machine->card)
    return TRUE;
  if (machine->compiler && (! time_naive (machine, subject, TRUE, pixels, want, error) ||
                            ! time_naive (machine, subject, FALSE, pixels, want, error)))
    return FALSE;
  return time_engine (machine, subject, FX_LIGHT_PERCEPTUAL, pixels, error) &&
         time_engine (machine, subject, FX_LIGHT_LINEAR, pixels, error);
}

gboolean
sizes_measure (const Machine *machine, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (subjects) && ! bench_is_late (); i++)
    if (! measure_subject (machine, &subjects[i], error))
      return FALSE;
  return TRUE;
}
