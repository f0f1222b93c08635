/* The selective blur's description. */
#include "filter-checks.h"

enum { SIGMA, DELTA, EDGES, ABYSS, LIGHT };

TEST (test_selective_defaults, "/filter/selective/defaults")
{
  static const double expected[] = { 3, 0.1, 0, 0, FX_LIGHT_PERCEPTUAL, 0 };
  g_autoptr (FilterSettings) settings = filter_settings_new (&selective_blur);

  g_assert_true (filter_settings_check (settings, NULL));
  g_assert_cmpuint (selective_blur.n_properties, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < selective_blur.n_properties; i++)
    g_assert_cmpfloat (filter_settings_get (settings, i), ==, expected[i]);
}

TEST (test_selective_ranges, "/filter/selective/ranges")
{
  for (guint i = SIGMA; i <= DELTA; i++)
    {
      const FilterProperty *property = &selective_blur.properties[i];

      g_assert_true (filter_passes (&selective_blur, i, property->minimum));
      g_assert_true (filter_passes (&selective_blur, i, property->maximum));
      g_assert_false (filter_passes (&selective_blur, i, property->minimum - 0.01));
      g_assert_false (filter_passes (&selective_blur, i, property->maximum + 0.01));
    }
  g_assert_true (filter_passes (&selective_blur, ABYSS, FX_ABYSS_NONE));
  g_assert_false (filter_passes (&selective_blur, ABYSS, FX_ABYSS_BLACK));
}

/* The window reaches three times as far as sigma, in every format. */
TEST (test_selective_window, "/filter/selective/window")
{
  static const FxFormat formats[] = { { FX_SAMPLE_U8, 4, TRUE }, { FX_SAMPLE_FLOAT, 1, FALSE } };
  const FxGeometry geometry = { .width = 200.0, .height = 100.0 };
  g_autoptr (FilterSettings) settings = filter_settings_new (&selective_blur);

  filter_settings_set (settings, SIGMA, 2.1);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    for (int edges = 0; edges < 2; edges++)
      {
        g_autoptr (FxPlan) plan = NULL;

        filter_settings_set (settings, EDGES, edges);
        plan = selective_blur.make_plan (settings, &formats[i], &geometry, FALSE);
        g_assert_cmpint (plan->reach.left, ==, 7);
        g_assert_cmpint (plan->reach.below, ==, 7);
      }
}

/* Light does not apply to a mask. */
TEST (test_selective_mask, "/filter/selective/mask")
{
  const FxFormat format = { FX_SAMPLE_U8, 1, FALSE };
  const FxGeometry geometry = { .width = 200.0, .height = 100.0 };
  g_autoptr (FilterSettings) settings = filter_settings_new (&selective_blur);
  g_autoptr (FxPlan) mask = selective_blur.make_plan (settings, &format, &geometry, TRUE);
  g_autoptr (FxPlan) layer = selective_blur.make_plan (settings, &format, &geometry, FALSE);

  g_assert_cmpint (mask->codec.curve, ==, FX_CURVE_NONE);
  g_assert_cmpint (layer->codec.curve, ==, FX_CURVE_TO_PERCEPTUAL);
}
