/* The operations in a process that may take little more memory. GEGL and GLib end the process if
 * they get none. The operations do not, if memory that grows with the image or the matrix is
 * missing, and their results are right. Each limit is tried in a separate process. */
#define _GNU_SOURCE

#include "engine.h"
#include "test.h"
#include "session.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define SIDE       1000 /* pixels: 16 MB of floats */
#define MARGIN     80   /* of the picture's that its end shines through */
#define TOLERANCE  1e-3
#define FRAMES_MAX 64
#define LITTLE     65536 /* bytes */
#define OPTION     "--limit="

#define SWEEP_OPTION "--convolve"
#define SWEEP_SIDE   24   /* pixels */
#define SWEEP_MATRIX 1023 /* rows and columns */
#define SWEEP_MOST   512  /* MiB, which are enough */

/* MiB beyond what the process has */
static const int limits[] = { 0, 1, 4, 8, 16, 24, 32, 48, 64, 96, 128, 160, 192, 256 };

/* Who gave up. */

static gsize missing; /* the bytes that GLib could not get */

static void
note_missing (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  const char *bytes = strstr (message, "failed to allocate ");

  if (bytes)
    sscanf (bytes, "failed to allocate %" G_GSIZE_FORMAT, &missing);
  dprintf (STDERR_FILENO, "%s\n", message);
}

/* The file of the code at address, without its folders. */
static const char *
get_file (gpointer address)
{
  Dl_info info;
  const char *slash;

  if (! dladdr (address, &info) || ! info.dli_fname)
    return "";
  slash = strrchr (info.dli_fname, '/');
  return slash ? slash + 1 : info.dli_fname;
}

/* Returns whether file is a library that aborts on behalf of its caller. */
static gboolean
is_below (const char *file)
{
  return g_str_has_prefix (file, "libc.") || g_str_has_prefix (file, "libglib-") ||
         g_str_has_prefix (file, "ld-") || g_str_has_prefix (file, "libm.");
}

static void
give_up (int signal_number)
{
  gpointer frames[FRAMES_MAX];
  const int n = backtrace (frames, FRAMES_MAX);
  const char *own = get_file ((gpointer) give_up), *file = "";
  const gboolean little = missing > 0 && missing <= LITTLE; /* does not grow */
  int i = 0;

  while (i < n && strcmp (get_file (frames[i]), own) == 0)
    i++;
  while (i < n && is_below (file = get_file (frames[i])))
    i++;
  dprintf (STDERR_FILENO, "signal %d, by %s\n", signal_number, file);
  _exit (strstr (file, "cuda-blur") && ! little ? 1 : 0);
}

static void
catch_signals (void)
{
  static const int signals[] = { SIGABRT, SIGTRAP, SIGSEGV, SIGBUS };
  gpointer frame;

  g_log_set_default_handler (note_missing, NULL);
  backtrace (&frame, 1); /* loads what it takes */
  for (gsize i = 0; i < G_N_ELEMENTS (signals); i++)
    signal (signals[i], give_up);
}

/* The picture: a slope, which a blur leaves as it is. */

static float
get_value (int x, int y)
{
  return (float) (x + 2 * y) / (3 * SIDE);
}

static void
fill (float *pixels)
{
  for (int i = 0; i < SIDE * SIDE * 4; i++)
    pixels[i] = i % 4 == 3 ? 1.0f : get_value (i / 4 % SIDE, i / 4 / SIDE);
}

static void
check (const float *pixels)
{
  for (int y = MARGIN; y < SIDE - MARGIN; y++)
    for (int x = MARGIN; x < SIDE - MARGIN; x++)
      {
        const float got = pixels[(y * SIDE + x) * 4];

        if (fabs (got - get_value (x, y)) > TOLERANCE)
          {
            dprintf (STDERR_FILENO, "%g, not %g at %d,%d\n", got, get_value (x, y), x, y);
            _exit (1);
          }
      }
}

static void
blur (GeglBuffer *buffer, const Babl *format, float *pixels)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);
  GeglNode *node = gegl_node_new_child (graph, "operation", "cuda:gaussian-blur", "std-dev-x", 8.0,
                                        "std-dev-y", 8.0, NULL);

  memset (pixels, 0, (gsize) SIDE * SIDE * 16);
  gegl_node_link (source, node);
  gegl_node_blit (node, 1.0, gegl_buffer_get_extent (buffer), format, pixels, GEGL_AUTO_ROWSTRIDE,
                  GEGL_BLIT_DEFAULT);
  check (pixels);
}

/* Limits. */

static rlim_t
get_size (void)
{
  g_autofree char *text = NULL;
  unsigned long pages = 0;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "%lu", &pages), ==, 1);
  return (rlim_t) pages * (rlim_t) sysconf (_SC_PAGESIZE);
}

static void
limit (rlim_t bytes)
{
  struct rlimit value;

  getrlimit (RLIMIT_AS, &value);
  value.rlim_cur = bytes;
  g_assert_cmpint (setrlimit (RLIMIT_AS, &value), ==, 0);
}

/* Once with the limit, once without. */
static void
blur_within (int megabytes)
{
  const GeglRectangle rect = { 0, 0, SIDE, SIDE };
  float *pixels = g_malloc ((gsize) SIDE * SIDE * 16);
  const Babl *format;
  GeglBuffer *buffer;

  session_start ();
  format = babl_format ("RGBA float");
  buffer = gegl_buffer_new (&rect, format);
  fill (pixels);
  gegl_buffer_set (buffer, &rect, 0, format, pixels, GEGL_AUTO_ROWSTRIDE);
  session_clean ();
  catch_signals ();
  limit (get_size () + ((rlim_t) megabytes << 20));
  blur (buffer, format, pixels);
  limit (RLIM_INFINITY);
  blur (buffer, format, pixels);
  dprintf (STDERR_FILENO, "right\n");
  _exit (0);
}

/* The largest matrix, whose values sum to twice the divisor: the pixels become twice as bright, or
 * stay as they are. */

static char *
make_matrix (double *divisor)
{
  GString *text = g_string_new (NULL);
  double sum = 0.0;

  g_string_printf (text, "%dx%d:", SWEEP_MATRIX, SWEEP_MATRIX);
  for (int i = 0; i < SWEEP_MATRIX * SWEEP_MATRIX; i++)
    {
      const int value = (int) ((guint) i * 7919 % 97 + 1);

      g_string_append_printf (text, " %d", value);
      sum += value;
    }
  *divisor = sum / 2.0;
  return g_string_free (text, FALSE);
}

/* Returns whether the pixels were convolved. */
static gboolean
convolve (GeglBuffer *buffer, const char *matrix, double divisor)
{
  const Babl *format = gegl_buffer_get_format (buffer);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);
  GeglNode *node = gegl_node_new_child (graph, "operation", "cuda:convolve", "values", matrix,
                                        "divisor", divisor, "device", (int) FX_DEVICE_CPU, NULL);
  float pixels[SWEEP_SIDE * SWEEP_SIDE] = { 0.0f };

  gegl_node_link (source, node);
  gegl_node_blit (node, 1.0, gegl_buffer_get_extent (buffer), format, pixels, GEGL_AUTO_ROWSTRIDE,
                  GEGL_BLIT_DEFAULT);
  for (int i = 0; i < SWEEP_SIDE * SWEEP_SIDE; i++)
    if (fabsf (pixels[i] - pixels[0]) > TOLERANCE)
      _exit (1);
  if (fabsf (pixels[0] - 0.25f) > TOLERANCE && fabsf (pixels[0] - 0.5f) > TOLERANCE)
    _exit (1);
  return pixels[0] > 0.4f;
}

/* Once with the limit and, if there was too little memory, once without. Returns whether there was
 * enough. */
static gboolean
convolve_within (GeglBuffer *buffer, const char *matrix, double divisor, int megabytes)
{
  const pid_t child = fork ();
  gboolean done;
  int status;

  if (child == 0)
    {
      catch_signals ();
      limit (get_size () + ((rlim_t) megabytes << 20));
      done = convolve (buffer, matrix, divisor);
      limit (RLIM_INFINITY);
      if (! done && ! convolve (buffer, matrix, divisor))
        _exit (1);
      _exit (done ? 2 : 0);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  dprintf (STDERR_FILENO, "%d MiB: %x\n", megabytes, (guint) status);
  if (! WIFEXITED (status) || WEXITSTATUS (status) == 1)
    _exit (1);
  return WEXITSTATUS (status) == 2;
}

/* One thread: a fork has no others, and each of the engine's takes memory. */
static void
sweep (void)
{
  const GeglRectangle rect = { 0, 0, SWEEP_SIDE, SWEEP_SIDE };
  const float value = 0.25f;
  double divisor;
  g_autofree char *matrix = make_matrix (&divisor);
  gboolean done = FALSE;
  GeglBuffer *buffer;

  g_setenv ("GEGL_THREADS", "1", TRUE);
  g_setenv ("OMP_NUM_THREADS", "1", TRUE);
  session_start ();
  buffer = gegl_buffer_new (&rect, babl_format ("Y float"));
  gegl_buffer_set_color_from_pixel (buffer, &rect, &value, babl_format ("Y float"));
  for (int megabytes = 0; ! done && megabytes < SWEEP_MOST; megabytes += 2 + megabytes / 8)
    done = convolve_within (buffer, matrix, divisor, megabytes);
  session_clean ();
  _exit (done ? 0 : 1);
}

/* Not a test's subprocess: there GLib ends without a signal. */
static void
run_again (const char *argument)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  char *argv[] = { program, (char *) argument, NULL };
  g_autofree char *said = NULL;
  g_autoptr (GError) error = NULL;
  int status;

#ifdef __SANITIZE_ADDRESS__
  g_test_skip ("AddressSanitizer takes all addresses for itself");
  return;
#endif
  g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, &said, &status, &error);
  g_assert_no_error (error);
  g_test_message ("%s", said);
  /* An exit of babl's is one too. */
  g_assert_true (status == 0 || strstr (said, "babl_fatal"));
}

static void
test_limit (gconstpointer megabytes)
{
  g_autofree char *argument = g_strdup_printf (OPTION "%d", GPOINTER_TO_INT (megabytes));

  run_again (argument);
}

static void
test_convolve (void)
{
  run_again (SWEEP_OPTION);
}

int
main (int argc, char **argv)
{
  if (argc == 2 && g_str_has_prefix (argv[1], OPTION))
    blur_within (atoi (argv[1] + strlen (OPTION)));
  if (argc == 2 && strcmp (argv[1], SWEEP_OPTION) == 0)
    sweep ();
  seed_test_init (&argc, &argv);
  for (gsize i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      g_autofree char *path = g_strdup_printf ("/limits/%d", limits[i]);

      g_test_add_data_func (path, GINT_TO_POINTER (limits[i]), test_limit);
    }
  g_test_add_func ("/limits/convolve", test_convolve);
  return g_test_run ();
}
