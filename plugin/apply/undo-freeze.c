#include "undo-freeze.h"

#include <errno.h>
#include <libgimp/gimp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A parasite of the image, with the process's ID; it is neither saved nor an undo step. */
#define MARK "cuda-blur-frozen"

/* Call this before freezing. If undo is off already, someone else froze it, and only they may thaw
 * it: then there is no mark. */
static void
undo_freeze_mark (gint32 image)
{
  g_autofree char *process = g_strdup_printf ("%d", (int) getpid ());
  GimpParasite *parasite;

  if (! gimp_image_undo_is_enabled (image))
    return;
  parasite = gimp_parasite_new (MARK, 0, (guint32) strlen (process) + 1, process);
  gimp_image_attach_parasite (image, parasite);
  gimp_parasite_free (parasite);
}

void
undo_freeze (gint32 image)
{
  undo_freeze_mark (image);
  gimp_image_undo_freeze (image);
}

void
undo_thaw (gint32 image)
{
  gimp_image_undo_thaw (image);
  gimp_image_detach_parasite (image, MARK);
}

/* Returns whether the process that left the mark is dead. A mark that cannot be read does not
 * count. */
static gboolean
is_left (const GimpParasite *parasite)
{
  const char *text = gimp_parasite_data (parasite);
  glong size = gimp_parasite_data_size (parasite);
  gint64 process = size > 0 && text[size - 1] == 0 ? g_ascii_strtoll (text, NULL, 10) : 0;

  return process > 0 && process <= G_MAXINT && kill ((pid_t) process, 0) != 0 && errno == ESRCH;
}

void
undo_repair (gint32 image)
{
  GimpParasite *parasite;

  if (gimp_image_undo_is_enabled (image))
    return;
  parasite = gimp_image_get_parasite (image, MARK);
  if (parasite && is_left (parasite))
    undo_thaw (image);
  if (parasite)
    gimp_parasite_free (parasite);
}
