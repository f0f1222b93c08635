/* bench-preview: views of a resident picture, of 800x600 pixels, at several scales, as a hand on a
 * slider asks for them: each with another sigma, or another dense matrix. On the GPU; as drafts on
 * the CPU; in full on the CPU. The time includes that of making the plan.
 *
 * Figures as bench_print has them: what is "view" and the scale; "matrix" and the scale, for which
 * sigma is the matrix's size; or "changed", for the first view of a picture all of which has
 * changed, that is uploaded or, for drafts, made smaller. */
#include "bench.h"
#include "blur.h"
#include "convolve.h"
#include "picture.h"
#include "preview.h"

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

static FxPlan *
make_blur (const FxFormat *format, double sigma)
{
  const BlurParams params = { .sigma_x = sigma, .sigma_y = sigma };

  return blur_plan_new (&params, format, NULL);
}

/* A matrix of random numbers, which are others for each change. */
static FxPlan *
make_convolution (const FxFormat *format, int size, int change)
{
  g_autofree double *values = g_new (double, size *size);
  const ConvolveParams params = { .rows = size, .columns = size, .values = values };
  g_autoptr (GRand) random = g_rand_new_with_seed (size + change);

  for (int i = 0; i < size * size; i++)
    values[i] = g_rand_double_range (random, -0.25, 0.75);
  return convolve_plan_new (&params, format, NULL);
}

/* Renders a view of the picture's middle. Returns FALSE if there is no such device. */
static gboolean
render (Subject *s, FxPlan *plan, int renderer, double scale)
{
  const FxRect rect = { (int) (s->width * scale - WIDTH) / 2,
                        (int) (s->height * scale - HEIGHT) / 2, WIDTH, HEIGHT };
  const FxView view = { .scale = scale, .rect = rect, .draft = renderers[renderer].draft };
  g_autoptr (GError) error = NULL;

  if (plan && fx_preview_render (s->preview, plan, renderers[renderer].device, &view, s->rgba, NULL,
                                 NULL, NULL, &error))
    return TRUE;
  if (error && g_error_matches (error, FX_ERROR, FX_ERROR_UNAVAILABLE))
    return FALSE;
  g_printerr ("bench-preview: %s\n", error ? error->message : "no plan");
  exit (EXIT_FAILURE);
}

/* Milliseconds of a view with a blur or, if matrix is not 0, with a matrix of that size; less than
 * 0 if there is no such device. Each change is a value of its slider. */
static double
time_view (Subject *s, int renderer, double scale, double sigma, int matrix, int change)
{
  const FxFormat *format = fx_preview_get_format (s->preview);
  gint64 start = g_get_monotonic_time ();
  g_autoptr (FxPlan) plan = matrix ? make_convolution (format, matrix, change)
                                   : make_blur (format, sigma * (1.0 + 1e-3 * change));

  return render (s, plan, renderer, scale) ? bench_get_milliseconds (start) : -1.0;
}

static void
measure (Subject *s, int renderer, double scale, double sigma, int matrix, int repeats)
{
  g_autofree char *what = g_strdup_printf ("%s %.4g", matrix ? "matrix" : "view", scale);
  g_autofree double *values = g_new (double, repeats);
  const BenchCase about = {
    what, s->width, s->height, "u8", matrix ? matrix : sigma, renderers[renderer].name
  };

  for (int r = -1; r < repeats; r++)
    {
      const double milliseconds = time_view (s, renderer, scale, sigma, matrix, r);

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

  if (time_view (s, renderer, 0.1, 10.0, 0, 0) < 0.0)
    return;
  fx_preview_change (s->preview, 0, s->height);
  bench_print_value (&about, time_view (s, renderer, 0.1, 10.0, 0, 0));
}

int
main (int argc, char **argv)
{
  const char *size = "6000x4000", *scales = "0.02,0.1333,0.5,1,4";
  const char *sigmas = "0.5,2,5,10,50,200,1000,4950", *matrices = "7,31,63";
  int repeats = 11, n_scales, n_sigmas, n_matrices;
  const GOptionEntry entries[] = {
    { "size", 0, 0, G_OPTION_ARG_STRING, &size, "Of the picture", "WxH" },
    { "scales", 0, 0, G_OPTION_ARG_STRING, &scales, "Pixels of the view to one of it", "S,..." },
    { "sigmas", 0, 0, G_OPTION_ARG_STRING, &sigmas, "Timed", "S,..." },
    { "matrices", 0, 0, G_OPTION_ARG_STRING, &matrices, "Sizes, timed", "N,..." },
    { "repeats", 0, 0, G_OPTION_ARG_INT, &repeats, "Timed views of each", "N" },
    { NULL }
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  g_autofree Subject *s = g_new0 (Subject, 1);
  g_autoptr (GError) error = NULL;
  g_autofree double *scale = NULL, *sigma = NULL, *matrix = NULL;

  g_option_context_set_summary (context, "Measures views of a resident picture.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (! g_option_context_parse (context, &argc, &argv, &error) ||
      ! bench_parse_size (size, &s->width, &s->height, &error) ||
      ! (scale = bench_parse_numbers (scales, &n_scales, &error)) ||
      ! (sigma = bench_parse_numbers (sigmas, &n_sigmas, &error)) ||
      ! (matrix = bench_parse_numbers (matrices, &n_matrices, &error)))
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
        measure (s, r, scale[i / n_sigmas], sigma[i % n_sigmas], 0, repeats);
      for (int i = 0; i < n_scales * n_matrices; i++)
        measure (s, r, scale[i / n_matrices], 0.0, (int) matrix[i % n_matrices], repeats);
    }
  fx_preview_free (s->preview);
  fx_engine_free (s->engine);
  g_free (s->source);
  return EXIT_SUCCESS;
}
