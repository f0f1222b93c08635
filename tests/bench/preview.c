/* bench-preview: views of a resident picture, of 800x600 pixels, at several scales, as a hand on a
 * slider asks for them: each with another sigma. On the GPU; as drafts on the CPU; in full on the
 * CPU.
 *
 * Figures as bench_print has them: what is "view" and the scale; or "changed", for the first view
 * of a picture all of which has changed, that is uploaded or, for drafts, made smaller. */
#include "bench.h"
#include "picture.h"
#include "../lib/run.h"

#define WIDTH  800
#define HEIGHT 600

typedef struct {
  FxEngine *engine;
  FxPreview *preview;
  guint8 *source;
  int width, height;
  guint8 rgba[WIDTH * HEIGHT * 4];
} Subject;

static const struct {
  FxDevice device;
  gboolean draft;
  const char *name;
} renderers[] = {
  { FX_DEVICE_GPU, FALSE, "gpu" },
  { FX_DEVICE_CPU, TRUE, "cpu-draft" },
  { FX_DEVICE_CPU, FALSE, "cpu" },
};

/* Milliseconds of a view of the picture's middle, or less than 0 if there is no such device. */
static double
render (Subject *s, int renderer, double scale, double sigma)
{
  const BlurParams params = { .sigma_x = sigma, .sigma_y = sigma };
  const FxRect rect = { (int) (s->width * scale - WIDTH) / 2,
                        (int) (s->height * scale - HEIGHT) / 2, WIDTH, HEIGHT };
  const FxView view = { .scale = scale, .rect = rect, .draft = renderers[renderer].draft };
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();

  if (run_view (s->preview, &params, renderers[renderer].device, &view, s->rgba, NULL, NULL, NULL,
                &error))
    return bench_get_milliseconds (start);
  if (g_error_matches (error, FX_ERROR, FX_ERROR_UNAVAILABLE))
    return -1.0;
  g_printerr ("bench-preview: %s\n", error->message);
  exit (EXIT_FAILURE);
}

static void
measure (Subject *s, int renderer, double scale, double sigma, int repeats)
{
  g_autofree char *what = g_strdup_printf ("view %.4g", scale);
  g_autofree double *values = g_new (double, repeats);
  const BenchCase about = { what, s->width, s->height, "u8", sigma, renderers[renderer].name };

  for (int r = -1; r < repeats; r++)
    {
      const double milliseconds = render (s, renderer, scale, sigma * (1.0 + 1e-3 * r));

      if (milliseconds < 0.0)
        return;
      if (r >= 0) /* the one before is not counted */
        values[r] = milliseconds;
    }
  bench_print (&about, values, repeats);
}

/* The device is open and has its programs when all of the picture is said to have changed. */
static void
measure_changed (Subject *s, int renderer)
{
  const BenchCase about = { "changed", s->width, s->height, "u8", 10.0, renderers[renderer].name };
  double milliseconds = render (s, renderer, 0.1, 10.0);

  if (milliseconds < 0.0)
    return;
  fx_preview_change (s->preview, 0, s->height);
  bench_print_value (&about, render (s, renderer, 0.1, 10.0));
}

int
main (int argc, char **argv)
{
  const char *size = "6000x4000", *scales = "0.02,0.1333,0.5,1,4";
  const char *sigmas = "0.5,2,5,10,50,200,1000,4950";
  int repeats = 11, n_scales, n_sigmas;
  const GOptionEntry entries[] = {
    { "size", 0, 0, G_OPTION_ARG_STRING, &size, "Of the picture", "WxH" },
    { "scales", 0, 0, G_OPTION_ARG_STRING, &scales, "Pixels of the view to one of it", "S,..." },
    { "sigmas", 0, 0, G_OPTION_ARG_STRING, &sigmas, "Timed", "S,..." },
    { "repeats", 0, 0, G_OPTION_ARG_INT, &repeats, "Timed views of each", "N" },
    { NULL }
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  g_autofree Subject *s = g_new0 (Subject, 1);
  g_autoptr (GError) error = NULL;
  g_autofree double *scale = NULL, *sigma = NULL;

  g_option_context_set_summary (context, "Measures views of a resident picture.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (! g_option_context_parse (context, &argc, &argv, &error) ||
      ! bench_parse_size (size, &s->width, &s->height, &error) ||
      ! (scale = bench_parse_numbers (scales, &n_scales, &error)) ||
      ! (sigma = bench_parse_numbers (sigmas, &n_sigmas, &error)))
    {
      g_printerr ("bench-preview: %s\n", error->message);
      return 2;
    }
  s->engine = fx_engine_new ();
  s->source = picture_new (s->width, s->height);
  s->preview = fx_preview_new (s->engine, &format, FALSE, s->width, s->height, s->source);
  for (int r = 0; r < (int) G_N_ELEMENTS (renderers); r++)
    {
      measure_changed (s, r);
      for (int i = 0; i < n_scales * n_sigmas; i++)
        measure (s, r, scale[i / n_sigmas], sigma[i % n_sigmas], repeats);
    }
  fx_preview_free (s->preview);
  fx_engine_free (s->engine);
  g_free (s->source);
  return EXIT_SUCCESS;
}
