/* bench-filter [OPTION...]: times what its standard input asks for, a case a line.
 *
 * The fields of a case are separated by tabs: a name, the size for the figure, the format of the
 * pixels, what to time, and the filter with its settings in the words of filter-words.h:
 *
 *     gaussian  10  u8-opaque  resident  cuda-gaussian-blur  sigma-x=10  sigma-y=10
 *
 * Formats are u8, u16 and float, RGBA, each also with "-opaque": an alpha of 1. Devices:
 *     resident         the GPU, data resident, by its own clock
 *     gpu, cpu, auto   all of the engine, from memory into memory
 *     view-gpu:SCALE, view-cpu:SCALE, draft-cpu:SCALE
 *                      a view of 800x600 pixels at that scale, its plan included. The first word is
 *                      a number, which differs a little in each view, as under a slider
 *     changed-gpu:SCALE, changed-cpu:SCALE, changed-draft:SCALE
 *                      the same after all of the picture has changed
 *     plan             making the plan
 *
 * Each case is answered by a figure: name, width, height, format, size, device; then the median,
 * the least and the most of the milliseconds, and how many they are; the processors' milliseconds
 * of all threads, median, and with --hash the first digits of the result's SHA-256. Or by a line
 * that starts with "!" and says why there is none. Lines that start with # say what was measured
 * on. The program waits for the next case while its engine stays open, so that several builds can
 * take turns (filters.py). */
#if HAVE_CUDA
#include "device-time.h"
#endif
#include "engine.h"
#include "filter-words.h"
#include "filters.h"
#include "gpu.h"
#include "memory.h"
#include "picture.h"
#include "preview.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WARM_UPS    2
#define VIEW_WIDTH  800
#define VIEW_HEIGHT 600
#define CHANGE      1e-3 /* of a number, from one view to the next */

enum { NAME, SIZE, FORMAT, DEVICE, FILTER, FIELDS };

typedef struct {
  int width, height, repeats;
  gboolean hash;
  FxConfig config;
  FxEngine *engine;
  FxGpu *gpu; /* NULL until it is needed */

  /* For the format of the last case: */
  char *name;
  FxFormat format;
  gpointer pixels, result;
  FxPreview *preview;

  double *wall, *processors; /* WARM_UPS + repeats milliseconds each */
} Bench;

typedef struct Clock Clock;

typedef struct {
  const Clock *clock;
  double scale; /* of a view */
  FilterSettings *settings;
  int changing; /* the property of the first word, or -1 */
} Case;

/* A thing to time. measure fills wall, processors if it reads them, and the result if that is to be
 * hashed. */
struct Clock {
  const char *name;
  gboolean (*measure) (Bench *bench, const Case *about, GError **error);
  FxDevice device;
  gboolean draft, changed, hashed;
};

static FxPlan *
make_plan (const Bench *bench, const FilterSettings *settings)
{
  const FxGeometry whole = { .width = bench->width, .height = bench->height };

  return filter_settings_make_plan (settings, &bench->format, &whole, FALSE);
}

static double
get_processor_milliseconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

/* Since start, which is of g_get_monotonic_time. */
static double
get_milliseconds (gint64 start)
{
  return (g_get_monotonic_time () - start) / 1000.0;
}

/* What to time. */

static gboolean
measure_plan (Bench *bench, const Case *about, GError **error)
{
  for (int i = 0; i < WARM_UPS + bench->repeats; i++)
    {
      const gint64 start = g_get_monotonic_time ();

      fx_plan_free (make_plan (bench, about->settings));
      bench->wall[i] = get_milliseconds (start);
    }
  return TRUE;
}

static gboolean
open_gpu (Bench *bench, GError **error)
{
  if (bench->gpu)
    return TRUE;
  bench->gpu = fx_gpu_open (&bench->config, error);
  if (bench->gpu)
    printf ("# GPU: %s\n", fx_gpu_get_name (bench->gpu));
  return bench->gpu != NULL;
}

static gboolean
measure_resident (Bench *bench, const Case *about, GError **error)
{
  g_autoptr (FxPlan) plan = make_plan (bench, about->settings);

#if HAVE_CUDA
  return open_gpu (bench, error) && fx_gpu_use (bench->gpu, error) &&
         device_time (bench->gpu, plan, bench->width, bench->height, bench->pixels, bench->result,
                      bench->wall, WARM_UPS + bench->repeats, error);
#else
  return open_gpu (bench, error);
#endif
}

static gboolean
measure_engine (Bench *bench, const Case *about, GError **error)
{
  g_autoptr (FxPlan) plan = make_plan (bench, about->settings);
  const Memory memory = { bench->pixels, bench->result, bench->width, bench->height,
                          bench->format };
  FxImage image = memory_get_image (&memory);

  image.source = bench->pixels;
  image.result = bench->result;
  for (int i = 0; i < WARM_UPS + bench->repeats; i++)
    {
      const double start = get_processor_milliseconds ();
      FxReport report;

      if (! fx_engine_run (bench->engine, plan, about->clock->device, &image, &report, error))
        return FALSE;
      bench->wall[i] = report.milliseconds;
      bench->processors[i] = get_processor_milliseconds () - start;
    }
  return TRUE;
}

/* Renders the middle of the picture with the number of the first word changed. */
static gboolean
render (Bench *bench, const Case *about, int change, GError **error)
{
  static guint8 rgba[VIEW_WIDTH * VIEW_HEIGHT * 4];
  const FxView view = { .scale = about->scale,
                        .rect = { (int) (bench->width * about->scale - VIEW_WIDTH) / 2,
                                  (int) (bench->height * about->scale - VIEW_HEIGHT) / 2,
                                  VIEW_WIDTH, VIEW_HEIGHT },
                        .draft = about->clock->draft };
  g_autoptr (FilterSettings) settings = filter_settings_copy (about->settings);
  g_autoptr (FxPlan) plan = NULL;

  filter_settings_set (settings, about->changing,
                       filter_settings_get (settings, about->changing) * (1.0 - CHANGE * change));
  plan = make_plan (bench, settings);
  return fx_preview_render (bench->preview, plan, about->clock->device, &view, rgba, NULL, NULL,
                            NULL, error);
}

static gboolean
measure_view (Bench *bench, const Case *about, GError **error)
{
  if (about->changing < 0 ||
      filter_settings_get_filter (about->settings)->properties[about->changing].type !=
        FILTER_NUMBER)
    {
      g_set_error_literal (error, FX_ERROR, FX_ERROR_ARGUMENT, "the first word must be a number");
      return FALSE;
    }
  if (! bench->preview)
    bench->preview = fx_preview_new (bench->engine, &bench->format, FALSE, bench->width,
                                     bench->height, bench->pixels);
  for (int i = 0; i < WARM_UPS + bench->repeats; i++)
    {
      gint64 start;

      if (about->clock->changed)
        fx_preview_change (bench->preview, 0, bench->height);
      start = g_get_monotonic_time ();
      if (! render (bench, about, i, error))
        return FALSE;
      bench->wall[i] = get_milliseconds (start);
    }
  return TRUE;
}

static const Clock clocks[] = {
  { "plan", measure_plan },
  { "resident", measure_resident, .hashed = TRUE },
  { "gpu", measure_engine, FX_DEVICE_GPU, .hashed = TRUE },
  { "cpu", measure_engine, FX_DEVICE_CPU, .hashed = TRUE },
  { "auto", measure_engine, FX_DEVICE_AUTO, .hashed = TRUE },
  { "view-gpu", measure_view, FX_DEVICE_GPU },
  { "view-cpu", measure_view, FX_DEVICE_CPU },
  { "draft-cpu", measure_view, FX_DEVICE_CPU, .draft = TRUE },
  { "changed-gpu", measure_view, FX_DEVICE_GPU, .changed = TRUE },
  { "changed-cpu", measure_view, FX_DEVICE_CPU, .changed = TRUE },
  { "changed-draft", measure_view, FX_DEVICE_CPU, .draft = TRUE, .changed = TRUE },
};

/* Cases. */

static gboolean
set_clock (Case *about, const char *text)
{
  const char *colon = strchr (text, ':');
  const gsize length = colon ? (gsize) (colon - text) : strlen (text);

  about->scale = colon ? g_ascii_strtod (colon + 1, NULL) : 1.0;
  for (gsize i = 0; i < G_N_ELEMENTS (clocks); i++)
    if (strlen (clocks[i].name) == length && strncmp (text, clocks[i].name, length) == 0)
      about->clock = &clocks[i];
  return about->clock && about->scale > 0.0;
}

static gboolean
set_settings (Case *about, char *const *fields, GError **error)
{
  g_autofree char *procedure = g_strconcat ("plug-in-", fields[FILTER], NULL);
  const FilterDescription *filter = filters_find (procedure);
  char *const *words = fields + FIELDS;
  g_autofree char *property = words[0] ? g_strndup (words[0], strcspn (words[0], "=")) : NULL;

  if (! filter)
    {
      g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT, "no filter is called %s", fields[FILTER]);
      return FALSE;
    }
  about->changing = property ? filter_find_property (filter, property) : -1;
  about->settings = filter_settings_from_words (filter, words,
                                                (int) g_strv_length ((char **) words), error);
  return about->settings != NULL;
}

static void
clear_format (Bench *bench)
{
  g_clear_pointer (&bench->name, g_free);
  g_clear_pointer (&bench->preview, fx_preview_free);
  g_clear_pointer (&bench->pixels, g_free);
  g_clear_pointer (&bench->result, g_free);
}

static gboolean
set_format (Bench *bench, const char *name)
{
  static const struct {
    const char *name;
    FxSample sample;
  } samples[] = { { "u8", FX_SAMPLE_U8 }, { "u16", FX_SAMPLE_U16 }, { "float", FX_SAMPLE_FLOAT } };
  const gboolean opaque = g_str_has_suffix (name, "-opaque");
  g_autofree char *sample = g_strndup (name, strcspn (name, "-"));

  if (g_strcmp0 (bench->name, name) == 0)
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (samples); i++)
    if (strcmp (sample, samples[i].name) == 0)
      {
        clear_format (bench);
        bench->name = g_strdup (name);
        bench->format = (FxFormat) { samples[i].sample, 4, samples[i].sample != FX_SAMPLE_FLOAT };
        bench->pixels = picture_new (samples[i].sample, opaque, bench->width, bench->height);
        bench->result = g_malloc0_n ((gsize) bench->width * bench->height,
                                     fx_format_size (&bench->format));
        return TRUE;
      }
  return FALSE;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Sorts the values, and returns the one in the middle. */
static double
sort (double *values, int n)
{
  qsort (values, n, sizeof *values, compare_doubles);
  return (values[(n - 1) / 2] + values[n / 2]) / 2.0;
}

static void
print (const Bench *bench, const Clock *clock, char *const *fields)
{
  const int n = bench->repeats;
  double *wall = bench->wall + WARM_UPS;
  const double median = sort (wall, n);
  g_autofree char *hash = NULL;

  if (bench->hash && clock->hashed)
    hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, bench->result,
                                        (gsize) bench->width * bench->height *
                                          fx_format_size (&bench->format));
  printf ("%s\t%d\t%d\t%s\t%s\t%s\t%.6g\t%.6g\t%.6g\t%d\t%.6g\t%.16s\n", fields[NAME], bench->width,
          bench->height, fields[FORMAT], fields[SIZE], fields[DEVICE], median, wall[0], wall[n - 1],
          n, sort (bench->processors + WARM_UPS, n), hash ? hash : "");
}

static gboolean
answer (Bench *bench, char *const *fields, GError **error)
{
  Case about = { 0 };
  gboolean done = FALSE;

  if (g_strv_length ((char **) fields) < FIELDS || ! set_clock (&about, fields[DEVICE]) ||
      ! set_format (bench, fields[FORMAT]))
    {
      g_set_error_literal (error, FX_ERROR, FX_ERROR_ARGUMENT, "no such format or device");
      return FALSE;
    }
  memset (bench->processors, 0, (WARM_UPS + bench->repeats) * sizeof *bench->processors);
  done = set_settings (&about, fields, error) && about.clock->measure (bench, &about, error);
  filter_settings_free (about.settings);
  if (done)
    print (bench, about.clock, fields);
  return done;
}

static void
answer_all (Bench *bench)
{
  g_autofree char *line = NULL;
  gsize room = 0;

  while (getline (&line, &room, stdin) > 0)
    {
      g_auto (GStrv) fields = g_strsplit (g_strchomp (line), "\t", -1);
      g_autoptr (GError) error = NULL;

      if (! answer (bench, fields, &error))
        printf ("! %s\n", error->message);
      fflush (stdout);
    }
}

/* Options. */

static gboolean
parse_size (const char *text, int *width, int *height, GError **error)
{
  char rest;

  if (sscanf (text, "%dx%d%c", width, height, &rest) == 2 && *width > 0 && *height > 0)
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "\"%s\" must be a size, like 3840x2160", text);
  return FALSE;
}

static gboolean
parse (int *argc, char ***argv, Bench *bench, GError **error)
{
  g_autofree char *size = NULL, *programs = NULL;
  const GOptionEntry entries[] = {
    { "size", 0, 0, G_OPTION_ARG_STRING, &size, "Of the picture", "WxH" },
    { "repeats", 0, 0, G_OPTION_ARG_INT, &bench->repeats, "Timed runs a figure", "N" },
    { "threads", 0, 0, G_OPTION_ARG_INT, &bench->config.threads, "Of the CPU; 0: as usual", "N" },
    { "programs", 0, 0, G_OPTION_ARG_STRING, &programs, "Of the GPU", "generic|specialised|both" },
    { "hash", 0, 0, G_OPTION_ARG_NONE, &bench->hash, "Also a hash of each result", NULL },
    { NULL }
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_set_summary (context, "Times filters; standard input has the cases.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (! g_option_context_parse (context, argc, argv, error) ||
      ! parse_size (size ? size : "3840x2160", &bench->width, &bench->height, error))
    return FALSE;
  if (g_strcmp0 (programs, "generic") == 0)
    bench->config.variants = FX_VARIANTS_GENERIC;
  if (g_strcmp0 (programs, "specialised") == 0)
    bench->config.variants = FX_VARIANTS_SPECIALISED;
  bench->repeats = MAX (bench->repeats, 1);
  return TRUE;
}

int
main (int argc, char **argv)
{
  Bench bench = { .repeats = 9 };
  g_autoptr (GError) error = NULL;

  if (! fx_config_init (&bench.config, FX_DEVICE_AUTO, &error) ||
      ! parse (&argc, &argv, &bench, &error))
    {
      g_printerr ("bench-filter: %s\n", error->message);
      return 2;
    }
  bench.engine = fx_engine_new ();
  fx_engine_set_config (bench.engine, &bench.config);
  bench.wall = g_new0 (double, WARM_UPS + bench.repeats);
  bench.processors = g_new0 (double, WARM_UPS + bench.repeats);
  answer_all (&bench);
  clear_format (&bench);
  fx_gpu_close (bench.gpu);
  fx_engine_free (bench.engine);
  fx_config_clear (&bench.config);
  g_free (bench.wall);
  g_free (bench.processors);
  return EXIT_SUCCESS;
}
