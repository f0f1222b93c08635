/* The resident process: calls are forwarded to it; without it, the called process does the work. */
#include "cases.h"

#include "mailbox.h"
#include "probe.h"
#include "processes.h"
#include "watch.h"

/* Forwarding */

static char *
forwarding_problem (void)
{
  pid_t resident = need_resident ();
  guint64 before = process_get_time (resident);
  char *problem;

  g_free (read_log ());
  for (int i = 0; i < 3; i++)
    {
      problem = right_problem ("forwarded", &plain);
      if (problem)
        return problem;
    }
  if (find_resident () != resident)
    return g_strdup ("the resident process is another one");
  if (process_get_time (resident) == before)
    return g_strdup ("the resident process has not run");
  return log_problem (3, 0, NULL);
}

/* With the last values of a dialog: sigma 4. */
static char *
last_values_problem (void)
{
  Args args = { .sigma_x = 4.0, .sigma_y = 4.0 };
  Subject subject = subject_for ("last", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 80, 60);
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  GimpPDBStatusType status;
  char *problem;

  subject_set_last_values (&args);
  if (blur_in_time (subject, GIMP_RUN_WITH_LAST_VALS, NULL, &status, &problem))
    {
      after = subject_read (subject.drawable);
      problem = against_engine (after, before, subject.drawable, &args, NULL);
    }
  gimp_image_delete (subject.image);
  return problem;
}

static char *
forwarded_last_values_problem (void)
{
  char *problem;

  need_resident ();
  g_free (read_log ());
  problem = last_values_problem ();
  return problem ? problem : log_problem (1, 0, NULL);
}

/* The messages of a call */

/* One call of each kind that fails, and some that do not. */
typedef struct {
  Subject subject;
  const Args *args; /* NULL: no arguments after the drawable */
} Call;

static const Args bad_sigma = { .sigma_x = -1.0 };
static const Args bad_size = { .sigma_x = 3.0, .kernel_size = 4 };
static const Args bad_grow = { .sigma_x = 3.0, .grow = 2 };
static const Args on_gpu = { .sigma_x = 3.0, .device = FX_DEVICE_GPU };
static const Args identity = { 0 };

#define CALLS 10

static void
make_calls (Call calls[CALLS])
{
  Subject good = subject_for ("good", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  Subject locked = subject_for ("locked", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 50, 40);
  Subject indexed = subject_for ("indexed", GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, 50, 40);
  const Call made[CALLS] = {
    { good, &plain },     { good, &identity },
    { good, &bad_sigma }, { good, &bad_size },
    { good, &bad_grow },  { good, &on_gpu },
    { good, NULL },       { locked, &plain },
    { indexed, &plain },  { { locked.image, good.drawable }, &plain },
  };

  gimp_item_set_lock_content (locked.drawable, TRUE);
  gimp_image_convert_indexed (indexed.image, GIMP_CONVERT_DITHER_NONE,
                              GIMP_CONVERT_PALETTE_GENERATE, 16, FALSE, FALSE, "");
  memcpy (calls, made, sizeof made);
}

/* The status and the words of each, a line a call. shown: how many errors GIMP has shown. */
static char *
get_words (const Call calls[CALLS], int *shown)
{
  GString *words = g_string_new (NULL);
  g_autofree char *text = read_log ();

  for (int i = 0; i < CALLS; i++)
    {
      g_autofree char *message = NULL;
      GimpPDBStatusType status;

      blur_in_time (calls[i].subject, GIMP_RUN_NONINTERACTIVE, calls[i].args, &status, &message);
      g_string_append_printf (words, "%d %s\n", status, message ? message : "success");
    }
  g_free (text);
  text = read_log ();
  *shown = count (text, "GIMP-Error");
  return g_string_free (words, FALSE);
}

static char *
words_problem (void)
{
  Call calls[CALLS];
  g_autofree char *with = NULL, *without = NULL;
  g_auto (GStrv) a = NULL, b = NULL;
  int shown_with, shown_without;

  make_calls (calls);
  need_resident ();
  with = get_words (calls, &shown_with);
  kill_resident ();
  without = get_words (calls, &shown_without);
  a = g_strsplit (with, "\n", -1);
  b = g_strsplit (without, "\n", -1);
  for (int i = 0; i < CALLS; i++)
    if (strcmp (a[i], b[i]) != 0)
      return g_strdup_printf ("%s; without a resident process %s", a[i], b[i]);
  if (shown_with != shown_without)
    return g_strdup_printf ("GIMP shows %d errors; without a resident process %d", shown_with,
                            shown_without);
  if (count (with, "success") != (subject_on_gpu (FX_DEVICE_GPU) ? 3 : 2))
    return g_strdup_printf ("other calls fail than should: %s", with);
  gimp_image_delete (calls[0].subject.image);
  gimp_image_delete (calls[CALLS - 1].subject.image);
  gimp_image_delete (calls[CALLS - 2].subject.image);
  return NULL;
}

/* No resident process */

static char *
missing_problem (void)
{
  char *problem;

  need_resident ();
  g_free (read_log ());
  kill_resident ();
  problem = crash_problem (1); /* as GIMP says of any plug-in */
  problem = problem ?: right_problem ("missing", &plain);
  problem = problem ?: last_values_problem ();
  return problem ? problem : log_problem (0, 2, "no resident process");
}

/* Whom it serves */

/* Its own GIMP alone has the other ends of the pipes by which it is called and answers. Their
 * numbers are in the command that GIMP starts it with: cuda-blur -gimp READ WRITE. */
static char *
alone_problem (void)
{
  pid_t resident = need_resident (), gimp = getppid ();

  for (guint word = 2; word <= 3; word++)
    {
      g_autofree char *number = process_get_word (resident, word);
      int pipe = number ? atoi (number) : 0;
      pid_t sharer = process_find_sharer (resident, pipe, gimp);

      if (pipe <= 0 || process_find_sharer (resident, pipe, 0) != gimp)
        return g_strdup_printf ("%s is no pipe from GIMP", number);
      if (sharer)
        return g_strdup_printf ("process %d has its pipe too", (int) sharer);
    }
  return NULL;
}

/* The loaded libraries */

/* Not any more once it ends. */
static gboolean
is_seen (pid_t pid)
{
  g_autofree char *itself = process_find_file (pid, "/" PLUGIN);

  return itself != NULL;
}

static char *
module_problem (pid_t pid)
{
  static const char *const none[] = { "/gegl-0.4/", "/babl-0.1/" };

  if (! is_seen (pid))
    return g_strdup ("nothing can be seen of the process");
  for (guint i = 0; i < G_N_ELEMENTS (none); i++)
    {
      g_autofree char *path = process_find_file (pid, none[i]);

      if (path)
        return g_strdup_printf ("%s is loaded", path);
    }
  return NULL;
}

/* Looks at a process again and again until it ends. late: it had ended before. */
static char *
life_problem (pid_t pid, gboolean *late)
{
  g_autofree char *problem = NULL;

  *late = TRUE;
  while (! problem)
    {
      problem = module_problem (pid);
      if (! is_seen (pid))
        return NULL;
      *late = FALSE;
      g_usleep (500);
    }
  return g_steal_pointer (&problem);
}

/* Looks at the called process while it works, and at the resident one, if there is one. */
static char *
try_modules (pid_t resident, gboolean *late)
{
  Subject subject = subject_for ("modules", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 1700, 1200);
  g_autofree char *answer = NULL;
  char *problem = NULL;
  pid_t called;

  alarm (CALL_SECONDS);
  begin_long (subject);
  called = process_find (getppid (), PLUGIN, resident);
  if (called)
    problem = life_problem (called, late);
  answer = mailbox_take (get_folder (), HELPER_CALLER "-answer");
  alarm (0);
  if (! problem && resident)
    problem = module_problem (resident);
  if (! problem && strcmp (answer, "ok") != 0)
    problem = g_strdup (answer);
  gimp_image_delete (subject.image);
  return problem;
}

static char *
modules_problem (pid_t resident)
{
  g_autofree char *own = module_problem (getpid ()); /* this process has started GEGL */

  return own ? try_in_time (try_modules, resident)
             : g_strdup ("this process seems to have none either");
}

void
cases_resident (void)
{
  report (forwarding_problem (), "calls are forwarded to the resident process");
  report (forwarded_last_values_problem (), "a call with the last values is forwarded");
  report (alone_problem (), "nobody but its GIMP reaches the resident process");
  report (modules_problem (need_resident ()), "no module of GEGL's or babl's is loaded");
  cases_resident_busy ();
  report (missing_problem (), "no resident process: the called one does the work");
  report (modules_problem (0), "no module of GEGL's or babl's is loaded then");
  report (words_problem (), "status and words are the same with a resident process and without");
}
