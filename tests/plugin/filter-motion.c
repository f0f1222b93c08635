/* The motion blur's description. */
#include "filter-checks.h"

enum { KIND, LENGTH, DIRECTION, ANGLE, FACTOR, CENTER_X, CENTER_Y, FADE, ABYSS, LIGHT, GROW };

TEST (test_motion_defaults, "/filter/motion/defaults")
{
  static const double expected[] = { 0, 10, 0, 5, 0.1, 0.5, 0.5, 0, 0, 0, 0, 0 };
  g_autoptr (FilterSettings) settings = filter_settings_new (&motion_blur);

  g_assert_true (filter_settings_check (settings, NULL));
  g_assert_cmpuint (motion_blur.n_properties, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < motion_blur.n_properties; i++)
    g_assert_cmpfloat (filter_settings_get (settings, i), ==, expected[i]);
}

TEST (test_motion_ranges, "/filter/motion/ranges")
{
  for (guint i = LENGTH; i <= FADE; i++)
    {
      const FilterProperty *property = &motion_blur.properties[i];

      g_assert_true (filter_passes (&motion_blur, i, property->minimum));
      g_assert_true (filter_passes (&motion_blur, i, property->maximum));
      g_assert_false (filter_passes (&motion_blur, i, property->minimum - 0.01));
      g_assert_false (filter_passes (&motion_blur, i, property->maximum + 0.01));
    }
}

/* The centre can be dragged where it has an effect. */
TEST (test_motion_point, "/filter/motion/point")
{
  g_autoptr (FilterSettings) settings = filter_settings_new (&motion_blur);

  g_assert_cmpuint (motion_blur.point, ==, CENTER_X);
  for (int kind = 0; kind < 3; kind++)
    {
      filter_settings_set (settings, KIND, kind);
      g_assert_cmpint (filter_settings_use (settings, CENTER_X), ==, kind != 0);
      g_assert_cmpint (filter_settings_use (settings, LENGTH), ==, kind == 0);
      g_assert_true (filter_settings_use (settings, ABYSS));
    }
}

/* A layer grows by as much as its size asks for, if it is to. */
TEST (test_motion_growth, "/filter/motion/growth")
{
  const FxGeometry geometry = { .width = 200.0, .height = 100.0 };
  g_autoptr (FilterSettings) settings = filter_settings_new (&motion_blur);
  int x, y;

  filter_settings_set (settings, KIND, 2);
  motion_blur.get_growth (settings, &geometry, &x, &y);
  g_assert_cmpint (x, ==, 0);
  g_assert_cmpint (y, ==, 0);
  filter_settings_set (settings, GROW, TRUE);
  motion_blur.get_growth (settings, &geometry, &x, &y);
  g_assert_cmpint (x, ==, 11);
  g_assert_cmpint (y, ==, 6);
}

/* Light does not apply to a mask. */
TEST (test_motion_mask, "/filter/motion/mask")
{
  const FxFormat format = { FX_SAMPLE_U8, 1, FALSE };
  const FxGeometry geometry = { .width = 200.0, .height = 100.0 };
  g_autoptr (FilterSettings) settings = filter_settings_new (&motion_blur);

  filter_settings_set (settings, LIGHT, FX_LIGHT_PERCEPTUAL);
  for (int kind = 0; kind < 3; kind++)
    {
      g_autoptr (FxPlan) mask = NULL, layer = NULL;

      filter_settings_set (settings, KIND, kind);
      mask = motion_blur.make_plan (settings, &format, &geometry, TRUE);
      layer = motion_blur.make_plan (settings, &format, &geometry, FALSE);
      g_assert_cmpint (mask->codec.curve, ==, FX_CURVE_NONE);
      g_assert_cmpint (layer->codec.curve, ==, FX_CURVE_TO_PERCEPTUAL);
    }
}
