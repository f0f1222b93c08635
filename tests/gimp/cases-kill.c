/* Processes killed during a call, as GIMP does it on Cancel and on its own end. */
#include "cases.h"

#include "mailbox.h"
#include "probe.h"
#include "processes.h"
#include "watch.h"

#define KILLS 50 /* of each kind */

#define ENDED "resident process ended" /* what a call says whose resident process was killed */
#define GONE  "no return values"       /* what GIMP says of a called one that was */

/* Half of which is spent on enlarging the layer. */
static const Args growing = { 20.0, 20.0, 0, FX_ABYSS_CLAMP, FX_LIGHT_LINEAR, 1, 0 };

static double
time_call (Subject subject, const Args *args)
{
  gint64 start = g_get_monotonic_time ();
  g_autofree char *message = NULL;
  GimpPDBStatusType status;

  blur_in_time (subject, GIMP_RUN_NONINTERACTIVE, args, &status, &message);
  return (g_get_monotonic_time () - start) / 1e6;
}

/* Returns whether the layer has the old pixels; it may have been enlarged. */
static gboolean
is_old (const Raster *after, const Raster *before, gboolean white)
{
  int x = (after->width - before->width) / 2, y = (after->height - before->height) / 2;
  g_autoptr (Raster) large = raster_enlarge (before, x, y, white);

  return raster_equal (after, large);
}

typedef struct {
  Subject subject;
  const Args *args;
  Raster *before, *blurred; /* of the layer */
  Raster *mask;             /* of its mask, or NULL */
  double seconds;           /* of a call that nobody disturbs */
} Victim;

/* With grow, it has a mask, and the result is that of the enlarged layer. */
static Victim
victim_new (const char *name, const Args *args)
{
  Victim victim = { .args = args };
  Subject copy;

  victim.subject = subject_for (name, GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 1700, 1200);
  victim.before = subject_read (victim.subject.drawable);
  if (args->grow)
    victim.mask = subject_read (add_mask (victim.subject));
  copy.image = gimp_image_duplicate (victim.subject.image);
  copy.drawable = gimp_image_get_active_layer (copy.image);
  time_call (copy, args); /* the first one starts the engine */
  gimp_image_delete (copy.image);
  copy.image = gimp_image_duplicate (victim.subject.image);
  copy.drawable = gimp_image_get_active_layer (copy.image);
  victim.seconds = time_call (copy, args);
  victim.blurred = subject_read (copy.drawable);
  gimp_image_delete (copy.image);
  gimp_image_clean_all (victim.subject.image);
  return victim;
}

static void
victim_clear (Victim *victim)
{
  gimp_image_delete (victim->subject.image);
  raster_free (victim->before);
  raster_free (victim->blurred);
  raster_free (victim->mask);
}

/* Returns whether the layer is the result of an undisturbed call: to the byte, on one device. */
static gboolean
is_blurred (const Raster *after, const Raster *blurred)
{
  g_autofree double *values = raster_values (blurred);
  g_autofree char *problem = NULL;

  if (raster_equal (after, blurred))
    return TRUE;
  if (raster_bytes (after) != raster_bytes (blurred) || ! subject_on_gpu (FX_DEVICE_AUTO))
    return FALSE;
  problem = raster_compare (after, values, 1.0, 2.0);
  return problem == NULL;
}

/* After a call that was killed: all old, without an undo step, or all new. A layer that grows may
 * have been enlarged and given its old size again by the caller, which are two steps. Says which in
 * outcome. */
static char *
whole_problem (const Victim *victim, const char **outcome)
{
  g_autoptr (Raster) after = subject_read (victim->subject.drawable);
  gboolean dirty = gimp_image_is_dirty (victim->subject.image);
  gboolean old = is_old (after, victim->before, FALSE);

  if (victim->mask)
    {
      g_autoptr (Raster) mask = subject_read (gimp_layer_get_mask (victim->subject.drawable));

      if (mask->width != after->width || mask->height != after->height ||
          (! is_old (mask, victim->mask, FALSE) && ! is_old (mask, victim->mask, TRUE)))
        return g_strdup ("the mask is neither its old self nor enlarged");
    }
  if (old && after->width > victim->before->width)
    return g_strdup ("the layer has its old pixels, but is enlarged");
  *outcome = ! old ? "new" : dirty && victim->args->grow ? "reduced" : "old";
  if (! old && ! is_blurred (after, victim->blurred))
    return g_strdup ("the layer is neither as it was nor blurred");
  if (dirty != (strcmp (*outcome, "old") != 0))
    return g_strdup_printf ("the layer is %s, and the image %s", *outcome,
                            dirty ? "dirty" : "clean");
  return NULL;
}

/* Restores what a call has changed, for the next one. */
static void
victim_restore (Victim *victim)
{
  const Raster *before = victim->before;
  int width = gimp_drawable_width (victim->subject.drawable);
  int height = gimp_drawable_height (victim->subject.drawable);

  gimp_layer_resize (victim->subject.drawable, before->width, before->height,
                     -(width - before->width) / 2, -(height - before->height) / 2);
  subject_write (victim->subject.drawable, before);
  if (victim->mask)
    subject_write (gimp_layer_get_mask (victim->subject.drawable), victim->mask);
  gimp_image_clean_all (victim->subject.image);
}

/* A call that is killed. words: what it must say if it fails. Adds what became of the layer. */
static char *
killed_problem (const Victim *victim, const char *words, GString *outcomes)
{
  g_autofree char *message = NULL;
  GimpPDBStatusType status;
  const char *outcome = "";
  gboolean done = blur_in_time (victim->subject, GIMP_RUN_NONINTERACTIVE, victim->args, &status,
                                &message);
  char *problem = whole_problem (victim, &outcome);

  g_string_append_printf (outcomes, " %s", outcome);
  if (! problem && done && strcmp (outcome, "new") != 0)
    problem = g_strdup_printf ("success, but the layer is %s", outcome);
  if (! problem && ! done && ! strstr (message, words))
    problem = g_strdup_printf ("the message does not say '%s': %s", words, message);
  return problem;
}

/* Kills the resident process, or the called one, at moments all over a call, and wants the layer
 * whole and the next call right each time. */
static void
check_kills (const char *name, const Args *args, gboolean called)
{
  g_autoptr (GRand) rand = case_rand (name);
  g_autoptr (GString) outcomes = g_string_new (NULL);
  Victim victim;
  char *problem = NULL;

  need_resident ();
  victim = victim_new (name, args);
  g_free (read_log ());
  for (int i = 0; ! problem && i < KILLS; i++)
    {
      pid_t resident = need_resident (), killed;
      double moment = (i + g_rand_double (rand)) / KILLS * victim.seconds;
      Killer *killer = called ? killer_new_for_child (getppid (), PLUGIN, resident, moment)
                              : killer_new (resident, moment);

      problem = killed_problem (&victim, called ? GONE : ENDED, outcomes);
      killed = killer_end (killer);
      if (! problem && called && ! process_lives (resident))
        problem = g_strdup ("the resident process has died too");
      if (! problem && killed && ! called && ! wait_for_resident (FALSE))
        problem = g_strdup ("GIMP still has the resident process");
      problem = problem ?: right_problem (name, &plain);
      if (problem)
        problem = g_strdup_printf ("killed %.0f ms into a call of %.0f ms: %s", moment * 1e3,
                                   victim.seconds * 1e3, problem);
      g_free (read_log ());
      victim_restore (&victim);
    }
  victim_clear (&victim);
  note ("a call lasts %.0f ms; killed in it, the layer was%s", victim.seconds * 1e3, outcomes->str);
  report (problem, "%s", name);
}

/* The same in the moments in which the result is put into a layer that grows. */
static char *
kills_in_put_problem (void)
{
  g_autoptr (GString) outcomes = g_string_new (NULL);
  Victim victim;
  char *problem = NULL;

  need_resident ();
  victim = victim_new ("put", &growing);
  for (int i = 0; ! problem && i < KILLS; i++)
    {
      g_autofree char *line = g_strdup_printf ("kill %d %d %d %d", (int) need_resident (),
                                               victim.subject.drawable, victim.before->width,
                                               48 * i / KILLS); /* ms */
      g_autofree char *answer = NULL;

      mailbox_put (get_folder (), HELPER_CALLER, line);
      problem = killed_problem (&victim, ENDED, outcomes);
      answer = mailbox_take (get_folder (), HELPER_CALLER "-answer");
      if (! problem && strcmp (answer, "ok") != 0)
        problem = g_strdup (answer);
      wait_for_resident (FALSE);
      problem = problem ?: right_problem ("after put", &plain);
      victim_restore (&victim);
    }
  if (! problem && (count (outcomes->str, "reduced") == 0 || count (outcomes->str, "old") > 0))
    problem = g_strdup_printf ("these are other moments: the layer was%s", outcomes->str);
  note ("killed there, the layer was%s", outcomes->str);
  victim_clear (&victim);
  return problem;
}

/* GIMP's own end */

/* Nothing must outlive a GIMP that is killed during a call: not the process that does the work, nor
 * the one that waits for it. */
static char *
gimp_killed_problem (void)
{
  Subject subject = subject_for ("end", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 1700, 1200);
  g_autofree char *line = g_strdup_printf ("blur %d %d 100 301", subject.image, subject.drawable);
  pid_t gimp = getppid (), resident = need_resident (), called = 0;
  gint64 deadline = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  mailbox_put (get_folder (), HELPER_CALLER, line);
  while (! (called = process_find (gimp, PLUGIN, resident)))
    if (g_get_monotonic_time () > deadline)
      return g_strdup ("no call");
  g_usleep (50000);
  if (! process_lives (called))
    return g_strdup ("the call is over already");
  kill (gimp, SIGKILL);
  if (! process_wait_end (called, 2.0))
    return g_strdup ("the called process lives on");
  return process_wait_end (resident, 2.0) ? NULL : g_strdup ("the resident process lives on");
}

void
cases_kill (void)
{
  check_kills ("the resident process killed during a call", &lengthy, FALSE);
  check_kills ("the resident process killed during a call that grows", &growing, FALSE);
  report (kills_in_put_problem (), "the resident process killed while a layer grows");
  check_kills ("the called process killed during a call", &lengthy, TRUE);
  /* The last of all. */
  report (gimp_killed_problem (), "GIMP killed during a call: the others end");
}
