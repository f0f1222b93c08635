#include "undo-freeze.h"

#include "lock.h"

#if GIMP_MAJOR_VERSION >= 3
#define LOCK(image) LOCK_IMAGE (gimp_image_get_id (image))
#else
#define LOCK(image) LOCK_IMAGE (image)
#endif

#define MARK "cuda-blur-frozen" /* a parasite of the image; neither saved nor an undo step */

static int lock = -1; /* held while undo is frozen */

/* Call this before freezing. If undo is off already, someone else froze it, and only they may thaw
 * it: then there is no mark. */
static void
undo_freeze_mark (UndoImage image)
{
  GimpParasite *parasite;

  if (! gimp_image_undo_is_enabled (image))
    return;
  lock = lock_take (LOCK (image), FALSE);
  parasite = gimp_parasite_new (MARK, 0, sizeof MARK, MARK);
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
  lock_free (lock);
  lock = -1;
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

/* The kernel has freed the lock of a process that is dead. */
void
undo_repair (UndoImage image)
{
  GimpParasite *parasite;

  if (gimp_image_undo_is_enabled (image) || lock != -1)
    return;
  parasite = gimp_image_get_parasite (image, MARK);
  if (! parasite)
    return;
  gimp_parasite_free (parasite);
  lock = lock_take (LOCK (image), FALSE);
  if (lock != -1)
    undo_freeze_end (image);
}
