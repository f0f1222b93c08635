/* bench-preview: views of a resident picture, of 800x600 pixels, at several scales, as a hand on a
 * slider asks for them: each with another sigma, another dense matrix, or another radius of a lens
 * blur. On the GPU; as drafts on the CPU; in full on the CPU. The time includes that of making the
 * plan.
 *
 * Figures as bench_print has them: what is "view" and the scale; "matrix" and the scale, for which
 * sigma is the matrix's size; "lens" and the scale, for which it is the radius; or "changed", for
 * the first view of a picture all of which has changed, that is uploaded or, for drafts, made
 * smaller. */
#include "bench.h"
#include "blur.h"
#include "convolve.h"
#include "lens.h"
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

typedef struct {
  const char *name; /* in the figures */
  FxPlan *(*make_plan) (const FxFormat *format, double size, int change);
} Filter;

/* Sizes are others for each change, but a matrix has other values. */
static double
change_size (double size, int change)
{
  return size * (1.0 + 1e-3 * change);
}

static FxPlan *
make_blur (const FxFormat *format, double sigma, int change)
{
  const double changed = change_size (sigma, change);
  const BlurParams params = { .sigma_x = changed, .sigma_y = changed };

  return blur_plan_new (&params, format, NULL);
}

static FxPlan *
make_lens (const FxFormat *format, double radius, int change)
{
  const LensParams params = { .radius = change_size (radius, change), .blades = 6 };

  return lens_plan_new (&params, format, NULL);
}

static FxPlan *
make_convolution (const FxFormat *format, double side, int change)
{
  const int size = (int) side;
  g_autofree double *values = g_new (double, size *size);
  const ConvolveParams params = { .rows = size, .columns = size, .values = values };
  g_autoptr (GRand) random = g_rand_new_with_seed (size + change);

  for (int i = 0; i < size * size; i++)
    values[i] = g_rand_double_range (random, -0.25, 0.75);
  return convolve_plan_new (&params, format, NULL);
}

static const Filter blur = { "view", make_blur }, matrix = { "matrix", make_convolution },
                    lens = { "lens", make_lens };

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

/* Milliseconds of a view, less than 0 if there is no such device. Each change is a value of the
 * slider. */
static double
time_view (Subject *s, int renderer, double scale, const Filter *filter, double size, int change)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (FxPlan) plan = filter->make_plan (fx_preview_get_format (s->preview), size, change);

  return render (s, plan, renderer, scale) ? bench_get_milliseconds (start) : -1.0;
}

static void
measure_size (Subject *s, int renderer, double scale, const Filter *filter, double size,
              int repeats)
{
  g_autofree char *what = g_strdup_printf ("%s %.4g", filter->name, scale);
  g_autofree double *values = g_new (double, repeats);
  const BenchCase about = { what, s->width, s->height, "u8", size, renderers[renderer].name };

  for (int r = -1; r < repeats; r++)
    {
      const double milliseconds = time_view (s, renderer, scale, filter, size, r);

      if (milliseconds < 0.0)
        return;
      if (r >= 0) /* the one before is not counted */
        values[r] = milliseconds;
    }
  bench_print (&about, values, repeats);
}

typedef struct {
  double *values;
  int n;
} Numbers;

static void
measure (Subject *s, int renderer, const Numbers *scales, const Filter *filter,
         const Numbers *sizes, int repeats)
{
  for (int i = 0; i < scales->n; i++)
    for (int j = 0; j < sizes->n; j++)
      measure_size (s, renderer, scales->values[i], filter, sizes->values[j], repeats);
}

/* The device is open and has its programs when all of the picture is said to have changed. */
static void
measure_changed (Subject *s, int renderer)
{
  const BenchCase about = { "changed", s->width, s->height, "u8", 10.0, renderers[renderer].name };

  if (time_view (s, renderer, 0.1, &blur, 10.0, 0) < 0.0)
    return;
  fx_preview_change (s->preview, 0, s->height);
  bench_print_value (&about, time_view (s, renderer, 0.1, &blur, 10.0, 0));
}

int
main (int argc, char **argv)
{
  const char *size = "6000x4000", *scales = "0.02,0.1333,0.5,1,4";
  const char *sigmas = "0.5,2,5,10,50,200,1000,4950", *matrices = "7,31,63";
  const char *radii = "3,20,100,300,500";
  int repeats = 11;
  const GOptionEntry entries[] = {
    { "size", 0, 0, G_OPTION_ARG_STRING, &size, "Of the picture", "WxH" },
    { "scales", 0, 0, G_OPTION_ARG_STRING, &scales, "Pixels of the view to one of it", "S,..." },
    { "sigmas", 0, 0, G_OPTION_ARG_STRING, &sigmas, "Timed", "S,..." },
    { "matrices", 0, 0, G_OPTION_ARG_STRING, &matrices, "Sizes, timed", "N,..." },
    { "radii", 0, 0, G_OPTION_ARG_STRING, &radii, "Of a lens blur, timed", "R,..." },
    { "repeats", 0, 0, G_OPTION_ARG_INT, &repeats, "Timed views of each", "N" },
    { NULL }
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  g_autofree Subject *s = g_new0 (Subject, 1);
  g_autoptr (GError) error = NULL;
  Numbers scale = { 0 }, sigma = { 0 }, side = { 0 }, radius = { 0 };

  g_option_context_set_summary (context, "Measures views of a resident picture.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (! g_option_context_parse (context, &argc, &argv, &error) ||
      ! bench_parse_size (size, &s->width, &s->height, &error) ||
      ! (scale.values = bench_parse_numbers (scales, &scale.n, &error)) ||
      ! (sigma.values = bench_parse_numbers (sigmas, &sigma.n, &error)) ||
      ! (side.values = bench_parse_numbers (matrices, &side.n, &error)) ||
      ! (radius.values = bench_parse_numbers (radii, &radius.n, &error)))
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
      measure (s, r, &scale, &blur, &sigma, repeats);
      measure (s, r, &scale, &matrix, &side, repeats);
      measure (s, r, &scale, &lens, &radius, repeats);
    }
  fx_preview_free (s->preview);
  fx_engine_free (s->engine);
  g_free (s->source);
  g_free (scale.values);
  g_free (sigma.values);
  g_free (side.values);
  g_free (radius.values);
  return EXIT_SUCCESS;
}
