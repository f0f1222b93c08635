/* The configuration from the environment, which a privileged process reads only in part. */
#include "rerun.h"
#include "config.h"
#include "test.h"
#if HAVE_CUDA
#include "nvrtc-folders.h"
#endif

#define PRINT  "--print"
#define FOLDER "/tmp/cuda-blur-of-others"

/* Returns from how many folders of the user's data NVRTC would be loaded. */
static guint
count_users (void)
{
  guint n = 0;

#if HAVE_CUDA
  g_auto (GStrv) folders = fx_nvrtc_folders (FX_HOST);

  for (gsize i = 0; folders[i]; i++)
    n += g_str_has_prefix (folders[i], g_get_user_data_dir ());
#endif
  return n;
}

/* Prints whether this process is privileged, whether it loads code from its user's folders, and the
 * folder of its cache. */
static int
print_config (void)
{
  g_auto (FxConfig) config = { 0 };

  if (! fx_config_init (&config, FX_DEVICE_AUTO, NULL))
    return 1;
  g_print ("%d %d %s", rerun_is_privileged (), count_users () > 0, config.cache_dir);
  return 0;
}

TEST (test_plain, "/config/plain")
{
  g_autofree char *said = rerun_self (FALSE, PRINT, "CUDA_BLUR_CACHE_DIR=" FOLDER);

  g_assert_cmpstr (said, ==, HAVE_CUDA ? "0 1 " FOLDER : "0 0 " FOLDER);
}

TEST (test_privileged, "/config/privileged")
{
  g_autofree char *said = rerun_self (TRUE, PRINT, "CUDA_BLUR_CACHE_DIR=" FOLDER);

  if (! said || *said == '0')
    g_test_skip ("no program can be made privileged here");
  else
    g_assert_cmpstr (said, ==, "1 0 /dev/null");
}

int
main (int argc, char **argv)
{
  if (argc == 2 && strcmp (argv[1], PRINT) == 0)
    return print_config ();
  seed_test_init (&argc, &argv);
  return g_test_run ();
}
