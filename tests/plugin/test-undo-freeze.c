/* Undo that a dead process has left frozen. The functions below stand in for an image in GIMP. */
#include "undo-freeze.h"

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

static void
leave_frozen (const char *text)
{
  GimpParasite *parasite = gimp_parasite_new ("cuda-blur-frozen", 0, (guint32) strlen (text) + 1,
                                              text);

  gimp_image_attach_parasite (IMAGE, parasite);
  gimp_parasite_free (parasite);
  frozen = TRUE;
}

/* Returns whether an image with that mark is repaired. */
static gboolean
is_repaired (const char *text)
{
  leave_frozen (text);
  undo_repair (IMAGE);
  return ! frozen;
}

/* Returns the mark of a child, which then is a zombie. */
static char *
make_zombie (pid_t *child)
{
  char text[100] = "";
  gboolean clean = FALSE;
  siginfo_t info;
  int ends[2];

  g_assert_cmpint (pipe (ends), ==, 0);
  *child = fork ();
  g_assert_cmpint (*child, >=, 0);
  if (*child == 0)
    {
      undo_freeze (IMAGE, &clean);
      _exit (write (ends[1], gimp_parasite_data (mark), gimp_parasite_data_size (mark)) < 0);
    }
  g_assert_cmpint (waitid (P_PID, *child, &info, WEXITED | WNOWAIT), ==, 0);
  g_assert_cmpint (read (ends[0], text, sizeof text - 1), >, 0);
  close (ends[0]);
  close (ends[1]);
  return g_strdup (text);
}

/* The mark of the process itself, of others, and marks of nobody. */
TEST (test_marks, "/undo-freeze/marks")
{
  gboolean clean = FALSE;
  g_autofree char *own = NULL, *other = NULL;

  undo_freeze (IMAGE, &clean);
  own = g_strdup (gimp_parasite_data (mark));
  g_assert_false (is_repaired (own));
  other = g_strdup_printf ("1%s", strchr (own, ' ')); /* which has started before */
  g_assert_true (is_repaired (other));
  g_assert_true (is_repaired ("2147483647 1"));
  g_assert_false (is_repaired (""));
  g_assert_false (is_repaired ("2147483647"));
  g_assert_false (is_repaired ("nobody"));
  undo_thaw (IMAGE, FALSE);
  g_assert_null (mark);
}

TEST (test_zombie, "/undo-freeze/zombie")
{
  pid_t child;
  g_autofree char *text = make_zombie (&child);

  g_assert_true (is_repaired (text));
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
  g_assert_true (is_repaired (text));
}
