#include "test.h"

#include "judge.h"

static SeedTest *first, **last = &first;

void
seed_register (SeedTest *test)
{
  *last = test;
  last = &test->next;
}

static guint32
seed_get (void)
{
  const char *value = g_getenv ("CUDA_BLUR_TEST_SEED");
  guint64 seed = 1;

  if (value && ! g_ascii_string_to_unsigned (value, 10, 0, G_MAXUINT32, &seed, NULL))
    g_error ("CUDA_BLUR_TEST_SEED is \"%s\", no number from 0 to %u", value, G_MAXUINT32);
  return (guint32) seed;
}

/* The option and the arguments are static because GLib keeps pointers to them. */
void
seed_test_init (int *argc, char ***argv)
{
  static char option[64];
  static char **arguments;
  const guint32 seed = seed_get ();

  g_snprintf (option, sizeof option, "--seed=R02S%08x%08x%08x%08x", seed, 0u, 0u, 0u);
  g_assert (! arguments);
  arguments = g_new0 (char *, *argc + 2);
  arguments[0] = (*argv)[0];
  arguments[1] = option; /* a later option overrides it */
  memcpy (arguments + 2, *argv + 1, (*argc - 1) * sizeof *arguments);
  *argv = arguments;
  ++*argc;
  g_test_init (argc, argv, NULL);
  judge_start ();
  for (const SeedTest *test = first; test; test = test->next)
    g_test_add_func (test->path, test->func);
  g_test_message ("seed %u: CUDA_BLUR_TEST_SEED=%u repeats it", seed, seed);
}
