/* The resident process over time: the memory that it holds during many calls and while idle. */
#include "cases.h"

#include "processes.h"
#include "watch.h"

#define CALLS 200
#define WARM  20  /* calls after which it must not grow any more */
#define SLACK 256 /* kB that its memory may differ by */

#define IDLE_SLACK 1024 /* the same from one idle time to the next */

/* Idle: with CUDA_BLUR_IDLE_SECONDS=1. */

/* memory: set to what the process then holds, in kB. first: NVIDIA's driver is loaded meanwhile, if
 * there is one, and stays. */
static char *
idle_problem (int *memory, gboolean first)
{
  gboolean stays = first && subject_on_gpu (FX_DEVICE_AUTO);
  pid_t resident = need_resident ();
  Subject subject = subject_for ("idle", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 1200, 900);
  GimpPDBStatusType status;
  ProcessUse before, after;
  gint64 start;
  char *problem;

  g_free (read_log ());
  blur_in_time (subject, GIMP_RUN_NONINTERACTIVE, &lengthy, &status, &problem);
  start = g_get_monotonic_time ();
  before = process_get_use (resident);
  gimp_image_delete (subject.image);
  if (! problem && ! wait_for_idle (5.0))
    problem = g_strdup ("the log does not say that it is idle");
  if (! problem && g_get_monotonic_time () - start < 0.9 * G_USEC_PER_SEC)
    problem = g_strdup ("it was idle at once");
  after = process_get_use (resident);
  *memory = after.memory;
  note ("%d kB before, %d kB idle", before.memory, after.memory);
  if (! problem && ((after.memory > before.memory && ! stays) || after.threads >= before.threads ||
                    after.files > before.files))
    problem = g_strdup_printf ("idle, it holds %d kB, %d threads, %d files; before %d, %d, %d",
                               after.memory, after.threads, after.files, before.memory,
                               before.threads, before.files);
  if (! problem && wait_for_idle (1.5))
    problem = g_strdup ("it was idle twice");
  problem = problem ?: right_problem ("after idle", &plain);
  if (! problem && find_resident () != resident)
    problem = g_strdup ("the resident process is another one");
  return problem ? problem : log_problem (1, 0, NULL);
}

void
cases_idle (void)
{
  int first, later;
  char *problem = idle_problem (&first, TRUE);

  report (problem, "idle, the resident process gives its engine back");
  problem = idle_problem (&later, FALSE);
  if (! problem)
    problem = idle_problem (&later, FALSE); /* each time with a new thread */
  if (! problem && later > first + IDLE_SLACK)
    problem = g_strdup_printf ("%d kB at first, %d kB later", first, later);
  report (problem, "and again after later calls, with no more memory");
}

/* Many calls */

/* One of each kind in turn: in place and with grow, short and long ways through the engine, and a
 * refusal, with its error. */
static char *
call_problem (int i)
{
  static const struct {
    Args args;
    GimpPrecision precision;
  } kinds[] = {
    { { 2.5, 1.3, 0, FX_ABYSS_CLAMP, FX_LIGHT_LINEAR, 0, 0 }, GIMP_PRECISION_U8_GAMMA },
    { { 40.0, 40.0, 0, FX_ABYSS_NONE, FX_LIGHT_PERCEPTUAL, 0, 0 }, GIMP_PRECISION_FLOAT_LINEAR },
    { { 6.0, 6.0, 0, FX_ABYSS_CLAMP, FX_LIGHT_LINEAR, 1, 0 }, GIMP_PRECISION_U16_GAMMA },
    { { 5.0, 5.0, 21, FX_ABYSS_WHITE, FX_LIGHT_LINEAR, 0, 0 }, GIMP_PRECISION_HALF_GAMMA },
  };
  int kind = i % (int) (G_N_ELEMENTS (kinds) + 1);
  gboolean refused = kind == (int) G_N_ELEMENTS (kinds);
  Subject subject = subject_for ("many", refused ? GIMP_PRECISION_U8_GAMMA : kinds[kind].precision,
                                 GIMP_RGBA_IMAGE, 300, 200);
  g_autofree char *message = NULL;
  GimpPDBStatusType status;
  gboolean done;

  gimp_item_set_lock_content (subject.drawable, refused);
  done = blur_in_time (subject, GIMP_RUN_NONINTERACTIVE, refused ? &plain : &kinds[kind].args,
                       &status, &message);
  gimp_image_delete (subject.image);
  return done != refused ? NULL : g_strdup_printf ("call %d: %s", i, done ? "success" : message);
}

static char *
use_problem (const ProcessUse *warm, const ProcessUse *end, gboolean sanitized)
{
  if (end->threads != warm->threads || end->files != warm->files)
    return g_strdup_printf ("%d threads and %d files after %d calls, %d and %d after %d",
                            warm->threads, warm->files, WARM, end->threads, end->files, CALLS);
  if (! sanitized && end->memory > warm->memory + SLACK) /* a sanitizer keeps what is freed */
    return g_strdup_printf ("%d kB after %d calls, %d kB after %d", warm->memory, WARM, end->memory,
                            CALLS);
  return NULL;
}

static void
check_many (pid_t resident, gboolean sanitized)
{
  ProcessUse warm = { 0 }, end = { 0 };
  char *problem = NULL;

  for (int i = 0; ! problem && i < CALLS; i++)
    {
      problem = call_problem (i);
      if (i + 1 == WARM)
        warm = process_get_use (resident);
    }
  end = process_get_use (resident);
  if (! problem && find_resident () != resident)
    problem = g_strdup ("the resident process is another one");
  problem = problem ?: use_problem (&warm, &end, sanitized);
  note ("%d threads, %d files, %d kB after %d calls and %d kB in the end", end.threads, end.files,
        warm.memory, WARM, end.memory);
  report (problem, "%d calls in a row: the resident process holds no more than after %d", CALLS,
          WARM);
}

void
cases_many (void)
{
  pid_t resident = need_resident ();
  g_autofree char *sanitizer = process_find_file (resident, "libasan");

  check_many (resident, sanitizer != NULL);
  /* The last of all. It is then that a sanitizer looks for leaks, which takes its time. */
  kill (getppid (), SIGKILL);
  report (process_wait_end (resident, sanitizer ? 60.0 : 2.0) ? NULL : g_strdup ("it lives on"),
          "GIMP killed: the resident process ends");
}
