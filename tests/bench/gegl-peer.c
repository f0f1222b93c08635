#include "gegl-peer.h"

#include "bench.h"

void
gegl_peer_init (void)
{
  gegl_init (NULL, NULL);
  g_object_set (gegl_config (), "use-opencl", FALSE, "swap", "RAM", NULL);
  /* GEGL replaces an operation that it does not know by one that passes pixels on, very fast. */
  if (! gegl_has_operation ("gegl:gaussian-blur"))
    g_error ("GEGL has no operation gegl:gaussian-blur: is GEGL's own folder in GEGL_PATH?");
}

void
gegl_peer_exit (void)
{
  gegl_exit ();
}

char *
gegl_peer_get_version (void)
{
  int major, minor, micro, threads;

  gegl_get_version (&major, &minor, &micro);
  g_object_get (gegl_config (), "threads", &threads, NULL);
  return g_strdup_printf ("%d.%d.%d, %d threads", major, minor, micro, threads);
}

GeglBuffer *
gegl_peer_new_buffer (const char *format, int width, int height, gconstpointer pixels)
{
  const GeglRectangle extent = { 0, 0, width, height };
  GeglBuffer *buffer = gegl_buffer_new (&extent, babl_format (format));

  if (pixels)
    gegl_buffer_set (buffer, &extent, 0, babl_format (format), pixels, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

double
gegl_peer_blur (GeglBuffer *source, GeglBuffer *result, double sigma)
{
  /* Each call gets a new graph, because a node keeps its result. */
  GeglNode *graph = gegl_node_new ();
  GeglNode *from = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer", source,
                                        NULL);
  GeglNode *blur = gegl_node_new_child (graph, "operation", "gegl:gaussian-blur", "std-dev-x",
                                        sigma, "std-dev-y", sigma, "abyss-policy", GEGL_ABYSS_CLAMP,
                                        NULL);
  GeglNode *to = gegl_node_new_child (graph, "operation", "gegl:write-buffer", "buffer", result,
                                      NULL);
  gint64 start;
  double milliseconds;

  gegl_node_link_many (from, blur, to, NULL);
  start = g_get_monotonic_time ();
  gegl_node_process (to);
  milliseconds = bench_get_milliseconds (start);
  g_object_unref (graph);
  return milliseconds;
}
