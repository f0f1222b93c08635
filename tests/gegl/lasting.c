/* Many calls. */
#include "scene.h"
#include "test.h"

#ifdef __SANITIZE_ADDRESS__ /* which keeps what was freed: nothing can be judged */
#define WARM_UP 10
#define CALLS   20
#define GROWTH  G_MAXDOUBLE
#else
#define WARM_UP 100
#define CALLS   500
#define GROWTH  16.0 /* MiB */
#endif

/* Returns the memory of the process, in MiB; 0 if that is unknown. */
static double
get_memory (void)
{
  g_autofree char *text = NULL;
  long pages = 0;

  if (! g_file_get_contents ("/proc/self/statm", &text, NULL, NULL) ||
      sscanf (text, "%*d %ld", &pages) != 1)
    return 0.0;
  return (double) pages * (double) sysconf (_SC_PAGESIZE) / (1 << 20);
}

/* Other formats, sizes and parameters from call to call, each in a new graph. */
static void
call (int n, GeglBuffer *const *buffers, const Scene *scenes, int count)
{
  Scene scene = scenes[n % count];
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autofree gpointer pixels = g_malloc (babl_format_get_bytes_per_pixel (scene.babl) *
                                         scene.c.width * scene.c.height);
  const GeglRectangle rect = scene_get_rect (&scene);

  scene.c.params.sigma_x = 1.0 + n % 37;
  gegl_node_blit (scene_add (&scene, graph, buffers[n % count]), 1.0, &rect, scene.babl, pixels,
                  GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_CACHE);
}

/* A buffer of 400x300 floats is 1.8 MiB: 500 of them lost would be 900. */
TEST (test_memory, "/operation/lasting/memory")
{
  Scene scenes[4];
  GeglBuffer *buffers[4];
  double before, after;

  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    {
      scenes[i] = scene_make (i, case_formats[i].format, FX_LIGHT_LINEAR, 400 - 50 * (int) i, 300,
                              3.0, 2.0);
      buffers[i] = scene_make_buffer (&scenes[i]);
    }
  for (int n = 0; n < WARM_UP; n++)
    call (n, buffers, scenes, G_N_ELEMENTS (scenes));
  before = get_memory ();
  for (int n = 0; n < CALLS; n++)
    call (n, buffers, scenes, G_N_ELEMENTS (scenes));
  after = get_memory ();
  g_test_message ("%.1f MiB after %d calls, %.1f after %d more", before, WARM_UP, after, CALLS);
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    g_object_unref (buffers[i]);
  g_assert_cmpfloat (after - before, <, GROWTH);
}
