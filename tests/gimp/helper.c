/* Processes beside the one that runs the cases, so that two calls can be made at a time. */
#include <libgimp/gimp.h>
#include <stdio.h>

#include "mailbox.h"
#include "probe.h"
#include "subject.h"

/* blur IMAGE DRAWABLE SIGMA KERNEL-SIZE, on the CPU, where it lasts longer. */
static char *
call (const char *line)
{
  Args args = { .light = FX_LIGHT_LINEAR, .device = FX_DEVICE_CPU };
  GimpPDBStatusType status;
  Subject subject;
  char *message;

  if (sscanf (line, "blur %d %d %lf %d", &subject.image, &subject.drawable, &args.sigma_x,
              &args.kernel_size) != 4)
    return g_strdup ("what?");
  args.sigma_y = args.sigma_x;
  if (subject_blur (subject, GIMP_RUN_NONINTERACTIVE, &args, &status, &message))
    return g_strdup ("ok");
  return message;
}

/* kill PROCESS DRAWABLE WIDTH MILLISECONDS: that long after the drawable has become wider than
 * that. */
static char *
kill_when_wider (const char *line)
{
  gint64 deadline = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;
  int process, drawable, width, milliseconds;

  if (sscanf (line, "kill %d %d %d %d", &process, &drawable, &width, &milliseconds) != 4)
    return g_strdup ("what?");
  while (gimp_drawable_width (drawable) <= width)
    if (g_get_monotonic_time () > deadline)
      return g_strdup ("the drawable does not become wider");
  g_usleep (milliseconds * 1000);
  kill (process, SIGKILL);
  return g_strdup ("ok");
}

/* GIMP starts an extension but once. A call of its procedure starts it again, and returns only when
 * that process ends. */
static char *
start (void)
{
  gint n_values;
  GimpParam *values = gimp_run_procedure ("extension-cuda-filters", &n_values, GIMP_PDB_END);

  gimp_destroy_params (values, n_values);
  return g_strdup ("ended");
}

static char *
get_answer (const char *line)
{
  if (g_str_has_prefix (line, "blur "))
    return call (line);
  if (g_str_has_prefix (line, "kill "))
    return kill_when_wider (line);
  return strcmp (line, "start") == 0 ? start () : g_strdup ("what?");
}

void
helper_run (const char *name)
{
  const char *folder = g_getenv ("CUDA_BLUR_TEST_FOLDER");
  g_autofree char *answers = g_strconcat (name, "-answer", NULL);
  gboolean quit = FALSE;

  while (folder && ! quit)
    {
      g_autofree char *line = mailbox_take (folder, name);
      g_autofree char *answer = NULL;

      quit = strcmp (line, "quit") == 0;
      if (! quit)
        {
          answer = get_answer (line);
          mailbox_put (folder, answers, answer);
        }
    }
}
