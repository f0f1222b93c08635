#include "machine.h"
#include "npp.h"
#include "picture.h"

#define TOO_LONG 2000.0 /* milliseconds a call of a peer may take */

/* One format of the picture. */
typedef struct {
  FxFormat format;
  const char *name;
  int width, height;
  gconstpointer pixels;
} Subject;

/* How long a peer took last, and how its cost grows with sigma. */
typedef struct {
  double power, sigma, milliseconds;
} Trend;

static gboolean
is_too_long (const Trend *trend, double sigma)
{
  return trend->milliseconds * pow (sigma / trend->sigma, trend->power) > TOO_LONG;
}

static gsize
get_bytes (const Subject *subject)
{
  return (gsize) subject->width * subject->height * fx_format_size (&subject->format);
}

/* The copy. */

typedef struct {
  void *from, *to;
  gsize size;
} Copy;

static gboolean
run_copy (gpointer data, Card *card, GError **error)
{
  Copy *copy = data;

  return card_check (cudaMemcpyAsync (copy->to, copy->from, copy->size, cudaMemcpyDeviceToDevice,
                                      card->stream),
                     "copy on the GPU", error);
}

static gboolean
measure_copy (const Machine *machine, const Subject *subject, GError **error)
{
  const BenchCase about = { "copy", subject->width, subject->height, subject->name, 0, "gpu" };
  g_autofree double *milliseconds = g_new (double, machine->repeats);
  Copy copy = { .size = get_bytes (subject) };
  int n = 0;
  gboolean done = (copy.from = card_new (copy.size, subject->pixels, error)) &&
                  (copy.to = card_new (copy.size, NULL, error)) &&
                  card_time (machine->card, run_copy, &copy, milliseconds, machine->repeats, &n,
                             error);

  bench_print (&about, milliseconds, n);
  cudaFree (copy.from);
  cudaFree (copy.to);
  return done;
}

/* NPP. */

static gboolean
measure_npp_sigma (const Machine *machine, Npp *npp, const Subject *subject, double sigma,
                   Trend *trend, GError **error)
{
  const BenchCase about = { "npp", subject->width, subject->height, subject->name, sigma, "gpu" };
  g_autofree double *milliseconds = g_new (double, machine->repeats);
  int n;

  if (! npp_begin (npp, subject->format.sample == FX_SAMPLE_FLOAT, subject->width, subject->height,
                   sigma, subject->pixels, error) ||
      ! card_time (machine->card, npp_run, npp, milliseconds, machine->repeats, &n, error) ||
      ! npp_check (npp, machine->card, error))
    return FALSE;
  trend->sigma = sigma;
  trend->milliseconds = bench_get_median (milliseconds, n);
  bench_print (&about, milliseconds, n);
  return TRUE;
}

/* A failure of NPP is left out of the figures and ends nothing. */
static void
measure_npp (const Machine *machine, const Subject *subject, const double *sigmas, int count)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Npp) npp = npp_open (machine->card, &error);
  /* Two passes over floats; the whole square over bytes. */
  Trend trend = { .power = subject->format.sample == FX_SAMPLE_FLOAT ? 1.0 : 2.0, .sigma = 1.0 };

  if (npp)
    g_print ("# NPP: %s\n", npp_get_version (npp));
  for (int i = 0; npp && i < count && ! bench_is_late () && ! is_too_long (&trend, sigmas[i]); i++)
    if (! measure_npp_sigma (machine, npp, subject, sigmas[i], &trend, &error))
      break;
  if (error)
    g_printerr ("bench-device: %s\n", error->message);
}

/* The engine. */

static gboolean
measure_engine (const Machine *machine, FxGpu *gpu, const char *what, const Subject *subject,
                const double *sigmas, int count, gboolean fir_only, GError **error)
{
  for (int i = 0; i < count && ! bench_is_late (); i++)
    {
      const BenchCase about = { what,          subject->width, subject->height,
                                subject->name, sigmas[i],      "gpu" };
      g_autoptr (FxPlan) plan = machine_new_plan (&subject->format, FX_LIGHT_LINEAR, sigmas[i], 0);

      if (fir_only && blur_plan_get (plan)->x.n_stages > 0)
        continue;
      if (! machine_time_blur (machine, gpu, &about, plan, subject->pixels, error))
        return FALSE;
    }
  return TRUE;
}

/* Both kinds of program for a FIR, each on a GPU that is opened again, so that no program of the
 * other kind is left. */
static gboolean
measure_kinds (const Machine *machine, const Subject *subject, const double *sigmas, int count,
               GError **error)
{
  static const struct {
    FxVersions versions;
    const char *name;
  } kinds[] = {
    { FX_VERSIONS_GENERIC, "blur-generic" },
    { FX_VERSIONS_SPECIALISED, "blur-specialised" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const FxConfig config = { .versions = kinds[i].versions };
      FxGpu *gpu;
      gboolean done;

      gpu = fx_gpu_open (&config, error);
      done = gpu &&
             measure_engine (machine, gpu, kinds[i].name, subject, sigmas, count, TRUE, error);
      fx_gpu_close (gpu);
      if (! done)
        return FALSE;
    }
  return TRUE;
}

/* The two kinds come first: the engine as it is then finds both compiled. */
static gboolean
measure_subject (const Machine *machine, const Subject *subject, const double *sigmas, int count,
                 GError **error)
{
  return measure_copy (machine, subject, error) &&
         measure_kinds (machine, subject, sigmas, count, error) &&
         measure_engine (machine, machine->gpu, "blur", subject, sigmas, count, FALSE, error);
}

gboolean
sweep_measure (const Machine *machine, int width, int height, const double *sigmas, int n,
               GError **error)
{
  g_autofree float *floats = picture_new_linear (width, height);
  g_autofree guint8 *bytes = picture_new (width, height);
  const Subject real = { { FX_SAMPLE_FLOAT, 4, FALSE }, "float", width, height, floats };
  const Subject u8 = { { FX_SAMPLE_U8, 4, TRUE }, "u8", width, height, bytes };

  if (! measure_subject (machine, &real, sigmas, n, error) ||
      ! measure_subject (machine, &u8, sigmas, n, error))
    return FALSE;
  /* Last: after a kernel of theirs that fails, the device is of no use to anybody. */
  measure_npp (machine, &real, sigmas, n);
  measure_npp (machine, &u8, sigmas, n);
  return TRUE;
}
