#include "blur-gpu.h"
#include "machine.h"
#include "naive.h"
#include "../lib/folder.h"

#define REPEATS  7 /* of what takes a tenth of a second */
#define LAUNCHES 1000

/* A program, named after what it is for. */
typedef struct {
  const char *name;
  double sigma;
  int naive; /* taps of naive.cu; 0: the engine's program, as follows */
  FxFormat format;
  int kernel_size;
  const FxProgram *program;
} Subject;

static const Subject subjects[] = {
  { .name = "naive-7x7", .sigma = 1.5, .naive = 7 },
  { .name = "naive-61x61", .sigma = 10.0, .naive = 61 },
  { "fir-7x7", 1.5, 0, { FX_SAMPLE_U8, 3, TRUE }, 7, &blur_program_fir_specialised },
  { "fir-u8", 4.9, 0, { FX_SAMPLE_U8, 4, TRUE }, 0, &blur_program_fir_specialised },
  { "fir-float", 5.9, 0, { FX_SAMPLE_FLOAT, 4, FALSE }, 0, &blur_program_fir_specialised },
  { "fir-generic-u8", 4.9, 0, { FX_SAMPLE_U8, 4, TRUE }, 0, &blur_program_fir },
  { "fir-generic-float", 5.9, 0, { FX_SAMPLE_FLOAT, 4, FALSE }, 0, &blur_program_fir },
  { "rows-u8", 50.0, 0, { FX_SAMPLE_U8, 4, TRUE }, 999, &blur_program_rows },
  { "columns-u8", 50.0, 0, { FX_SAMPLE_U8, 4, TRUE }, 999, &blur_program_columns },
  { "decimate-u8", 50.0, 0, { FX_SAMPLE_U8, 4, TRUE }, 0, &blur_program_decimate_source },
  { "decimate-float", 50.0, 0, { FX_SAMPLE_FLOAT, 4, FALSE }, 0, &blur_program_decimate_source },
  { "decimate-grid", 50.0, 0, { FX_SAMPLE_FLOAT, 4, FALSE }, 0, &blur_program_decimate_grid },
  { "convolve-grid", 50.0, 0, { FX_SAMPLE_FLOAT, 4, FALSE }, 0, &blur_program_filter_grid },
  { "interpolate-grid", 50.0, 0, { FX_SAMPLE_FLOAT, 4, FALSE }, 0, &blur_program_interpolate_grid },
  { "interpolate-u8", 50.0, 0, { FX_SAMPLE_U8, 4, TRUE }, 0, &blur_program_interpolate_result },
  { "interpolate-float",
    50.0,
    0,
    { FX_SAMPLE_FLOAT, 4, FALSE },
    0,
    &blur_program_interpolate_result },
};

/* The case of the engine's programs: a device with the shared memory of an H100. */
static char *
get_text (const Subject *subject)
{
  FxProgramCase what = { .shared_block = 232448, .shared_processor = 233472 };
  g_autoptr (FxPlan) plan = NULL;

  if (subject->naive)
    return naive_get_source (subject->naive, subject->sigma);
  plan = machine_new_plan (&subject->format, FX_LIGHT_LINEAR, subject->sigma, subject->kernel_size);
  what.codec = plan->codec;
  what.plan = plan;
  return fx_program_get_text (subject->program, &what);
}

static void
print_times (const Subject *subject, const char *what, gboolean ptx, const char *device,
             double *milliseconds, int n)
{
  g_autofree char *name = g_strdup_printf ("%s-%s", what, ptx ? "ptx" : "cubin");
  const BenchCase about = { name, 0, 0, subject->name, subject->sigma, device };

  bench_print (&about, milliseconds, n);
}

/* Compiles the text as often as there is time, and returns what came of it. */
static GBytes *
compile (const Machine *machine, const Subject *subject, const char *text, const FxTarget *target,
         GError **error)
{
  double milliseconds[REPEATS];
  GBytes *code = NULL;
  int n;

  for (n = 0; n < REPEATS && ! (n > 0 && bench_is_late ()); n++)
    {
      gint64 start = g_get_monotonic_time ();

      g_clear_pointer (&code, g_bytes_unref);
      code = fx_program_compile (subject->program, machine->compiler, text, target, error);
      if (! code)
        return NULL;
      milliseconds[n] = bench_get_milliseconds (start);
    }
  print_times (subject, "compile", target->ptx, "cpu", milliseconds, n);
  return code;
}

static gboolean
time_loads (const Machine *machine, const Subject *subject, GBytes *code, gboolean ptx,
            GError **error)
{
  double milliseconds[REPEATS];
  int n;

  for (n = 0; n < REPEATS && ! (n > 0 && bench_is_late ()); n++)
    {
      gint64 start = g_get_monotonic_time ();
      CUmodule module;

      if (! card_load (code, &module, error))
        return FALSE;
      milliseconds[n] = bench_get_milliseconds (start);
      card_unload (module);
    }
  print_times (subject, "load", ptx, "gpu", milliseconds, n);
  return TRUE;
}

/* The naive kernel over next to nothing, so that the host is what takes time. */
static gboolean
launch_many (const Machine *machine, CUfunction kernel, void *pixels, double *milliseconds,
             GError **error)
{
  int width = 1, height = 1;
  void *args[] = { &pixels, &pixels, &width, &height };
  gint64 start;

  if (! card_check (cudaStreamSynchronize (machine->card->stream), "run a kernel", error))
    return FALSE;
  start = g_get_monotonic_time ();
  for (int i = 0; i < LAUNCHES; i++)
    if (! card_launch (machine->card, kernel, 1, 1, 16, args, error))
      return FALSE;
  if (! card_check (cudaStreamSynchronize (machine->card->stream), "run a kernel", error))
    return FALSE;
  *milliseconds = bench_get_milliseconds (start) / LAUNCHES;
  return TRUE;
}

static gboolean
time_launches (const Machine *machine, const Subject *subject, GBytes *code, gboolean ptx,
               GError **error)
{
  double milliseconds[REPEATS], warm_up;
  void *pixels = card_new (16, NULL, error);
  CUmodule module = NULL;
  CUfunction kernel;
  gboolean done = pixels && card_load (code, &module, error) &&
                  card_get_kernel (module, "naive", &kernel, error) &&
                  launch_many (machine, kernel, pixels, &warm_up, error);

  for (int i = 0; done && i < REPEATS; i++)
    done = launch_many (machine, kernel, pixels, &milliseconds[i], error);
  if (done)
    print_times (subject, "launch", ptx, "gpu", milliseconds, REPEATS);
  if (module)
    card_unload (module);
  cudaFree (pixels);
  return done;
}

/* The engine's work for a program that it has compiled before. */
static gboolean
time_cache (const Machine *machine, const Subject *subject, const char *text, FxCache *cache,
            GError **error)
{
  const BenchCase about = { "cache-read", 0, 0, subject->name, subject->sigma, "cpu" };
  double milliseconds[REPEATS];
  g_autoptr (GBytes) first = fx_program_get (subject->program, machine->compiler, cache, text,
                                             &machine->target, error);

  for (int i = 0; first && i < REPEATS; i++)
    {
      gint64 start = g_get_monotonic_time ();
      g_autoptr (GBytes) code = fx_program_get (subject->program, machine->compiler, cache, text,
                                                &machine->target, error);

      if (! code)
        return FALSE;
      milliseconds[i] = bench_get_milliseconds (start);
    }
  if (first)
    bench_print (&about, milliseconds, REPEATS);
  return first != NULL;
}

static gboolean
measure_code (const Machine *machine, const Subject *subject, const char *text, gboolean ptx,
              GError **error)
{
  const FxTarget target = { machine->target.arch, ptx };
  g_autoptr (GBytes) code = compile (machine, subject, text, &target, error);

  return code && (! machine->card ||
                  (time_loads (machine, subject, code, ptx, error) &&
                   (subject->naive != 7 || time_launches (machine, subject, code, ptx, error))));
}

static gboolean
measure_subject (const Machine *machine, const Subject *subject, FxCache *cache, GError **error)
{
  g_autofree char *text = get_text (subject);

  return measure_code (machine, subject, text, TRUE, error) &&
         /* A device that is newer than NVRTC takes PTX alone. */
         (machine->target.ptx || measure_code (machine, subject, text, FALSE, error)) &&
         time_cache (machine, subject, text, cache, error);
}

gboolean
programs_measure (const Machine *machine, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp ("bench-device-XXXXXX", error);
  g_autoptr (FxCache) cache = NULL;
  gboolean done = folder != NULL;

  if (! done)
    return FALSE;
  cache = fx_cache_new (folder, FX_CACHE_LIMIT);
  for (gsize i = 0; done && i < G_N_ELEMENTS (subjects) && ! bench_is_late (); i++)
    done = measure_subject (machine, &subjects[i], cache, error);
  folder_remove (folder);
  return done;
}
