/* Undo that a dead process has left frozen. The functions below stand in for an image in GIMP. */
#include "undo-freeze.h"

#include "folder.h"
#include "lock.h"
#include "test.h"

#define IMAGE 1

static GimpParasite *mark; /* of the image, or NULL */
static gboolean frozen;

gboolean
gimp_image_undo_is_enabled (gint32 image)
{
  return ! frozen;
}

gboolean
gimp_image_undo_freeze (gint32 image)
{
  frozen = TRUE;
  return TRUE;
}

gboolean
gimp_image_undo_thaw (gint32 image)
{
  frozen = FALSE;
  return TRUE;
}

gboolean
gimp_image_is_dirty (gint32 image)
{
  return TRUE;
}

gboolean
gimp_image_attach_parasite (gint32 image, const GimpParasite *parasite)
{
  g_clear_pointer (&mark, gimp_parasite_free);
  mark = gimp_parasite_copy (parasite);
  return TRUE;
}

GimpParasite *
gimp_image_get_parasite (gint32 image, const gchar *name)
{
  return mark ? gimp_parasite_copy (mark) : NULL;
}

gboolean
gimp_image_detach_parasite (gint32 image, const gchar *name)
{
  g_clear_pointer (&mark, gimp_parasite_free);
  return TRUE;
}

/* The tests. */

/* Leaves what a killed process leaves. */
static void
leave_frozen (void)
{
  GimpParasite *parasite = gimp_parasite_new ("cuda-blur-frozen", 0, 1, "");

  gimp_image_attach_parasite (IMAGE, parasite);
  gimp_parasite_free (parasite);
  frozen = TRUE;
}

static gboolean
is_repaired (void)
{
  undo_repair (IMAGE);
  return ! frozen;
}

/* A dead process has no lock. */
TEST (test_left, "/undo-freeze/left")
{
  int lock = lock_take (LOCK_IMAGE (IMAGE), FALSE);

  g_assert_cmpint (lock, !=, -1);
  leave_frozen ();
  g_assert_false (is_repaired ());
  lock_free (lock);
  g_assert_true (is_repaired ());
  g_assert_null (mark);
  g_assert_cmpint (lock = lock_take (LOCK_IMAGE (IMAGE), FALSE), !=, -1);
  lock_free (lock);
}

TEST (test_own, "/undo-freeze/own")
{
  gboolean clean = FALSE;
  int lock;

  undo_freeze (IMAGE, &clean);
  g_assert_nonnull (mark);
  g_assert_cmpint (lock_take (LOCK_IMAGE (IMAGE), FALSE), ==, -1);
  g_assert_false (is_repaired ());
  undo_thaw (IMAGE, FALSE);
  g_assert_null (mark);
  g_assert_cmpint (lock = lock_take (LOCK_IMAGE (IMAGE), FALSE), !=, -1);
  lock_free (lock);
}

/* Without a mark, someone else has frozen it. */
TEST (test_others, "/undo-freeze/others")
{
  gboolean clean = FALSE;

  frozen = TRUE;
  g_assert_false (is_repaired ());
  undo_freeze (IMAGE, &clean);
  g_assert_null (mark);
  undo_thaw (IMAGE, FALSE);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("undo-freeze-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_RUNTIME_DIR", folder, TRUE);
  seed_test_init (&argc, &argv);
  status = g_test_run ();
  folder_remove (folder);
  return status;
}
