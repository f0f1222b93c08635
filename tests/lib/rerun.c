#include "rerun.h"

#include <glib/gstdio.h>
#include <sys/auxv.h>
#include <unistd.h>

#define ITSELF "/proc/self/exe"
#define OTHER  65534 /* a user ID */

gboolean
rerun_is_privileged (void)
{
  return getauxval (AT_SECURE) != 0;
}

static char *
ask (const char *program, const char *argument, const char *variable)
{
  char *argv[] = { (char *) program, (char *) argument, NULL };
  char *envp[] = { (char *) variable, NULL };
  g_autoptr (GError) error = NULL;
  char *said = NULL;
  int status;

  g_spawn_sync (NULL, argv, envp, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &said, NULL, &status,
                &error);
  g_assert_no_error (error);
  if (status != 0)
    g_clear_pointer (&said, g_free);
  return said;
}

/* Copies this program to folder as a set-user-ID program of another user. Returns its path; free it
 * with g_free. Returns NULL if that is not permitted. */
static char *
make_privileged (const char *folder)
{
  g_autofree char *contents = NULL;
  char *program = g_build_filename (folder, "privileged", NULL);
  gsize size;

  g_assert_true (g_file_get_contents (ITSELF, &contents, &size, NULL));
  g_assert_true (g_file_set_contents (program, contents, (gssize) size, NULL));
  g_assert_cmpint (g_chmod (folder, 0755), ==, 0);
  if (chown (program, OTHER, OTHER) == 0 && g_chmod (program, 04755) == 0)
    return program;
  g_unlink (program);
  g_free (program);
  return NULL;
}

char *
rerun_self (gboolean privileged, const char *argument, const char *variable)
{
  g_autofree char *folder = g_dir_make_tmp ("cuda-blur-rerun-XXXXXX", NULL);
  g_autofree char *program = privileged ? make_privileged (folder)
                                        : g_file_read_link (ITSELF, NULL);
  char *said = program ? ask (program, argument, variable) : NULL;

  if (program && privileged)
    g_unlink (program);
  g_rmdir (folder);
  return said;
}
