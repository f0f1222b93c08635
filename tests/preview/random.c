/* Views at random: -m slow searches longer. */
#include "check.h"
#include "tested.h"

TEST (test_random, "/preview/random")
{
  const int n = (tested_device () == FX_DEVICE_GPU ? 50 : 3000) * (g_test_slow () ? 20 : 1);

  for (int i = 0; i < n; i++)
    {
      const FxFormat format = { g_test_rand_int_range (0, 6), g_test_rand_int_range (1, 5),
                                g_test_rand_int_range (0, 2) };
      const double sigma = exp (g_test_rand_double_range (-1.0, 6.0));
      BlurParams p = { .sigma_x = sigma,
                       .sigma_y = g_test_rand_int_range (0, 3) ? sigma : 3.0,
                       .kernel_size = g_test_rand_int_range (0, 4) ? 0 : 31,
                       .abyss = g_test_rand_int_range (0, 4),
                       .light = g_test_rand_int_range (0, 2) };
      g_auto (Subject) s = { 0 };
      FxView v = { .scale = exp (g_test_rand_double_range (-4.0, 3.0)) };

      subject_init (&s, tested_engine (), format,
                    format.channels == 1 && g_test_rand_int_range (0, 2),
                    g_test_rand_int_range (1, 200), g_test_rand_int_range (1, 150));
      if (g_test_rand_int_range (0, 2))
        subject_mask (&s, g_test_rand_double_range (0.0, 100.0));
      if (g_test_rand_int_range (0, 2))
        {
          v.grow_x = g_test_rand_int_range (0, 40);
          v.grow_y = g_test_rand_int_range (0, 40);
          p.abyss = FX_ABYSS_NONE;
        }
      v.rect = subject_get_rect (&s, v.scale);
      check_view (&s, &p, &v);
    }
}
