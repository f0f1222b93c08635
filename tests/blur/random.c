/* Cases at random: -m slow searches longer. */
#include "check.h"
#include "tested.h"
#include "trcs.h"

static double
random_sigma (void)
{
  const double u = g_test_rand_double ();

  if (u < 0.1)
    return 0.0;
  return 0.2 * pow (u > 0.9 ? 5000.0 : 60.0, g_test_rand_double ()); /* to 1000, or to 12 */
}

static Case
random_case (void)
{
  Case c = { .seed = g_test_rand_int () };
  const int side = g_test_rand_int_range (0, 4) ? 70 : 150;

  c.format = (FxFormat) { g_test_rand_int_range (0, 6), g_test_rand_int_range (1, 5),
                          g_test_rand_int_range (0, 2) };
  c.kind = g_test_rand_int_range (0, case_is_integer (c.format.sample) ? IMAGE_HDR : IMAGE_KINDS);
  c.width = g_test_rand_int_range (1, side);
  c.height = g_test_rand_int_range (1, side);
  if (g_test_rand_int_range (0, 3) == 0)
    {
      c.region.x = g_test_rand_int_range (0, c.width);
      c.region.y = g_test_rand_int_range (0, c.height);
      c.region.width = g_test_rand_int_range (1, c.width - c.region.x + 1);
      c.region.height = g_test_rand_int_range (1, c.height - c.region.y + 1);
    }
  c.params = (BlurParams) { .sigma_x = random_sigma (),
                            .sigma_y = random_sigma (),
                            .abyss = g_test_rand_int_range (0, 4),
                            .light = g_test_rand_int_range (0, 2) };
  c.device = tested_device ();
  if (g_test_rand_int_range (0, 4) == 0)
    c.params.sigma_y = c.params.sigma_x;
  if (g_test_rand_int_range (0, 5) == 0)
    c.params.kernel_size = 1 + 2 * g_test_rand_int_range (0, 40);
  return c;
}

/* Fewer on the GPU, because most cases need programs that must first be compiled. */
TEST (test_random_curves, "/blur/curves/random")
{
  const int n = (tested_device () == FX_DEVICE_GPU ? 20 : 2000) * (g_test_slow () ? 20 : 1);

  for (int i = 0; i < n; i++)
    {
      Case c = random_case ();

      c.format.trc = trcs[1 + i % (TRCS - 1)];
      check_case (&c);
    }
}
