/* Locks among processes: the children of one process are one GIMP's, and this process, whose parent
 * is another, is another GIMP's. */
#include "rerun.h"
#include "folder.h"
#include "lock.h"
#include "test.h"

typedef struct {
  pid_t pid;
  int words; /* what it says, a byte each */
} Child;

/* A child that runs, saying what it does, until it is killed. */
static Child
child_new (void (*run) (int words))
{
  int ends[2];
  Child child;

  g_assert_cmpint (pipe (ends), ==, 0);
  child.pid = fork ();
  g_assert_cmpint (child.pid, >=, 0);
  if (child.pid == 0)
    {
      run (ends[1]);
      while (TRUE)
        pause ();
    }
  close (ends[1]);
  child.words = ends[0];
  return child;
}

static void
say (int words, gboolean word)
{
  if (write (words, word ? "y" : "n", 1) != 1)
    _exit (1);
}

/* Waits for it; 0 once the child has ended without one. */
static char
hear (const Child *child)
{
  char word = 0;

  return read (child->words, &word, 1) == 1 ? word : 0;
}

static void
child_end (Child *child)
{
  kill (child->pid, SIGKILL);
  waitpid (child->pid, NULL, 0);
  close (child->words);
}

static void
try (int words)
{
  say (words, lock_take (LOCK_TURN, FALSE) != -1);
}

static void
try_another (int words)
{
  say (words, lock_take (LOCK_DRAWABLE (G_MAXINT32), FALSE) != -1);
}

static void
try_then_wait (int words)
{
  try (words);
  say (words, lock_take (LOCK_TURN, TRUE) != -1);
}

/* Takes one and gives it back. */
static void
take_and_free (int words)
{
  int lock = lock_take (LOCK_TURN, FALSE);

  lock_free (lock);
  say (words, lock != -1);
}

/* Whether a child that does so takes it. */
static char
hear_one (void (*run) (int words))
{
  Child child = child_new (run);
  char word = hear (&child);

  child_end (&child);
  return word;
}

TEST (test_held, "/lock/held")
{
  Child holder = child_new (try);
  int lock;

  g_assert_cmpint (hear (&holder), ==, 'y');
  g_assert_cmpint (hear_one (try), ==, 'n');
  g_assert_cmpint (hear_one (try_another), ==, 'y');
  lock = lock_take (LOCK_TURN, FALSE);
  g_assert_cmpint (lock, !=, -1); /* another GIMP's */
  lock_free (lock);
  g_assert_cmpint (hear_one (try), ==, 'n');
  child_end (&holder);
  g_assert_cmpint (hear_one (try), ==, 'y');
}

TEST (test_freed, "/lock/freed")
{
  Child holder = child_new (take_and_free);

  g_assert_cmpint (hear (&holder), ==, 'y');
  g_assert_cmpint (hear_one (try), ==, 'y');
  child_end (&holder);
}

/* A process that waits gets the lock when its holder dies. */
TEST (test_wait, "/lock/wait")
{
  Child holder = child_new (try), waiter;

  g_assert_cmpint (hear (&holder), ==, 'y');
  waiter = child_new (try_then_wait);
  g_assert_cmpint (hear (&waiter), ==, 'n');
  child_end (&holder);
  g_assert_cmpint (hear (&waiter), ==, 'y');
  g_assert_cmpint (hear_one (try), ==, 'n');
  child_end (&waiter);
}

/* No one waits for a lock in a file that others can open, or that is a link's. */
TEST (test_not_ours, "/lock/not-ours")
{
  static const int modes[] = { 0620, 0640, 0604 }; /* who reads a file can lock it, too */
  const char *folder = g_get_user_runtime_dir ();
  g_autofree char *name = NULL, *path = NULL;
  g_autoptr (GDir) files = NULL;

  lock_free (lock_take (LOCK_TURN, FALSE));
  files = g_dir_open (folder, 0, NULL);
  g_assert_nonnull (files);
  name = g_strdup (g_dir_read_name (files));
  path = g_build_filename (folder, name, NULL);
  g_assert_null (g_dir_read_name (files));
  for (gsize i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_assert_cmpint (g_chmod (path, modes[i]), ==, 0);
      g_assert_cmpint (lock_take (LOCK_TURN, TRUE), ==, -1);
    }
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (symlink ("elsewhere", path), ==, 0);
  g_assert_cmpint (lock_take (LOCK_TURN, TRUE), ==, -1);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (hear_one (try), ==, 'y');
  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* A privileged process has no locks. */

#define TAKE "--take"

static int
print_taken (void)
{
  g_print ("%d %d", rerun_is_privileged (), lock_take (LOCK_TURN, FALSE) != -1);
  return 0;
}

/* Whether it takes one, in a folder that all may write to, and leaves a file there. */
static char *
take_in_rerun (gboolean privileged, gboolean *left)
{
  g_autofree char *folder = g_dir_make_tmp ("lock-XXXXXX", NULL);
  g_autofree char *variable = g_strconcat ("XDG_RUNTIME_DIR=", folder, NULL);
  char *said;

  g_assert_cmpint (g_chmod (folder, 0777), ==, 0);
  said = rerun_self (privileged, TAKE, variable);
  *left = g_rmdir (folder) != 0;
  folder_remove (folder);
  return said;
}

TEST (test_privileged, "/lock/privileged")
{
  gboolean left;
  g_autofree char *plain = take_in_rerun (FALSE, &left), *privileged = NULL;

  g_assert_cmpstr (plain, ==, "0 1");
  g_assert_true (left);
  privileged = take_in_rerun (TRUE, &left);
  if (! privileged || *privileged == '0')
    {
      g_test_skip ("no program can be made privileged here");
      return;
    }
  g_assert_cmpstr (privileged, ==, "1 0");
  g_assert_false (left);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = NULL;
  int status;

  if (argc == 2 && strcmp (argv[1], TAKE) == 0)
    return print_taken ();
  folder = g_dir_make_tmp ("lock-XXXXXX", NULL);
  g_setenv ("XDG_RUNTIME_DIR", folder, TRUE);
  seed_test_init (&argc, &argv);
  status = g_test_run ();
  g_rmdir (folder);
  return status;
}
