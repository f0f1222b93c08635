/* Runs a fuzz target over a corpus: replay FILE. Each line is an input: its name, or - if the
 * fuzzer found it, and its bytes in base64. */
#include "fuzz.h"

#include <stdio.h>

static void
replay (const char *name, const char *base64)
{
  g_autofree guint8 *exact = NULL; /* a sanitizer notices reads beyond it */
  g_autofree guint8 *bytes = NULL;
  gsize length = 0;

  bytes = *base64 ? g_base64_decode (base64, &length) : NULL;
  printf ("# %s %s\n", name, base64);
  fflush (stdout);
  exact = length > 0 ? g_memdup2 (bytes, length) : g_malloc0 (1);
  LLVMFuzzerTestOneInput (exact, length);
}

int
main (int argc, char **argv)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  int n = 0;

  if (argc != 2 || ! g_file_get_contents (argv[1], &text, NULL, NULL))
    return 2;
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  for (; lines[n]; n++)
    {
      g_auto (GStrv) words = g_strsplit (lines[n], " ", 2);

      replay (words[0], words[1] ? words[1] : "");
    }
  printf ("ok 1 - %d inputs\n1..1\n", n);
  return n == 0;
}
