/* The resident process: a call that comes while it is busy with another one. */
#include "cases.h"

#include "mailbox.h"
#include "probe.h"
#include "processes.h"
#include "watch.h"

#define BUSY  "the resident process is busy"
#define ENDED "The filter's resident process ended before it was done"

/* Two calls of the filter's procedure: one is forwarded, the called process of the other does the
 * work itself. */

static const Args on_cpu = { 100.0, 100.0, 301, FX_ABYSS_CLAMP, FX_LIGHT_LINEAR, 0, FX_DEVICE_CPU };

/* Which the log must say. late: one was over before the other came, so that both are. */
static char *
turns_problem (gboolean *late)
{
  g_autofree char *text = read_log ();

  *late = ! strstr (text, BUSY);
  return log_text_problem (text, *late ? 2 : 1, *late ? 0 : 1, BUSY);
}

/* When this process's call is over, with that problem or none: waits for the other one. before:
 * what the last of the two on the drawable has begun with. */
static char *
both_problem (char *problem, gint32 drawable, const Raster *before, gboolean *late)
{
  g_autofree char *answer = mailbox_take (get_folder (), HELPER_CALLER "-answer");
  g_autoptr (Raster) after = NULL;

  alarm (0);
  after = subject_read (drawable);
  if (! problem && strcmp (answer, "ok") != 0)
    problem = g_strdup (answer);
  problem = problem ?: against_engine (after, before, drawable, &on_cpu, NULL);
  return problem ? problem : turns_problem (late);
}

static char *
try_two (pid_t resident, gboolean *late)
{
  Subject first = subject_for ("first", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 1200, 900);
  Subject second = subject_for ("second", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 1200, 900);
  g_autoptr (Raster) before = subject_read (first.drawable);
  char *problem;

  g_free (read_log ());
  alarm (CALL_SECONDS);
  begin_long (first);
  problem = both_problem (blur_problem (second, &on_cpu, NULL), first.drawable, before, late);
  gimp_image_delete (first.image);
  gimp_image_delete (second.image);
  return problem;
}

/* Both calls are for one layer, which is then blurred twice. */
static char *
try_same_layer (pid_t resident, gboolean *late)
{
  Subject subject = subject_for ("same", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 1200, 900);
  BlurParams params = subject_params (subject.drawable, &on_cpu);
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) once = raster_blur (before, &params, NULL, NULL);
  GimpPDBStatusType status;
  char *problem = NULL;

  g_free (read_log ());
  alarm (CALL_SECONDS);
  begin_long (subject);
  subject_blur (subject, GIMP_RUN_NONINTERACTIVE, &on_cpu, &status, &problem);
  problem = both_problem (problem, subject.drawable, once, late);
  gimp_image_delete (subject.image);
  return problem;
}

/* Its own procedure, called by one that takes no turns: it refuses. If GIMP is about to send it a
 * tile, GIMP takes the refusal for a violation of its protocol, and ends the process. No work is
 * lost, but the refusal must be seen, so the test tries again. */

static GimpPDBStatusType
call_directly (Subject subject)
{
  gint n;
  GimpParam *values = gimp_run_procedure (PROCEDURE "-resident", &n, GIMP_PDB_INT32,
                                          GIMP_RUN_NONINTERACTIVE, GIMP_PDB_IMAGE, subject.image,
                                          GIMP_PDB_DRAWABLE, subject.drawable, GIMP_PDB_FLOAT, 3.0,
                                          GIMP_PDB_FLOAT, 3.0, GIMP_PDB_INT32, 0, GIMP_PDB_INT32, 0,
                                          GIMP_PDB_INT32, 0, GIMP_PDB_INT32, 0, GIMP_PDB_INT32, 0,
                                          GIMP_PDB_END);
  GimpPDBStatusType status = values[0].data.d_status;

  gimp_destroy_params (values, n);
  return status;
}

/* A call that was done, or that says that the resident process has ended and has changed nothing.
 */
static char *
done_or_said_problem (gboolean done, const char *message, const Raster *after, const Raster *before,
                      gint32 drawable, const Args *args)
{
  if (done)
    return against_engine (after, before, drawable, args, NULL);
  return strstr (message, ENDED) ? raster_differs (after, before) : g_strdup (message);
}

static char *
try_uninvited (pid_t resident, gboolean *late)
{
  Subject first = subject_for ("long", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 1700, 1200);
  Subject second = subject_for ("short", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 60, 50);
  g_autoptr (Raster) first_before = subject_read (first.drawable), first_after = NULL;
  g_autoptr (Raster) before = subject_read (second.drawable), after = NULL;
  g_autofree char *answer = NULL;
  GimpPDBStatusType status;
  gboolean done, over;
  char *problem;

  need_resident ();
  alarm (CALL_SECONDS);
  begin_long (first);
  status = call_directly (second);
  over = status == GIMP_PDB_SUCCESS && ! is_being_blurred (first.drawable);
  answer = mailbox_take (get_folder (), HELPER_CALLER "-answer");
  alarm (0);
  first_after = subject_read (first.drawable);
  after = subject_read (second.drawable);
  done = strcmp (answer, "ok") == 0;
  *late = over || ! done;
  problem = done_or_said_problem (done, answer, first_after, first_before, first.drawable, &on_cpu);
  if (! problem && ! over && status != GIMP_PDB_EXECUTION_ERROR &&
      (done || status != GIMP_PDB_CALLING_ERROR)) /* the status if no process answers any more */
    problem = g_strdup_printf ("the status is %d", status);
  if (! problem && ! over)
    problem = raster_differs (after, before);
  problem = problem ?: right_problem ("after it", &plain);
  gimp_image_delete (first.image);
  gimp_image_delete (second.image);
  return problem;
}

/* The resident process goes on with the call of a process that was killed, and another comes. Its
 * caller does the work itself, unless the resident process has not begun, and so not said, yet. */

/* late: the resident process has ended. */
static char *
blur_after_orphan (gboolean *late)
{
  Subject subject = subject_for ("after", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 400, 300);
  g_autoptr (Raster) before = subject_read (subject.drawable), after = NULL;
  g_autofree char *message = NULL;
  GimpPDBStatusType status;
  gboolean done = blur_in_time (subject, GIMP_RUN_NONINTERACTIVE, &plain, &status, &message);
  char *problem;

  *late = ! done;
  after = subject_read (subject.drawable);
  problem = done_or_said_problem (done, message, after, before, subject.drawable, &plain);
  gimp_image_delete (subject.image);
  return problem;
}

static char *
try_orphaned (pid_t unused, gboolean *late)
{
  Subject first = subject_for ("orphan", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 1700, 1200);
  g_autoptr (Raster) before = subject_read (first.drawable);
  g_autoptr (Raster) after = NULL;
  g_autofree char *line = g_strdup_printf ("blur %d %d 100 301", first.image, first.drawable);
  g_autofree char *answer = NULL;
  pid_t resident = need_resident ();
  Killer *killer = killer_new_for_child (getppid (), PLUGIN, resident, 0.1);
  char *problem;

  mailbox_put (get_folder (), HELPER_CALLER, line);
  while (! killer_done (killer))
    g_usleep (500);
  killer_end (killer);
  problem = blur_after_orphan (late);
  answer = mailbox_take (get_folder (), HELPER_CALLER "-answer");
  after = subject_read (first.drawable);
  if (! problem && ! raster_equal (after, before))
    problem = against_engine (after, before, first.drawable, &on_cpu, NULL);
  problem = problem ?: right_problem ("after an orphan", &plain);
  gimp_image_delete (first.image);
  return problem;
}

void
cases_resident_busy (void)
{
  report (try_in_time (try_two, need_resident ()), "two calls at a time");
  report (try_in_time (try_same_layer, need_resident ()), "two calls at a time, of one layer");
  report (try_in_time (try_uninvited, 0), "a call of its own procedure while it works");
  report (try_in_time (try_orphaned, 0),
          "a call while that of a killed process is still being done");
}
