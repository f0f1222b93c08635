/* A disk that is full, where GIMP puts the pixels for which its memory has no room. GIMP warns of
 * it itself, and tells no plug-in that pixels are lost; so that this one neither hangs nor ends is
 * all that there is to see, and that the next blur is right once there is room. */
#include "cases.h"

#include "watch.h"

static char *
full_problem (void)
{
  Subject subject = subject_for ("full", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 3000, 2000);
  pid_t resident = need_resident ();
  g_autofree char *message = NULL, *log = NULL;
  GimpPDBStatusType status;
  char *problem = NULL;

  if (! blur_in_time (subject, GIMP_RUN_NONINTERACTIVE, &plain, &status, &message))
    problem = failure_problem (status, message);
  log = read_log ();
  if (! problem && ! strstr (log, "No space left on device"))
    problem = g_strdup ("there was room");
  gimp_image_delete (subject.image);
  if (! problem && find_resident () != resident)
    problem = g_strdup ("the resident process has ended");
  return problem ? problem : right_problem ("room", &plain);
}

void
cases_swap (void)
{
  report (full_problem (), "a call while the disk is full for GIMP's swap, and one after it");
}
