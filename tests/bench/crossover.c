/* The size from which the GPU is faster than the CPU: small square pictures, from memory into
 * memory, on either device and on the one that the engine chooses. tests/bench.sh --gimp runs it.
 *
 * Prints a line for each timed run, as gimp.c does: part (engine), blur, width, height, format,
 * sigma, the device asked for, the one that did it, repetition, milliseconds. */
#include "bench.h"
#include "runs.h"
#include "picture.h"

typedef struct {
  Memory memory;
  const char *format_name;
} Picture;

static const struct {
  FxDevice device;
  const char *name;
} devices[] = { { FX_DEVICE_CPU, "cpu" }, { FX_DEVICE_AUTO, "auto" }, { FX_DEVICE_GPU, "gpu" } };

/* Milliseconds, or less than 0 if there is no such device. */
static double
blur (FxEngine *engine, const Picture *picture, double sigma, int device, FxReport *report)
{
  double milliseconds;
  g_autoptr (GError) error = NULL;

  if (engine_blur (engine, devices[device].device, &picture->memory, sigma, &milliseconds, report,
                   &error))
    return milliseconds;
  if (devices[device].device == FX_DEVICE_GPU)
    return -1.0;
  g_printerr ("bench-crossover: %s\n", error->message);
  exit (EXIT_FAILURE);
}

static void
measure (FxEngine *engine, const Picture *picture, double sigma, int repeats)
{
  FxReport report;

  for (int r = -1; r < repeats; r++)
    for (int i = 0; i < (int) G_N_ELEMENTS (devices); i++)
      {
        int device = (i + r + 1) % (int) G_N_ELEMENTS (devices);
        double milliseconds = blur (engine, picture, sigma, device, &report);

        if (milliseconds >= 0.0 && r >= 0) /* the one before is not counted */
          printf ("engine\tblur\t%d\t%d\t%s\t%g\t%s\t%s\t%d\t%.4f\n", picture->memory.width,
                  picture->memory.height, picture->format_name, sigma, devices[device].name,
                  report.device == FX_DEVICE_GPU ? "gpu" : "cpu", r + 1, milliseconds);
      }
  fflush (stdout);
}

/* So that a program compiled in the background for one sigma is there before it counts. */
static void
settle (FxEngine *engine, const Picture *picture, const double *sigmas, int n)
{
  FxReport report;

  for (int i = 0; i < 2 * n; i++)
    if (blur (engine, picture, sigmas[i / 2], G_N_ELEMENTS (devices) - 1, &report) < 0.0)
      return;
  g_usleep (3 * G_USEC_PER_SEC);
}

static void
measure_size (FxEngine *engine, int size, const double *sigmas, int n, int repeats, gboolean first)
{
  g_autofree guint8 *bytes = picture_new (size, size);
  g_autofree float *floats = picture_new_linear (size, size);
  g_autofree float *result = g_new (float, (gsize) size *size * 4);
  const Picture pictures[] = {
    { { bytes, result, size, size, { FX_SAMPLE_U8, 4, TRUE } }, "u8" },
    { { floats, result, size, size, { FX_SAMPLE_FLOAT, 4, FALSE } }, "float" },
  };

  for (int f = 0; f < (int) G_N_ELEMENTS (pictures); f++)
    {
      if (first)
        settle (engine, &pictures[f], sigmas, n);
      for (int i = 0; i < n && ! bench_is_late (); i++)
        measure (engine, &pictures[f], sigmas[i], repeats);
    }
}

int
main (int argc, char **argv)
{
  const char *sizes = "64,128,256,384,512,768,1024,2048", *sigmas = "2,10,50";
  int repeats = 21, seconds = 0, n_sizes, n_sigmas;
  const GOptionEntry entries[] = {
    { "sizes", 0, 0, G_OPTION_ARG_STRING, &sizes, "Width and height", "N,..." },
    { "sigmas", 0, 0, G_OPTION_ARG_STRING, &sigmas, "Timed", "S,..." },
    { "repeats", 0, 0, G_OPTION_ARG_INT, &repeats, "Timed runs of each", "N" },
    { "seconds", 0, 0, G_OPTION_ARG_INT, &seconds, "Then begin nothing new", "N" },
    { NULL }
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (GError) error = NULL;
  g_autofree double *size = NULL, *sigma = NULL;

  g_option_context_set_summary (context, "Measures where the GPU overtakes the CPU.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (! g_option_context_parse (context, &argc, &argv, &error) ||
      ! (size = bench_parse_numbers (sizes, &n_sizes, &error)) ||
      ! (sigma = bench_parse_numbers (sigmas, &n_sigmas, &error)))
    {
      g_printerr ("bench-crossover: %s\n", error->message);
      return 2;
    }
  bench_set_seconds (seconds);
  for (int i = 0; i < n_sizes; i++)
    measure_size (engine, (int) size[i], sigma, n_sigmas, repeats, i == 0);
  return EXIT_SUCCESS;
}
