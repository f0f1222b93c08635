/* GEGL's own Gaussian blur, the one that GIMP's filter runs, over a GeglBuffer in memory. */
#pragma once

#include <gegl.h>

/* Starts GEGL: on the CPU, all cores, buffers in memory alone. */
void gegl_peer_init (void);
void gegl_peer_exit (void);

/* "0.4.42, 2 threads"; free it with g_free. */
char *gegl_peer_get_version (void);

/* A buffer of width * height pixels of a Babl format; NULL pixels: left empty. Free it with
 * g_object_unref. */
GeglBuffer *gegl_peer_new_buffer (const char *format, int width, int height, gconstpointer pixels);

/* Blurs source into result, a buffer of the same size and format. The filter is the one that GEGL
 * itself chooses for sigma, the edge is clamped. Returns the milliseconds that it took; making the
 * graph, which costs GIMP the same, is not in them. */
double gegl_peer_blur (GeglBuffer *source, GeglBuffer *result, double sigma);
