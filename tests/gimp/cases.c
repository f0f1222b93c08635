#include "cases.h"

#include <stdarg.h>
#include <stdio.h>

#include "probe.h"

static FILE *tap;
static int n_cases, n_failed;
static guint32 seed = 20250101;

void
report (char *problem, const char *name, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, name);
  text = g_strdup_vprintf (name, args);
  va_end (args);
  g_strdelimit (text, "#", '.'); /* TAP's mark of a directive */
  n_failed += problem != NULL;
  fprintf (tap, "%s %d - %s\n", problem ? "not ok" : "ok", ++n_cases, text);
  if (problem)
    fprintf (tap, "# seed %u: %s\n", seed, g_strdelimit (problem, "\n", ' '));
  fflush (tap);
  g_free (problem);
}

void
note (const char *text, ...)
{
  g_autofree char *line = NULL;
  va_list args;

  va_start (args, text);
  line = g_strdup_vprintf (text, args);
  va_end (args);
  fprintf (tap, "# %s\n", line);
  fflush (tap);
}

GRand *
case_rand (const char *name)
{
  return g_rand_new_with_seed (seed + g_str_hash (name));
}

Subject
subject_for (const char *name, GimpPrecision precision, GimpImageType type, int width, int height)
{
  g_autoptr (GRand) rand = case_rand (name);

  return subject_new (precision, type, width, height, rand);
}

gint32
add_channel (Subject subject)
{
  GimpRGB red = { 1.0, 0.0, 0.0, 1.0 };
  gint32 channel = gimp_channel_new (subject.image, "channel", gimp_image_width (subject.image),
                                     gimp_image_height (subject.image), 50.0, &red);

  gimp_image_insert_channel (subject.image, channel, -1, 0);
  return channel;
}

void
cases_run (void)
{
  g_autofree char *output = g_build_filename (g_getenv ("CUDA_BLUR_TEST_FOLDER"), "tap", NULL);
  const char *own_seed = g_getenv ("CUDA_BLUR_TEST_SEED");

  tap = fopen (output, "w");
  if (! tap)
    return; /* the runner reports the missing file */
  if (own_seed)
    seed = g_ascii_strtoull (own_seed, NULL, 10);
  fprintf (tap, "# seed %u (CUDA_BLUR_TEST_SEED)\n", seed);
  cases_canvas ();
  cases_canvas_user ();
  cases_canvas_kill ();
  cases_copy ();
  fprintf (tap, "1..%d\n", n_cases);
  if (n_failed)
    fprintf (tap, "# %d of %d failed\n", n_failed, n_cases);
  fclose (tap);
}
