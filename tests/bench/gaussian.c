/* bench-gaussian: the Gaussian on the CPU, for each kind of layer, with a given number of threads.
 *
 * Blurs RGBA from memory into memory and prints figures as bench_print has them, with "CASE" as the
 * format: the samples, the light and the alpha, such as u8-linear-soft. "blur" is the wall clock's
 * time, "blur-cpu" the processors' time of all threads. gaussian.py runs this, also in several
 * builds by turns. */
#include "bench.h"
#include "picture.h"
#include "../lib/memory.h"
#include "../lib/run.h"

#include <time.h>

typedef struct {
  char *size, *sigmas, *cases;
  int repeats, threads;
  gboolean hash;
} Options;

typedef struct {
  const char *name;
  FxSample sample;
  FxLight light;
  gboolean opaque;
} Case;

static const Case cases[] = {
  { "u8-linear-soft", FX_SAMPLE_U8, FX_LIGHT_LINEAR, FALSE },
  { "u8-linear-opaque", FX_SAMPLE_U8, FX_LIGHT_LINEAR, TRUE },
  { "u8-perceptual-soft", FX_SAMPLE_U8, FX_LIGHT_PERCEPTUAL, FALSE },
  { "u8-perceptual-opaque", FX_SAMPLE_U8, FX_LIGHT_PERCEPTUAL, TRUE },
  { "u16-linear-soft", FX_SAMPLE_U16, FX_LIGHT_LINEAR, FALSE },
  { "u16-linear-opaque", FX_SAMPLE_U16, FX_LIGHT_LINEAR, TRUE },
  { "u16-perceptual-soft", FX_SAMPLE_U16, FX_LIGHT_PERCEPTUAL, FALSE },
  { "u16-perceptual-opaque", FX_SAMPLE_U16, FX_LIGHT_PERCEPTUAL, TRUE },
  { "float-linear-soft", FX_SAMPLE_FLOAT, FX_LIGHT_LINEAR, FALSE },
  { "float-linear-opaque", FX_SAMPLE_FLOAT, FX_LIGHT_LINEAR, TRUE },
  { "float-perceptual-soft", FX_SAMPLE_FLOAT, FX_LIGHT_PERCEPTUAL, FALSE },
  { "float-perceptual-opaque", FX_SAMPLE_FLOAT, FX_LIGHT_PERCEPTUAL, TRUE },
};

/* Returns the picture in the samples of a case. Floats are stored in linear light, integers in
 * sRGB's gamma. */
static gpointer
make_pixels (const Case *about, int width, int height)
{
  g_autofree guint8 *bytes = picture_new (width, height);
  g_autofree float *floats = NULL;
  gsize n = (gsize) width * height * 4;
  guint16 *words;

  for (gsize i = 3; about->opaque && i < n; i += 4)
    bytes[i] = 255;
  if (about->sample == FX_SAMPLE_U8)
    return g_steal_pointer (&bytes);
  if (about->sample == FX_SAMPLE_U16)
    {
      words = g_new (guint16, n);
      for (gsize i = 0; i < n; i++)
        words[i] = bytes[i] * 257;
      return words;
    }
  floats = picture_new_linear (width, height);
  for (gsize i = 3; about->opaque && i < n; i += 4)
    floats[i] = 1.0f;
  return g_steal_pointer (&floats);
}

static double
get_processor_milliseconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

/* FNV-1a, by which two builds are seen to give the same pixels. */
static guint64
get_hash (const guint8 *bytes, gsize n)
{
  guint64 hash = 0xcbf29ce484222325u;

  for (gsize i = 0; i < n; i++)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

static gboolean
measure (FxEngine *engine, const Case *about, const Memory *memory, double sigma,
         const Options *options, GError **error)
{
  const BlurParams params = { .sigma_x = sigma, .sigma_y = sigma, .light = about->light };
  FxImage image = memory_get_image (memory);
  g_autofree double *wall = g_new (double, options->repeats);
  g_autofree double *processor = g_new (double, options->repeats);
  BenchCase line = { "blur", memory->width, memory->height, about->name, sigma, "cpu" };
  FxReport report;

  image.source = memory->pixels;
  image.result = memory->result;
  for (int i = -1; i < options->repeats; i++)
    {
      double start = get_processor_milliseconds ();

      if (! run_blur (engine, &params, FX_DEVICE_CPU, &image, &report, error))
        return FALSE;
      if (i >= 0) /* the one before is not counted */
        {
          wall[i] = report.milliseconds;
          processor[i] = get_processor_milliseconds () - start;
        }
    }
  bench_print (&line, wall, options->repeats);
  line.what = "blur-cpu";
  bench_print (&line, processor, options->repeats);
  if (options->hash)
    printf ("# %s %g: %016" G_GINT64_MODIFIER "x\n", about->name, sigma,
            get_hash (memory->result,
                      (gsize) memory->width * memory->height * fx_format_size (&memory->format)));
  return TRUE;
}

static gboolean
measure_case (FxEngine *engine, const Case *about, const Options *options, GError **error)
{
  Memory memory = { .format = { about->sample, 4, about->sample != FX_SAMPLE_FLOAT } };
  g_autofree gpointer pixels = NULL, result = NULL;
  g_autofree double *sigmas = NULL;
  gboolean done = TRUE;
  int n;

  if (! bench_parse_size (options->size, &memory.width, &memory.height, error) ||
      ! (sigmas = bench_parse_numbers (options->sigmas, &n, error)))
    return FALSE;
  memory.pixels = pixels = make_pixels (about, memory.width, memory.height);
  memory.result = result = g_malloc ((gsize) memory.width * memory.height *
                                     fx_format_size (&memory.format));
  for (int i = 0; done && i < n; i++)
    done = measure (engine, about, &memory, sigmas[i], options, error);
  return done;
}

static gboolean
parse (int *argc, char ***argv, Options *options, GError **error)
{
  const GOptionEntry entries[] = {
    { "size", 0, 0, G_OPTION_ARG_STRING, &options->size, "Of the picture", "WxH" },
    { "sigmas", 0, 0, G_OPTION_ARG_STRING, &options->sigmas, "To be timed", "S,..." },
    { "cases", 0, 0, G_OPTION_ARG_STRING, &options->cases, "Only those that begin so", "CASE" },
    { "repeats", 0, 0, G_OPTION_ARG_INT, &options->repeats, "Timed calls a figure", "N" },
    { "threads", 0, 0, G_OPTION_ARG_INT, &options->threads, "0: as many as usual", "N" },
    { "hash", 0, 0, G_OPTION_ARG_NONE, &options->hash, "Also a hash of each result", NULL },
    { NULL }
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  *options = (Options) { .size = "3840x2160", .sigmas = "1,2,3,5,8,10", .cases = "", .repeats = 7 };
  g_option_context_set_summary (context, "Measures the Gaussian on the CPU.");
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
  g_auto (FxConfig) config = { 0 };
  Options options;
  gboolean done;

  done = parse (&argc, &argv, &options, &error) && fx_config_init (&config, FX_DEVICE_CPU, &error);
  config.threads = options.threads;
  if (done)
    fx_engine_set_config (engine, &config);
  for (int i = 0; done && i < (int) G_N_ELEMENTS (cases); i++)
    if (g_str_has_prefix (cases[i].name, options.cases))
      done = measure_case (engine, &cases[i], &options, &error);
  if (done)
    return EXIT_SUCCESS;
  g_printerr ("bench-gaussian: %s\n", error->message);
  return EXIT_FAILURE;
}
