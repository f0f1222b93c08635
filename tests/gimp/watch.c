#include "watch.h"

#include <stdio.h>

#include "lock.h"
#include "mailbox.h"
#include "probe.h"
#include "processes.h"

#define RESIDENT "plug-in-cuda-gaussian-blur-resident"
#define TRIES    50 /* on a busy machine the call may come when the other one is over */

/* The processes */

const char *
get_folder (void)
{
  return g_getenv ("CUDA_BLUR_TEST_FOLDER");
}

pid_t
find_resident (void)
{
  return process_find (getppid (), PLUGIN, 0);
}

gboolean
wait_for_resident (gboolean there)
{
  gint64 deadline = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  while (gimp_procedural_db_proc_exists (RESIDENT) != there)
    {
      if (g_get_monotonic_time () > deadline)
        return FALSE;
      g_usleep (5000);
    }
  return TRUE;
}

pid_t
need_resident (void)
{
  pid_t resident;

  if (! gimp_procedural_db_proc_exists (RESIDENT))
    {
      mailbox_put (get_folder (), HELPER_STARTER, "start");
      wait_for_resident (TRUE);
      /* It has its procedure, but GIMP still waits for it to say that it is there: a call that came
       * right now would run within that wait, and GIMP then miss the end of the process. */
      g_usleep (100000);
      wait_for_resident (TRUE);
    }
  resident = find_resident ();
  if (! resident)
    g_error ("no resident process can be started");
  return resident;
}

void
kill_resident (void)
{
  kill (need_resident (), SIGKILL);
  wait_for_resident (FALSE);
}

/* GIMP's log */

static long log_mark;

char *
read_log (void)
{
  g_autofree char *path = g_build_filename (get_folder (), "log", NULL);
  GString *text = g_string_new (NULL);
  FILE *log = fopen (path, "r");
  char part[4096];
  gsize length;

  if (! log)
    return g_string_free (g_string_assign (text, "no log"), FALSE);
  fseek (log, log_mark, SEEK_SET); /* a soak test has many megabytes of it */
  while ((length = fread (part, 1, sizeof part, log)) > 0)
    g_string_append_len (text, part, length);
  log_mark = ftell (log);
  fclose (log);
  return g_string_free (text, FALSE);
}

int
count (const char *text, const char *word)
{
  int n = 0;

  while ((text = strstr (text, word)))
    {
      n++;
      text += strlen (word);
    }
  return n;
}

char *
log_text_problem (const char *text, int forwarded, int here, const char *reason)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  int n_forward = 0, n_here = 0;

  for (int i = 0; lines[i]; i++)
    {
      if (*lines[i] && ! g_str_has_prefix (lines[i], "cuda-blur: "))
        return g_strdup_printf ("GIMP says: %s", text);
      if (g_str_has_prefix (lines[i], "cuda-blur: forward"))
        {
          n_forward += g_str_has_suffix (g_strchomp (lines[i]), " bytes");
          n_here += reason && strstr (lines[i], reason) != NULL;
        }
    }
  if (n_forward == forwarded && n_here == here)
    return NULL;
  return g_strdup_printf ("forwarded %d times, expected %d; %d times not, expected %d: %s",
                          n_forward, forwarded, n_here, here, text);
}

char *
log_problem (int forwarded, int here, const char *reason)
{
  g_autofree char *text = read_log ();

  return log_text_problem (text, forwarded, here, reason);
}

char *
crash_problem (int crashes)
{
  g_autofree char *text = read_log ();
  int found = count (text, "Plug-in crashed");

  if (found == crashes && ! strstr (text, "ERROR") && ! strstr (text, "CRITICAL"))
    return NULL;
  return g_strdup_printf ("%d plug-ins crashed, expected %d: %s", found, crashes, text);
}

gboolean
wait_for_idle (double seconds)
{
  gint64 deadline = g_get_monotonic_time () + (gint64) (seconds * 1e6);
  gboolean idle = FALSE;

  while (! idle && g_get_monotonic_time () < deadline)
    {
      g_autofree char *text = read_log ();

      idle = strstr (text, "cuda-blur: idle") != NULL;
      g_usleep (20000);
    }
  return idle;
}

/* Calls */

gboolean
blur_in_time (Subject subject, GimpRunMode mode, const Args *args, GimpPDBStatusType *status,
              char **message)
{
  gboolean done;

  alarm (CALL_SECONDS);
  done = subject_blur (subject, mode, args, status, message);
  alarm (0);
  return done;
}

char *
right_problem (const char *name, const Args *args)
{
  Subject subject = subject_for (name, GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 400, 300);
  char *problem;

  alarm (CALL_SECONDS);
  problem = blur_problem (subject, args, NULL);
  alarm (0);
  gimp_image_delete (subject.image);
  return problem;
}

/* Two at a time */

gboolean
is_being_blurred (gint32 drawable)
{
  int lock = lock_take (LOCK_DRAWABLE (drawable), FALSE);

  lock_free (lock);
  return lock == -1;
}

void
begin_long (Subject subject)
{
  g_autofree char *line = g_strdup_printf ("blur %d %d %g %d", subject.image, subject.drawable,
                                           lengthy.sigma_x, lengthy.kernel_size);

  mailbox_put (get_folder (), HELPER_CALLER, line);
  while (! is_being_blurred (subject.drawable) &&
         ! mailbox_has (get_folder (), HELPER_CALLER "-answer"))
    g_usleep (500);
}

char *
try_in_time (Try try, pid_t resident)
{
  gboolean late = TRUE;
  char *problem = NULL;

  for (int n = 0; ! problem && late; n++)
    problem = n < TRIES ? try (resident, &late) : g_strdup ("the other call is always over before");
  return problem;
}
