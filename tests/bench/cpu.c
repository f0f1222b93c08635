/* bench-cpu: our engine on the CPU against gegl:gaussian-blur, and the errors of both.
 *
 * Both blur the same 8-bit R'G'B'A picture in linear light, from memory into memory, with all
 * cores, in turns, so that a drift of the machine's speed falls on both alike. Figures as
 * bench_print has them; lines that start with # say what they were measured on. */
#include "bench.h"
#include "runs.h"
#include "errors.h"
#include "gegl-peer.h"
#include "picture.h"

typedef struct {
  char *size, *sigmas, *error_size, *error_sigmas;
  int repeats, seconds;
  gboolean no_times, no_errors;
} Options;

typedef struct {
  int width, height, repeats;
  FxEngine *engine;
  guint8 *source, *result;
  GeglBuffer *gegl_source, *gegl_result;
  double *ours, *gegl; /* repeats of each */
} Times;

static void
init_times (Times *times, FxEngine *engine, int width, int height, int repeats)
{
  gsize size = (gsize) width * height * 4;

  *times = (Times) { .width = width, .height = height, .repeats = repeats, .engine = engine };
  times->source = picture_new (width, height);
  times->result = g_malloc (size);
  times->gegl_source = gegl_peer_new_buffer ("R'G'B'A u8", width, height, times->source);
  times->gegl_result = gegl_peer_new_buffer ("R'G'B'A u8", width, height, NULL);
  times->ours = g_new (double, repeats);
  times->gegl = g_new (double, repeats);
}

static void
clear_times (Times *times)
{
  g_free (times->source);
  g_free (times->result);
  g_object_unref (times->gegl_source);
  g_object_unref (times->gegl_result);
  g_free (times->ours);
  g_free (times->gegl);
}

static gboolean
blur_once (Times *times, double sigma, double *milliseconds, FxReport *report, GError **error)
{
  const Memory memory = {
    times->source, times->result, times->width, times->height, { FX_SAMPLE_U8, 4, TRUE }
  };

  return engine_blur (times->engine, FX_DEVICE_CPU, &memory, sigma, milliseconds, report, error);
}

/* One sigma: a call of each to warm up, then the timed ones. */
static gboolean
measure_sigma (Times *times, double sigma, GError **error)
{
  const BenchCase ours = { "blur", times->width, times->height, "u8", sigma, "cpu" };
  const BenchCase gegl = { "gegl", times->width, times->height, "u8", sigma, "cpu" };
  int n;

  if (! blur_once (times, sigma, NULL, NULL, error))
    return FALSE;
  gegl_peer_blur (times->gegl_source, times->gegl_result, sigma);
  for (n = 0; n < times->repeats && ! (n > 0 && bench_is_late ()); n++)
    {
      if (! blur_once (times, sigma, &times->ours[n], NULL, error))
        return FALSE;
      times->gegl[n] = gegl_peer_blur (times->gegl_source, times->gegl_result, sigma);
    }
  bench_print (&ours, times->ours, n);
  bench_print (&gegl, times->gegl, n);
  return TRUE;
}

static gboolean
measure_times (FxEngine *engine, const Options *options, GError **error)
{
  g_autofree double *sigmas = NULL;
  gboolean done = TRUE;
  int width, height, n;
  Times times;

  if (! bench_parse_size (options->size, &width, &height, error) ||
      ! (sigmas = bench_parse_numbers (options->sigmas, &n, error)))
    return FALSE;
  init_times (&times, engine, width, height, options->repeats);
  for (int i = 0; done && i < n && ! bench_is_late (); i++)
    done = measure_sigma (&times, sigmas[i], error);
  clear_times (&times);
  return done;
}

static gboolean
measure_errors (FxEngine *engine, gboolean with_gpu, const Options *options, GError **error)
{
  g_autofree double *sigmas = NULL;
  int width, height, n;

  return bench_parse_size (options->error_size, &width, &height, error) &&
         (sigmas = bench_parse_numbers (options->error_sigmas, &n, error)) &&
         errors_measure (engine, with_gpu, width, height, sigmas, n, error);
}

/* Says on what it runs, and whether the GPU engine works here. */
static gboolean
print_devices (FxEngine *engine, gboolean *with_gpu, GError **error)
{
  guint8 pixel[4] = { 1, 2, 3, 4 };
  const Memory memory = { pixel, pixel, 1, 1, { FX_SAMPLE_U8, 4, TRUE } };
  g_autofree char *gegl = gegl_peer_get_version ();
  g_autoptr (GError) failure = NULL;
  FxReport report;

  if (! engine_blur (engine, FX_DEVICE_CPU, &memory, 1.0, NULL, &report, error))
    return FALSE;
  g_print ("# engine: %s\n# GEGL: %s\n", report.device_name, gegl);
  *with_gpu = engine_blur (engine, FX_DEVICE_GPU, &memory, 1.0, NULL, &report, &failure);
  g_print ("# GPU: %s\n", *with_gpu ? report.device_name : failure->message);
  return TRUE;
}

static gboolean
parse (int *argc, char ***argv, Options *options, GError **error)
{
  const GOptionEntry entries[] = {
    { "size", 0, 0, G_OPTION_ARG_STRING, &options->size, "Of the timed picture", "WxH" },
    { "sigmas", 0, 0, G_OPTION_ARG_STRING, &options->sigmas, "Timed", "S,..." },
    { "repeats", 0, 0, G_OPTION_ARG_INT, &options->repeats, "Timed calls a figure", "N" },
    { "error-size", 0, 0, G_OPTION_ARG_STRING, &options->error_size, "For the errors", "WxH" },
    { "error-sigmas", 0, 0, G_OPTION_ARG_STRING, &options->error_sigmas, "For the errors",
      "S,..." },
    { "no-times", 0, 0, G_OPTION_ARG_NONE, &options->no_times, "Only the errors", NULL },
    { "no-errors", 0, 0, G_OPTION_ARG_NONE, &options->no_errors, "Only the times", NULL },
    { "seconds", 0, 0, G_OPTION_ARG_INT, &options->seconds, "Then begin nothing new", "N" },
    { NULL }
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  *options = (Options) { .size = "3840x2160",
                         .sigmas = "2,8,10,100,200,1000",
                         .repeats = 5,
                         .error_size = "640x480",
                         .error_sigmas = "0.5,1.5,3,10,50" };
  g_option_context_set_summary (context, "Measures the engine on the CPU against GEGL.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (! g_option_context_parse (context, argc, argv, error))
    return FALSE;
  options->repeats = MAX (options->repeats, 1);
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (GError) error = NULL;
  gboolean with_gpu;
  Options options;

  if (! parse (&argc, &argv, &options, &error))
    {
      g_printerr ("bench-cpu: %s\n", error->message);
      return 2;
    }
  bench_set_seconds (options.seconds);
  gegl_peer_init ();
  if (! print_devices (engine, &with_gpu, &error) ||
      (! options.no_times && ! measure_times (engine, &options, &error)) ||
      (! options.no_errors && ! measure_errors (engine, with_gpu, &options, &error)))
    g_printerr ("bench-cpu: %s\n", error->message);
  gegl_peer_exit ();
  return error ? EXIT_FAILURE : EXIT_SUCCESS;
}
