/* The configuration from the environment, which a privileged process reads only in part. */
#include "rerun.h"
#include "config.h"
#include "test.h"

#define PRINT  "--print"
#define FOLDER "/tmp/cuda-blur-of-others"

/* Prints whether this process is privileged, and the folder of its cache. */
static int
print_config (void)
{
  g_auto (FxConfig) config = { 0 };

  if (! fx_config_init (&config, FX_DEVICE_AUTO, NULL))
    return 1;
  g_print ("%d %s", rerun_is_privileged (), config.cache_dir);
  return 0;
}

TEST (test_plain, "/config/plain")
{
  g_autofree char *said = rerun_self (FALSE, PRINT, "CUDA_BLUR_CACHE_DIR=" FOLDER);

  g_assert_cmpstr (said, ==, "0 " FOLDER);
}

TEST (test_privileged, "/config/privileged")
{
  g_autofree char *said = rerun_self (TRUE, PRINT, "CUDA_BLUR_CACHE_DIR=" FOLDER);

  if (! said || *said == '0')
    g_test_skip ("no program can be made privileged here");
  else
    g_assert_cmpstr (said, ==, "1 /dev/null");
}

int
main (int argc, char **argv)
{
  if (argc == 2 && strcmp (argv[1], PRINT) == 0)
    return print_config ();
  seed_test_init (&argc, &argv);
  return g_test_run ();
}
