/* The inside of the window's tests: what their scripts cannot see from outside, they ask for here.
 *
 * A request is a line in the file "request" of the folder, its answer a line in "answer". */
#include <libgimp/gimp.h>

#include "mailbox.h"
#include "probe.h"
#include "processes.h"
#include "screen.h"
#include "serve-canvas.h"
#include "serve-convolve.h"
#include "serve-lens.h"
#include "serve-motion.h"
#include "serve-picture.h"

/* The processes */

/* The plug-in's processes: how many they are, and one of them. While no call is under way that is
 * the resident one. */
static char *
get_processes (ServeImage *image, const char *unused)
{
  pid_t one = process_find (getppid (), "cuda-blur", 0);
  pid_t other = one ? process_find (getppid (), "cuda-blur", one) : 0;

  return g_strdup_printf ("%d %d", (one != 0) + (other != 0), (int) one);
}

/* Whether one of them has loaded GEGL's operations, which this process has. */
static char *
check_modules (ServeImage *image, const char *unused)
{
  static const char modules[] = "/gegl-0.4/";
  pid_t one = process_find (getppid (), "cuda-blur", 0);
  pid_t other = one ? process_find (getppid (), "cuda-blur", one) : 0;
  g_autofree char *own = process_find_file (getpid (), modules);
  char *path = process_find_file (one, modules);

  if (! path)
    path = process_find_file (other, modules);
  if (path)
    return path;
  return g_strdup (one && other && own ? "ok" : "there are too few processes to look at");
}

/* Calls */

static char *
call (ServeImage *image, GimpRunMode mode, const Args *args)
{
  GimpPDBStatusType status;
  char *message;

  if (subject_blur (image->subject, mode, args, &status, &message))
    message = g_strdup ("ok");
  gimp_displays_flush ();
  return message;
}

static char *
call_expected (ServeImage *image, const char *unused)
{
  return call (image, GIMP_RUN_NONINTERACTIVE, &image->args);
}

static char *
call_interactive (ServeImage *image, const char *unused)
{
  return call (image, GIMP_RUN_INTERACTIVE, NULL);
}

static char *
call_last (ServeImage *image, const char *unused)
{
  return call (image, GIMP_RUN_WITH_LAST_VALS, NULL);
}

/* Progress */

typedef struct {
  int texts, values;
} Progress;

static void
progress_start (const gchar *message, gboolean cancelable, gpointer data)
{
  ((Progress *) data)->texts += message && *message;
}

static void
progress_end (gpointer data)
{
}

static void
progress_text (const gchar *message, gpointer data)
{
  ((Progress *) data)->texts += message && *message;
}

static void
progress_value (gdouble fraction, gpointer data)
{
  ((Progress *) data)->values += fraction > 0.0 && fraction < 1.0;
}

/* Whether a blur of a large image names itself and tells how far it is: of an image whose tiles
 * alone take longer, on any machine, than the 40 ms between two such values. In batch mode GIMP
 * drops all progress. */
static char *
check_progress (ServeImage *image, const char *unused)
{
  GimpProgressVtable vtable = {
    .start = progress_start,
    .end = progress_end,
    .set_text = progress_text,
    .set_value = progress_value,
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  Progress progress = { 0, 0 };
  Subject subject = subject_new (GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 5000, 4000, rand, FALSE);
  const gchar *command = gimp_progress_install_vtable (&vtable, &progress);
  GimpPDBStatusType status;
  char *message;

  if (subject_blur (subject, GIMP_RUN_NONINTERACTIVE, &image->args, &status, &message))
    message = progress.texts > 0 && progress.values > 0
                ? g_strdup ("ok")
                : g_strdup_printf ("%d texts, %d values", progress.texts, progress.values);
  gimp_progress_uninstall (command);
  gimp_image_delete (subject.image);
  return message;
}

/* The windows; each is named by its number. */

/* WINDOW: its width and height, and the least ones that show all that is in it. */
static char *
measure_window (ServeImage *image, const char *number)
{
  gulong window = number ? strtoul (number, NULL, 10) : 0;
  ScreenWindow size;

  if (! window || ! screen_measure_window (window, &size))
    return g_strdup ("which window?");
  return g_strdup_printf ("%d %d %d %d", size.width, size.height, size.least_width,
                          size.least_height);
}

/* WINDOW */
static char *
close_window (ServeImage *image, const char *number)
{
  gulong window = number ? strtoul (number, NULL, 10) : 0;

  return g_strdup (window && screen_close_window (window) ? "ok" : "which window?");
}

/* Requests */

static char *
quit (ServeImage *image, const char *unused)
{
  return g_strdup ("ok");
}

/* A line to the canvas. */
static char *
call_canvas (ServeImage *image, const char *line)
{
  return serve_canvas (image->subject, line ? line : "");
}

static const struct {
  const char *word;
  char *(*answer) (ServeImage *image, const char *rest);
} requests[] = {
  { "image", serve_image_make },
  { "paint", serve_image_paint },
  { "profile", serve_image_set_profile },
  { "select", serve_image_select },
  { "settings", serve_image_set_settings },
  { "keep", serve_image_keep },
  { "mask", serve_image_edit_mask },
  { "shown", serve_image_check_shown },
  { "expect", serve_image_expect },
  { "state", serve_image_get_state },
  { "layer", serve_image_get_layer },
  { "blurred", serve_image_check_blurred },
  { "convolved", serve_convolve_check },
  { "lens", serve_lens_check },
  { "motion", serve_motion_check },
  { "picture", serve_picture_check },
  { "find", serve_picture_find },
  { "screen", serve_picture_sum },
  { "colour", serve_picture_colour },
  { "brightness", serve_picture_brightness },
  { "processes", get_processes },
  { "modules", check_modules },
  { "progress", check_progress },
  { "blur", call_expected },
  { "interactive", call_interactive },
  { "last", call_last },
  { "canvas", call_canvas },
  { "measure", measure_window },
  { "close", close_window },
  { "quit", quit },
  { NULL },
};

static char *
answer (ServeImage *image, const char *word, const char *rest)
{
  for (guint i = 0; word && requests[i].word; i++)
    if (strcmp (word, requests[i].word) == 0)
      return requests[i].answer (image, rest);
  return g_strdup ("what?");
}

void
serve_run (void)
{
  const char *folder = g_getenv ("CUDA_BLUR_TEST_FOLDER");
  gboolean going = folder != NULL;
  ServeImage image;

  serve_image_init (&image);
  while (going)
    {
      g_autofree char *line = mailbox_take (folder, "request");
      g_auto (GStrv) words = g_strsplit (line, " ", 2);
      g_autofree char *text = answer (&image, words[0], words[0] ? words[1] : NULL);

      mailbox_put (folder, "answer", text);
      going = g_strcmp0 (words[0], "quit") != 0;
    }
  serve_image_clear (&image);
}
