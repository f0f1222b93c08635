/* The operation while what it calls fails, within GEGL: each call for memory in turn (faults/), the
 * device, and forks of a process that has used it. The pixels are right each time. */
#include "aborting.h"
#include "engine.h"
#include "fault.h"
#include "held.h"
#include "judge.h"
#include "test.h"
#include "session.h"
#include "stand-in.h"

#define WIDTH  40
#define HEIGHT 150 /* several chunks */
#define BYTES  (WIDTH * HEIGHT * 4)

#define SAME 2 /* levels that two devices may be apart */

#define LARGE      1500      /* pixels a side */
#define ABORTING   (1 << 18) /* bytes that may be asked for in a way that aborts */
#define CHILD_TIME 60        /* seconds after which it hangs */

static struct {
  const Babl *format;
  GeglRectangle rect;
  GeglBuffer *buffer;
  guint8 made[BYTES], expected[BYTES]; /* as it was made; blurred by the CPU */
} picture;

/* Blurs. */

static GeglNode *
add_blur (GeglNode *graph, const char *operation)
{
  return gegl_node_new_child (graph, "operation", operation, "std-dev-x", 2.0, "std-dev-y", 2.0,
                              NULL);
}

/* blur: which the graph has. */
static void
run_blur_node (GeglNode *graph, GeglNode *blur, GeglBuffer *buffer, gpointer result)
{
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);

  gegl_node_link (source, blur);
  gegl_node_blit (blur, 1.0, gegl_buffer_get_extent (buffer), gegl_buffer_get_format (buffer),
                  result, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
}

static void
blur_buffer (GeglBuffer *buffer, FxDevice device, gpointer result)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *blur = add_blur (graph, "cuda:gaussian-blur");

  gegl_node_set (blur, "device", (int) device, NULL);
  run_blur_node (graph, blur, buffer, result);
}

static int
compare (const guint8 *got, const guint8 *expected)
{
  int worst = 0;

  for (gsize i = 0; i < BYTES; i++)
    worst = MAX (worst, ABS (got[i] - expected[i]));
  return worst;
}

/* How many levels the picture's blur is from what it should be. */
static int
get_error (FxDevice device)
{
  guint8 got[BYTES];

  blur_buffer (picture.buffer, device, got);
  return compare (got, picture.expected);
}

/* Fails the test if it is neither that nor, if that may be, as it was. */
static void
check_blur (FxDevice device, gboolean may_stay, const char *what)
{
  guint8 got[BYTES];
  int error, difference;

  blur_buffer (picture.buffer, device, got);
  error = compare (got, picture.expected);
  difference = compare (got, picture.made);
  if (error > SAME && ! (may_stay && difference == 0))
    g_error ("%s: %d levels from the blur, %d from what it was", what, error, difference);
}

/* Blocks of colour, so that pixels differ much from blurred ones. */
static void
make_picture (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (15);

  picture.format = babl_format ("R'G'B'A u8");
  picture.rect = (GeglRectangle) { 0, 0, WIDTH, HEIGHT };
  picture.buffer = gegl_buffer_new (&picture.rect, picture.format);
  for (int i = 0; i < BYTES; i++)
    picture.made[i] = i % 4 == 3 ? 255 : (i / 16 + i / (WIDTH * 16)) % 2 ? 30 : 200;
  gegl_buffer_set (picture.buffer, &picture.rect, 0, picture.format, picture.made,
                   GEGL_AUTO_ROWSTRIDE);
  blur_buffer (picture.buffer, FX_DEVICE_CPU, picture.expected);
  g_assert_cmpint (compare (picture.expected, picture.made), >, 2 * SAME);
}

/* Runs func while the engine that GEGL's process keeps is in use. */
static void
run_held (void (*func) (void))
{
  g_autoptr (GeglBuffer) buffer = held_new (picture.format, func);
  g_autofree gpointer result = g_malloc (gegl_buffer_get_width (buffer) *
                                         gegl_buffer_get_height (buffer) * 4);

  blur_buffer (buffer, FX_DEVICE_CPU, result);
}

/* Each call for memory, until there are no more; it fails alone or with all after it. What the
 * engine does when CUDA, NVRTC or the disk fail, its own tests prove. */
static void
check_memory (FaultMode mode, FxDevice device)
{
  for (const char *const *point = fault_get_points (FAULT_MEMORY); *point; point++)
    {
      gboolean came = TRUE;

      for (guint skip = 0; came; skip++)
        {
          g_autofree char *what = g_strdup_printf ("%s %u", *point, skip);

          fault_order (*point, skip, mode);
          check_blur (device, mode == FAULT_ALWAYS, what);
          came = fault_end ();
          stand_in_mend ();
          stand_in_check_clean (*point);
        }
    }
}

static void
fail_memory (void)
{
  check_memory (FAULT_ONCE, FX_DEVICE_GPU);   /* the next device does it */
  check_memory (FAULT_ALWAYS, FX_DEVICE_GPU); /* none does: the pixels stay */
  check_memory (FAULT_ALWAYS, FX_DEVICE_CPU);
}

TEST (test_memory, "/device-faults/memory")
{
  judge_allow_failures ();
  run_held (fail_memory);
}

/* The process's own engine uses the device again. */
TEST (test_again, "/device-faults/again")
{
  judge_allow_failures ();
  for (int i = 0; i < 4; i++)
    {
      static const FaultMode modes[] = { FAULT_STICKY, FAULT_LOST, FAULT_ONCE, FAULT_STICKY };

      fault_order ("cuLaunchKernel", 0, modes[i]);
      g_assert_cmpint (get_error (FX_DEVICE_GPU), <=, SAME);
      g_assert_true (fault_end ());
      stand_in_mend ();
    }
}

/* The judge (judge.h): the pixels are right, after a failure of which nobody has said that
 * it may be. */
TEST (test_judge, "/device-faults/judge")
{
  if (g_test_subprocess ())
    {
      fault_order ("cuLaunchKernel", 0, FAULT_ONCE);
      g_assert_cmpint (get_error (FX_DEVICE_GPU), <=, SAME);
      session_clean ();
      exit (0);
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr (
    "*WARNING*A device failed, so another one does its work: CUDA failed*");
}

/* A lens blur by the CPU, whose matrix grows with the radius. */
static void
blur_lens (double radius, gpointer result)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *blur = gegl_node_new_child (graph, "operation", "cuda:lens-blur", "radius", radius,
                                        "device", FX_DEVICE_CPU, NULL);

  run_blur_node (graph, blur, picture.buffer, result);
}

/* Without memory for the plan, the pixels stay as they are; with it, the result is what it was. */
TEST (test_plan, "/device-faults/plan")
{
  guint8 expected[BYTES], got[BYTES];

  judge_allow_failures ();
  blur_lens (4.0, expected);
  for (const char *const *point = fault_get_points (FAULT_MEMORY); *point; point++)
    for (guint skip = 0, came = TRUE; came; skip++)
      {
        fault_order (*point, skip, FAULT_ALWAYS);
        blur_lens (4.0, got);
        came = fault_end ();
        g_assert_true (memcmp (got, picture.made, BYTES) == 0 || compare (got, expected) <= SAME);
        blur_lens (4.0, got);
        g_assert_cmpmem (got, BYTES, expected, BYTES);
      }
}

/* A convolution by the CPU with a matrix that a text gives. */
static void
convolve (const char *text, gpointer result)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = gegl_node_new_child (graph, "operation", "cuda:convolve", "values", text,
                                        "device", FX_DEVICE_CPU, NULL);

  run_blur_node (graph, node, picture.buffer, result);
}

/* Without memory for the text, the matrix or the plan, the pixels stay as they are. */
TEST (test_matrix, "/device-faults/matrix")
{
  static const char *const points[] = { "g_try_malloc", "g_try_malloc0", "g_try_malloc_n", NULL };
  guint8 expected[BYTES], got[BYTES];

  judge_allow_failures ();
  convolve ("1 2 1\n2 4 2\n1 2 1", expected);
  for (const char *const *point = points; *point; point++)
    for (guint skip = 0, came = TRUE; came; skip++)
      {
        fault_order (*point, skip, FAULT_ALWAYS);
        convolve ("1 2 1\n2 4 2\n1 2 1", got);
        came = fault_end ();
        g_assert_true (came || skip > 0);
        g_assert_true (memcmp (got, picture.made, BYTES) == 0 || compare (got, expected) <= SAME);
        convolve ("1 2 1\n2 4 2\n1 2 1", got);
        g_assert_cmpmem (got, BYTES, expected, BYTES);
      }
}

/* Returns the text of the largest matrix. */
static char *
make_largest (void)
{
  GString *text = g_string_new ("1023x1023:");

  for (int i = 0; i < 1023 * 1023; i++)
    g_string_append_printf (text, " %d", (int) ((guint) i * 7919 % 97 + 1));
  return g_string_free (text, FALSE);
}

/* Memory that grows with the image or the matrix is asked for by calls that do not abort. */

TEST (test_sizes, "/device-faults/sizes")
{
  const GeglRectangle rect = { 0, 0, LARGE, LARGE };
  const Babl *format = babl_format ("RGBA float");
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&rect, format);
  g_autofree gpointer result = g_malloc ((gsize) LARGE * LARGE * 16);
  g_autofree char *matrix = make_largest ();
  gsize largest;

  gegl_buffer_set_color_from_pixel (buffer, &rect, picture.expected, picture.format);
  aborting_largest (); /* so far */
  blur_buffer (buffer, FX_DEVICE_CPU, result);
  blur_buffer (buffer, FX_DEVICE_GPU, result);
  blur_lens (500.0, result);
  convolve (matrix, result);
  largest = aborting_largest ();
  g_test_message ("%" G_GSIZE_FORMAT " bytes at the most", largest);
  g_assert_cmpuint (largest, >, 0);
  g_assert_cmpuint (largest, <, ABORTING);
}

/* Forks. */

static void
fork_and (void (*func) (void))
{
  pid_t child = fork ();
  int status;

  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      alarm (CHILD_TIME);
      func ();
      _exit (0);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
}

static void
do_nothing (void)
{
}

static void
blur_in_child (void)
{
  static const FxDevice devices[] = { FX_DEVICE_CPU, FX_DEVICE_GPU, FX_DEVICE_AUTO };

  for (gsize i = 0; i < G_N_ELEMENTS (devices); i++)
    if (get_error (devices[i]) > SAME)
      _exit (1);
}

/* Which warns of the buffers that are left. */
static void
end_gegl_in_child (void)
{
  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  gegl_exit ();
}

static void
fork_all (void)
{
  fork_and (do_nothing);
  fork_and (blur_in_child);
  fork_and (end_gegl_in_child);
}

/* GIMP forks to start plug-ins. */
TEST (test_fork, "/device-faults/fork")
{
#ifdef __SANITIZE_THREAD__
  g_test_skip ("ThreadSanitizer has no threads in a fork");
  return;
#endif
  g_assert_cmpint (get_error (FX_DEVICE_GPU), <=, SAME);
  fork_all ();
  g_assert_cmpint (get_error (FX_DEVICE_GPU), <=, SAME);
  run_held (fork_all); /* during a call */
  g_assert_cmpint (get_error (FX_DEVICE_GPU), <=, SAME);
}

/* The process ends while the device is made ready. */

static struct {
  GMutex lock;
  GCond changed;
  gboolean begun, held;
} compiling;

static void
compile (const char *source)
{
  g_mutex_lock (&compiling.lock);
  compiling.begun = TRUE;
  g_cond_broadcast (&compiling.changed);
  while (compiling.held)
    g_cond_wait (&compiling.changed, &compiling.lock);
  g_mutex_unlock (&compiling.lock);
}

static void
warm (gboolean held)
{
  alarm (CHILD_TIME);
  g_setenv ("CUDA_BLUR_CACHE_DIR", "/dev/null", TRUE); /* everything is compiled again */
  compiling.held = held;
  stand_in_on_compile (compile);
  g_assert_cmpint (get_error (FX_DEVICE_AUTO), <=, SAME);
  g_mutex_lock (&compiling.lock);
  while (! compiling.begun)
    g_cond_wait (&compiling.changed, &compiling.lock);
  g_mutex_unlock (&compiling.lock);
}

static void
leave_gegl (void)
{
  warm (FALSE);
  g_object_unref (picture.buffer);
  session_end ();
  exit (0);
}

/* The compilations under way never end. */
static void
leave_process (void)
{
  warm (TRUE);
  session_clean ();
  exit (0);
}

/* The process ends while the device, which was idle, is given up. */

static struct {
  GMutex lock;
  GCond changed;
  gboolean begun, may_end;
} giving_up;

/* On the thread that does so: holds it, and delays it, so that a process that does not wait for it
 * ends first. */
static void
give_up (void)
{
  g_mutex_lock (&giving_up.lock);
  giving_up.begun = TRUE;
  g_cond_broadcast (&giving_up.changed);
  while (! giving_up.may_end)
    g_cond_wait (&giving_up.changed, &giving_up.lock);
  g_mutex_unlock (&giving_up.lock);
  g_usleep (100000);
}

static void
let_end (void)
{
  g_mutex_lock (&giving_up.lock);
  giving_up.may_end = TRUE;
  g_cond_broadcast (&giving_up.changed);
  g_mutex_unlock (&giving_up.lock);
}

static void
leave_idle (void)
{
  alarm (CHILD_TIME);
  stand_in_on_release (give_up);
  g_assert_cmpint (get_error (FX_DEVICE_GPU), <=, SAME);
  g_mutex_lock (&giving_up.lock);
  while (! giving_up.begun)
    g_cond_wait (&giving_up.changed, &giving_up.lock);
  g_mutex_unlock (&giving_up.lock);
  session_clean ();
  atexit (let_end); /* before what the operation does at the exit */
  exit (0);
}

/* After that. */
static void
check_given_up (void)
{
  if (giving_up.begun)
    stand_in_check_clean ("");
}

static void
test_leaving (gconstpointer func)
{
  if (g_test_subprocess ())
    ((void (*) (void)) func) ();
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
}

/* In a process that gives the device up after a second. */
static void
test_leaving_idle (void)
{
  g_autofree char *seconds = g_strdup (g_getenv ("CUDA_BLUR_IDLE_SECONDS"));

  if (! g_test_subprocess ())
    g_setenv ("CUDA_BLUR_IDLE_SECONDS", "1", TRUE);
  test_leaving ((gconstpointer) leave_idle);
  g_setenv ("CUDA_BLUR_IDLE_SECONDS", seconds, TRUE);
}

int
main (int argc, char **argv)
{
  int status;

  atexit (check_given_up);
  seed_test_init (&argc, &argv);
  session_start ();
  make_picture ();
  g_test_add_data_func ("/device-faults/leave-gegl", (gconstpointer) leave_gegl, test_leaving);
  g_test_add_data_func ("/device-faults/leave-process", (gconstpointer) leave_process,
                        test_leaving);
  g_test_add_func ("/device-faults/leave-idle", test_leaving_idle);
  status = g_test_run ();
  g_object_unref (picture.buffer);
  session_end ();
  return status;
}
