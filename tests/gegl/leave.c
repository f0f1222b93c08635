/* A process that blurs, and ends at once: leave HOW. What it prints fails the test; where it does
 * not end, nobody waits for ever. */
#include <gegl.h>

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define SIDE 700

#define IDLE 300 /* milliseconds */
#define BUSY 60  /* of the processor's, in them */

static void
blur (int side)
{
  const Babl *format = babl_format ("R'G'B'A u8");
  const GeglRectangle rect = { 0, 0, side, side };
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&rect, format);
  g_autofree guint8 *pixels = g_malloc ((gsize) side * side * 4);
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);
  GeglNode *node = gegl_node_new_child (graph, "operation", "cuda:gaussian-blur", "std-dev-x", 5.0,
                                        NULL);

  memset (pixels, 77, (gsize) side * side * 4);
  gegl_buffer_set (buffer, &rect, 0, format, pixels, GEGL_AUTO_ROWSTRIDE);
  memset (pixels, 0, (gsize) side * side * 4);
  gegl_node_link (source, node);
  gegl_node_blit (node, 1.0, &rect, format, pixels, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  for (gsize i = 0; i < (gsize) side * side * 4; i++)
    g_assert_cmpint (pixels[i], ==, 77);
}

static double
get_milliseconds (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return 1e3 * (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-3 * (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* No thread works, or waits in a loop, after the call. */
static void
check_idle (void)
{
  double before = get_milliseconds (), after;

  g_usleep (IDLE * 1000);
  after = get_milliseconds ();
  if (after - before > BUSY)
    printf ("%.0f ms of the processor's in %d ms after the call\n", after - before, IDLE);
}

static gpointer
blur_on (gpointer data)
{
  blur (SIDE);
  return NULL;
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "";

  gegl_init (NULL, NULL);
  blur (64);
  if (strcmp (how, "thread") == 0)
    g_thread_join (g_thread_new ("blur", blur_on, NULL));
  else
    blur (SIDE);
  if (strcmp (how, "idle") == 0)
    check_idle ();
  if (strcmp (how, "quick") == 0)
    _exit (0);
  if (strcmp (how, "gegl") == 0 || strcmp (how, "idle") == 0)
    gegl_exit ();
  return 0;
}
