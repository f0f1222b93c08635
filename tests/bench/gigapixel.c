/* bench-gigapixel: a picture that fits into no memory, streamed through the engine on the GPU from
 * a generator, with and without a limit on the GPU's memory; and how much host memory that took. */
#include "bench.h"
#include "../lib/run.h"

#include <sys/resource.h>

#define LIMIT "2G"

/* The generator: rows of noise, each from another place on. */
typedef struct {
  int width;
  guint8 *noise; /* two rows */
  guint64 sum;   /* of what came back, so that no work is for nothing */
} Stream;

static gboolean
read_rows (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  const Stream *stream = data;

  for (int y = 0; y < rect->height; y++)
    memcpy ((guint8 *) pixels + y * stride,
            stream->noise + 4 * (gsize) ((rect->y + y) * 131 % stream->width + rect->x),
            4 * (gsize) rect->width);
  return TRUE;
}

static gboolean
write_rows (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  Stream *stream = data;

  for (int y = 0; y < rect->height; y++)
    stream->sum += ((const guint8 *) pixels)[y * stride];
  return TRUE;
}

static gboolean
measure (const char *what, int size, double sigma, Stream *stream, GError **error)
{
  const BlurParams params = { .sigma_x = sigma, .sigma_y = sigma };
  const FxImage image = { .format = { FX_SAMPLE_U8, 4, TRUE },
                          .width = size,
                          .height = size,
                          .region = { 0, 0, size, size },
                          .read = read_rows,
                          .write = write_rows,
                          .data = stream };
  const BenchCase about = { what, size, size, "rgba-u8", sigma, "gpu" };
  g_autoptr (FxEngine) engine = fx_engine_new ();
  FxReport report;

  for (int n = 0; n < 2; n++) /* the first compiles, and touches memory */
    if (! run_blur (engine, &params, FX_DEVICE_GPU, &image, &report, error))
      return FALSE;
  bench_print_value (&about, report.milliseconds);
  return TRUE;
}

static gboolean
measure_both (int size, double sigma, Stream *stream, GError **error)
{
  gboolean done;

  g_setenv ("CUDA_BLUR_MEMORY_LIMIT", LIMIT, TRUE);
  done = measure ("gigapixel-" LIMIT, size, sigma, stream, error);
  g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
  return done && measure ("gigapixel", size, sigma, stream, error);
}

static void
print_memory (int size)
{
  const BenchCase about = { "gigapixel-host-MB", size, size, "rgba-u8", 0, "cpu" };
  struct rusage usage;

  if (getrusage (RUSAGE_SELF, &usage) == 0)
    bench_print_value (&about, usage.ru_maxrss / 1024.0);
}

int
main (int argc, char **argv)
{
  static const double sigmas[] = { 3.0, 50.0, 1000.0 };
  int size = 32768, seconds = 0;
  const GOptionEntry entries[] = {
    { "size", 0, 0, G_OPTION_ARG_INT, &size, "Of the square picture", "N" },
    { "seconds", 0, 0, G_OPTION_ARG_INT, &seconds, "Then begin nothing new", "N" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  Stream stream = { 0 };
  gboolean done = TRUE;

  g_option_context_add_main_entries (context, entries, NULL);
  if (! g_option_context_parse (context, &argc, &argv, &error) || size < 1)
    {
      g_printerr ("bench-gigapixel: %s\n", error ? error->message : "--size must be 1 or more");
      return 2;
    }
  bench_set_seconds (seconds);
  stream.width = size;
  stream.noise = g_malloc (8 * (gsize) size);
  for (gsize i = 0; i < 8 * (gsize) size; i++)
    stream.noise[i] = (guint8) (i * 2654435761u >> 11);
  for (gsize i = 0; i < G_N_ELEMENTS (sigmas) && done && ! bench_is_late (); i++)
    done = measure_both (size, sigmas[i], &stream, &error);
  g_free (stream.noise);
  if (! done)
    g_printerr ("bench-gigapixel: %s\n", error->message);
  else
    print_memory (size);
  return done || g_error_matches (error, FX_ERROR, FX_ERROR_UNAVAILABLE) ? 0 : 1;
}
