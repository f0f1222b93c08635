/* Runs a fuzz target over the files of a folder: replay FOLDER. */
#include "fuzz.h"

#include <stdio.h>

static void
replay (const char *path)
{
  g_autofree char *text = NULL;
  g_autofree guint8 *exact = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  printf ("# %s\n", path);
  fflush (stdout);
  exact = g_memdup2 (text, MAX (length, 1)); /* a sanitizer sees what is read beyond it */
  LLVMFuzzerTestOneInput (exact, length);
}

int
main (int argc, char **argv)
{
  g_autoptr (GDir) folder = argc == 2 ? g_dir_open (argv[1], 0, NULL) : NULL;
  const char *name;
  int n = 0;

  if (! folder)
    return 2;
  for (; (name = g_dir_read_name (folder)); n++)
    {
      g_autofree char *path = g_build_filename (argv[1], name, NULL);

      replay (path);
    }
  printf ("ok 1 - %d files\n1..1\n", n);
  return n == 0;
}
