/* A process that blurs, and ends at once: leave HOW. Any output fails the test; if the process does
 * not end, it is killed after some seconds. */
#include "held.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIDE 700

#define CHILD_TIME 60 /* seconds after which it hangs */

#define LOOKS 100 /* for the process to come to rest */
#define LOOK  100 /* milliseconds from one to the next */

static const Babl *
get_format (void)
{
  return babl_format ("R'G'B'A u8");
}

static void
blur_buffer (GeglBuffer *buffer, guint8 *pixels)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);
  GeglNode *node = gegl_node_new_child (graph, "operation", "cuda:gaussian-blur", "std-dev-x", 5.0,
                                        NULL);

  gegl_node_link (source, node);
  gegl_node_blit (node, 1.0, gegl_buffer_get_extent (buffer), get_format (), pixels,
                  GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
}

static void
blur (int side)
{
  const GeglRectangle rect = { 0, 0, side, side };
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&rect, get_format ());
  g_autofree guint8 *pixels = g_malloc ((gsize) side * side * 4);

  memset (pixels, 77, (gsize) side * side * 4);
  gegl_buffer_set (buffer, &rect, 0, get_format (), pixels, GEGL_AUTO_ROWSTRIDE);
  memset (pixels, 0, (gsize) side * side * 4);
  blur_buffer (buffer, pixels);
  for (gsize i = 0; i < (gsize) side * side * 4; i++)
    g_assert_cmpint (pixels[i], ==, 77);
}

/* Returns how many threads run, or wait to run: this one does. */
static int
count_running (void)
{
  static const char tasks[] = "/proc/self/task";
  g_autoptr (GDir) dir = g_dir_open (tasks, 0, NULL);
  const char *name;
  int n = 0;

  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (tasks, name, "stat", NULL), *stat = NULL;

      if (g_file_get_contents (path, &stat, NULL, NULL)) /* unless the thread has ended */
        n += strstr (stat, ") R ") != NULL;
    }
  return n;
}

/* Waits for the process to come to rest: no other thread works, or waits in a loop. What a call
 * leaves to other threads may take long on a busy machine. */
static void
check_rest (void)
{
  int running, looks;

  for (looks = 0; looks < LOOKS && (running = count_running ()) > 1; looks++)
    g_usleep (LOOK * 1000);
  if (looks == LOOKS)
    printf ("%d threads still run %d ms after the call\n", running - 1, LOOKS * LOOK);
}

static gpointer
blur_on (gpointer data)
{
  blur (SIDE);
  return NULL;
}

/* In the middle of a call. */

static void
leave (void)
{
  exit (0);
}

static gpointer
blur_held (gpointer func)
{
  g_autoptr (GeglBuffer) buffer = held_new (get_format (), (void (*) (void)) func);
  g_autofree guint8 *pixels = g_malloc ((gsize) SIDE * SIDE * 4);

  blur_buffer (buffer, pixels);
  return NULL;
}

static GAsyncQueue *calls;

/* And never continues. On the CPU, because the end of a process also ends the CUDA runtime, even if
 * another thread is using the GPU. */
static void
tell_and_wait (void)
{
  g_async_queue_push (calls, "a call");
  for (;;)
    pause ();
}

static void
wait_for_call (void)
{
  calls = g_async_queue_new ();
  g_thread_unref (g_thread_new ("blur", blur_held, (gpointer) tell_and_wait));
  g_async_queue_pop (calls);
}

/* A fork blurs too, and so does its parent afterwards. GEGL has no more than one thread then. */
static void
blur_in_fork (void)
{
  pid_t child = fork ();
  int status = -1;

  if (child == 0)
    {
      alarm (CHILD_TIME);
      blur (SIDE);
      gegl_exit ();
      _exit (0);
    }
  waitpid (child, &status, 0);
  if (status != 0)
    printf ("the fork ended with %d\n", status);
  blur (SIDE);
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "";

  if (strcmp (how, "fork") == 0)
    g_setenv ("GEGL_THREADS", "1", TRUE);
  if (strcmp (how, "beside") == 0)
    g_setenv ("CUDA_BLUR_DEVICE", "cpu", TRUE);
  gegl_init (NULL, NULL);
  blur (64);
  if (strcmp (how, "thread") == 0)
    g_thread_join (g_thread_new ("blur", blur_on, NULL));
  else if (strcmp (how, "within") == 0)
    blur_held ((gpointer) leave);
  else if (strcmp (how, "beside") == 0)
    wait_for_call ();
  else
    blur (SIDE);
  if (strcmp (how, "fork") == 0)
    blur_in_fork ();
  if (strcmp (how, "rest") == 0)
    check_rest ();
  if (strcmp (how, "quick") == 0)
    _exit (0);
  if (strcmp (how, "gegl") == 0 || strcmp (how, "rest") == 0)
    gegl_exit ();
  return 0;
}
