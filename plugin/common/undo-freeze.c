#include "undo-freeze.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A parasite of the image, with the process's ID; it is neither saved nor an undo step. */
#define MARK "cuda-blur-frozen"

/* Call this before freezing. If undo is off already, someone else froze it, and only they may thaw
 * it: then there is no mark. */
static void
undo_freeze_mark (UndoImage image)
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
undo_freeze (UndoImage image, gboolean *clean)
{
  *clean = *clean && ! gimp_image_is_dirty (image);
  undo_freeze_mark (image);
  gimp_image_undo_freeze (image);
}

static void
undo_freeze_end (UndoImage image)
{
  gimp_image_undo_thaw (image);
  gimp_image_detach_parasite (image, MARK);
}

/* GIMP counts a change without an undo step as an unsaved change all the same. If the user has
 * undone steps since saving, the count is negative, and it must not become 0 here; an undo group,
 * while frozen, only counts. */
void
undo_thaw (UndoImage image, gboolean clean)
{
  if (! clean && ! gimp_image_is_dirty (image))
    {
      gimp_image_undo_group_start (image);
      gimp_image_undo_group_end (image);
    }
  undo_freeze_end (image);
  if (clean)
    gimp_image_clean_all (image);
}

static const char *
undo_freeze_get_text (const GimpParasite *parasite, guint32 *size)
{
#if GIMP_MAJOR_VERSION >= 3
  return gimp_parasite_get_data (parasite, size);
#else
  *size = (guint32) gimp_parasite_data_size (parasite);
  return gimp_parasite_data (parasite);
#endif
}

/* Returns whether the process that left the mark is dead. A mark that cannot be read does not
 * count. */
static gboolean
is_left (const GimpParasite *parasite)
{
  guint32 size;
  const char *text = undo_freeze_get_text (parasite, &size);
  gint64 process = size > 0 && text[size - 1] == 0 ? g_ascii_strtoll (text, NULL, 10) : 0;

  return process > 0 && process <= G_MAXINT && kill ((pid_t) process, 0) != 0 && errno == ESRCH;
}

void
undo_repair (UndoImage image)
{
  GimpParasite *parasite;

  if (gimp_image_undo_is_enabled (image))
    return;
  parasite = gimp_image_get_parasite (image, MARK);
  if (parasite && is_left (parasite))
    undo_freeze_end (image);
  if (parasite)
    gimp_parasite_free (parasite);
}
