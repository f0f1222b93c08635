/* bench-operation OPERATION [WIDTHxHEIGHT [FORMAT [REPEATS [SIGMA,...]]]]
 *
 * An operation in GEGL's graph, without GIMP, such as cuda:gaussian-blur or gegl:gaussian-blur.
 * GEGL finds its module in GEGL_PATH. Of each sigma, or radius of a lens blur, it times:
 *
 * - call: a new graph, from a buffer to another, as GIMP applies a filter
 * - step: a property of a standing graph changes, and its result is asked for
 * - dab: 128x128 pixels of its source change, and what that invalidates is asked for
 *
 * The first call of all is "first". Prints figures as filters.py does: the operation, "graph", and
 * what bench_print has, with one of these words as the device. */
#include "bench.h"
#include "picture.h"

#include <gegl.h>

#define REPEATS_MAX 1000
#define DAB         128

typedef struct {
  const char *operation, *format;
  int width, height, repeats;
  GeglBuffer *source, *result;
} Bench;

static GeglNode *
add (GeglNode *graph, const char *operation, const char *property, gpointer value)
{
  return gegl_node_new_child (graph, "operation", operation, property, value, NULL);
}

/* Links a source with the operation, which it returns. */
static GeglNode *
build (const Bench *bench, GeglNode *graph)
{
  GeglNode *from = add (graph, "gegl:buffer-source", "buffer", bench->source);
  GeglNode *node = gegl_node_new_child (graph, "operation", bench->operation, NULL);

  gegl_node_link (from, node);
  return node;
}

static void
set_sigma (GeglNode *node, double sigma)
{
  if (gegl_node_find_property (node, "std-dev-x"))
    gegl_node_set (node, "std-dev-x", sigma, "std-dev-y", sigma, NULL);
  else if (gegl_node_find_property (node, "radius"))
    gegl_node_set (node, "radius", sigma, NULL);
}

static double
call (const Bench *bench, double sigma)
{
  gint64 start = g_get_monotonic_time ();
  GeglNode *graph = gegl_node_new (), *node = build (bench, graph);
  GeglNode *to = add (graph, "gegl:write-buffer", "buffer", bench->result);

  set_sigma (node, sigma);
  gegl_node_link (node, to);
  gegl_node_process (to);
  g_object_unref (graph);
  return bench_get_milliseconds (start);
}

/* Asks for a part of the result, which GEGL keeps. */
static double
ask (GeglNode *node, const GeglRectangle *rect, gint64 start)
{
  gegl_node_blit (node, 1.0, rect, NULL, NULL, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_CACHE);
  return bench_get_milliseconds (start);
}

static double
step (const Bench *bench, GeglNode *node, double sigma, int i)
{
  const GeglRectangle all = { 0, 0, bench->width, bench->height };
  gint64 start = g_get_monotonic_time ();

  set_sigma (node, sigma + 0.001 * (i + 1));
  return ask (node, &all, start);
}

static double
dab (const Bench *bench, GeglNode *node, double sigma, int i)
{
  const GeglRectangle touched = { (i * 389) % (bench->width - DAB),
                                  (i * 211) % (bench->height - DAB), DAB, DAB };
  int reach = (int) (sigma * 6.0);
  GeglRectangle stale = { touched.x - reach, touched.y - reach, DAB + 2 * reach, DAB + 2 * reach };
  const GeglRectangle all = { 0, 0, bench->width, bench->height };
  GeglColor *color = gegl_color_new (i % 2 ? "white" : "black");
  gint64 start;

  gegl_rectangle_intersect (&stale, &stale, &all);
  start = g_get_monotonic_time ();
  gegl_buffer_set_color (bench->source, &touched, color);
  g_object_unref (color);
  return ask (node, &stale, start);
}

static void
print (const Bench *bench, const char *what, double sigma, double *milliseconds, int n)
{
  g_autofree char *size = g_strdup_printf ("%g", sigma);
  const BenchCase about = { "graph", bench->width, bench->height, bench->format, size, what };

  printf ("%s\t", bench->operation);
  bench_print (&about, milliseconds, n);
  puts ("");
  fflush (stdout); /* what was measured stays, whatever comes next */
}

static void
measure (const Bench *bench, double sigma)
{
  double milliseconds[REPEATS_MAX];
  GeglNode *graph = gegl_node_new (), *node = build (bench, graph);

  for (int i = 0; i < bench->repeats; i++)
    milliseconds[i] = call (bench, sigma);
  print (bench, "call", sigma, milliseconds, bench->repeats);
  step (bench, node, sigma, -2);
  for (int i = 0; i < bench->repeats; i++)
    milliseconds[i] = step (bench, node, sigma, i);
  print (bench, "step", sigma, milliseconds, bench->repeats);
  for (int i = 0; i < bench->repeats; i++)
    milliseconds[i] = dab (bench, node, sigma, i);
  print (bench, "dab", sigma, milliseconds, bench->repeats);
  g_object_unref (graph);
}

static guint8 *
get_pixels (const Bench *bench, GeglBuffer *buffer)
{
  int stride = 4 * bench->width;
  guint8 *pixels = g_malloc ((gsize) stride * bench->height);

  gegl_buffer_get (buffer, NULL, 1.0, babl_format ("R'G'B'A u8"), pixels, stride, GEGL_ABYSS_NONE);
  return pixels;
}

/* GEGL replaces an operation that it does not know by one that passes pixels on, which would look
 * very fast. */
static void
check_result (const Bench *bench)
{
  g_autofree guint8 *before = get_pixels (bench, bench->source);
  g_autofree guint8 *after = get_pixels (bench, bench->result);

  if (memcmp (before, after, (gsize) 4 * bench->width * bench->height) == 0)
    g_error ("%s changes no pixel", bench->operation);
}

static GeglBuffer *
new_buffer (const Bench *bench)
{
  const GeglRectangle extent = { 0, 0, bench->width, bench->height };

  return gegl_buffer_new (&extent, babl_format (bench->format));
}

/* On the CPU, all cores, buffers in memory alone. */
static void
start_gegl (const Bench *bench)
{
  int threads;

  gegl_init (NULL, NULL);
  g_object_set (gegl_config (), "use-opencl", FALSE, "swap", "RAM", NULL);
  g_object_get (gegl_config (), "threads", &threads, NULL);
  printf ("# GEGL: %d threads\n", threads);
  if (! gegl_has_operation (bench->operation))
    g_error ("GEGL has no operation %s: is its module in GEGL_PATH?", bench->operation);
}

static void
fill_buffers (Bench *bench)
{
  g_autofree guint8 *pixels = picture_new (bench->width, bench->height);

  bench->source = new_buffer (bench);
  bench->result = new_buffer (bench);
  gegl_buffer_set (bench->source, NULL, 0, babl_format ("R'G'B'A u8"), pixels, GEGL_AUTO_ROWSTRIDE);
}

int
main (int argc, char **argv)
{
  Bench bench = { .operation = argc > 1 ? argv[1] : "cuda:gaussian-blur",
                  .width = 3840,
                  .height = 2160,
                  .format = argc > 3 ? argv[3] : "R'G'B'A u8",
                  .repeats = CLAMP (argc > 4 ? atoi (argv[4]) : 9, 1, REPEATS_MAX) };
  g_autofree double *sigmas = NULL;
  g_autoptr (GError) error = NULL;
  double first;
  int n;

  if (! (sigmas = bench_parse_numbers (argc > 5 ? argv[5] : "2,10,50,100", &n, &error)) ||
      (argc > 2 && ! bench_parse_size (argv[2], &bench.width, &bench.height, &error)))
    g_error ("%s", error->message);
  start_gegl (&bench);
  fill_buffers (&bench);
  first = call (&bench, 10.0);
  check_result (&bench);
  print (&bench, "first", 10.0, &first, 1);
  g_usleep (G_USEC_PER_SEC); /* a GPU is made ready on the side */
  for (int i = 0; i < n; i++)
    measure (&bench, sigmas[i]);
  g_object_unref (bench.source);
  g_object_unref (bench.result);
  gegl_exit ();
  return 0;
}
