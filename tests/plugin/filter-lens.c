/* The lens blur's description. */
#include "filter-checks.h"

enum { RADIUS, BLADES, ROTATION, ROUNDNESS, RING, SQUEEZE, HIGHLIGHTS, THRESHOLD };

TEST (test_lens_defaults, "/filter/lens/defaults")
{
  static const double expected[] = { 10, 6, 0, 0, 0, 0, 0, 0.8, 0, 0, 0, 0 };
  g_autoptr (FilterSettings) settings = filter_settings_new (&lens_blur);
  g_autofree char *trace = filter_settings_trace (settings);

  g_assert_true (filter_settings_check (settings, NULL));
  g_assert_cmpuint (lens_blur.n_properties, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < lens_blur.n_properties; i++)
    g_assert_cmpfloat (filter_settings_get (settings, i), ==, expected[i]);
  g_assert_cmpstr (trace, ==, "radius 10.00");
}

/* An aperture has no blade, or as many as the description and the engine agree on. */
TEST (test_lens_blades, "/filter/lens/blades")
{
  const FilterProperty *property = &lens_blur.properties[BLADES];

  for (int blades = -1; blades <= 13; blades++)
    g_assert_true (filter_passes (&lens_blur, BLADES, blades) ==
                   (blades == 0 || (blades >= property->least && blades <= 12)));
}

/* A layer grows if it is to, by less where the aperture is squeezed. */
TEST (test_lens_growth, "/filter/lens/growth")
{
  g_autoptr (FilterSettings) settings = filter_settings_new (&lens_blur);
  int x, y;

  filter_settings_set (settings, RADIUS, 20);
  filter_settings_set (settings, BLADES, 0);
  lens_blur.get_growth (settings, &(FxGeometry) { 0 }, &x, &y);
  g_assert_cmpint (x, ==, 0);
  g_assert_cmpint (y, ==, 0);
  filter_settings_set (settings, filter_find_property (&lens_blur, "grow"), TRUE);
  lens_blur.get_growth (settings, &(FxGeometry) { 0 }, &x, &y);
  g_assert_cmpint (x, ==, 20);
  g_assert_cmpint (y, ==, 20);
  filter_settings_set (settings, SQUEEZE, 1);
  lens_blur.get_growth (settings, &(FxGeometry) { 0 }, &x, &y);
  g_assert_cmpint (x, ==, 10);
  g_assert_cmpint (y, ==, 20);
}

/* The picture of the aperture does not depend on the radius: it has a bright middle and dark
 * corners, but with a ring the middle is darker than the rim. */
TEST (test_lens_picture, "/filter/lens/picture")
{
  enum { SIZE = 41, MIDDLE = SIZE / 2 * SIZE + SIZE / 2 };
  g_autoptr (FilterSettings) settings = filter_settings_new (&lens_blur);
  float disc[SIZE * SIZE], other[SIZE * SIZE];

  filter_settings_set (settings, BLADES, 0);
  lens_blur.draw_picture (settings, SIZE, disc);
  g_assert_cmpfloat (disc[0], ==, 0);
  g_assert_cmpfloat (disc[MIDDLE], ==, 1);
  filter_settings_set (settings, RADIUS, 333);
  lens_blur.draw_picture (settings, SIZE, other);
  g_assert_cmpmem (disc, sizeof disc, other, sizeof other);
  filter_settings_set (settings, RING, 1);
  lens_blur.draw_picture (settings, SIZE, other);
  g_assert_cmpfloat (other[MIDDLE], <, other[MIDDLE + SIZE / 2 - 4]);
}

/* A mask's values are no light, so they have no highlights. */
TEST (test_lens_coverage, "/filter/lens/coverage")
{
  const FxFormat format = { FX_SAMPLE_U8, 1, TRUE };
  g_autoptr (FilterSettings) settings = filter_settings_new (&lens_blur);
  g_autoptr (FxPlan) mask = NULL, layer = NULL;

  filter_settings_set (settings, HIGHLIGHTS, 4);
  filter_settings_set (settings, THRESHOLD, 0.5);
  mask = lens_blur.make_plan (settings, &format, &(FxGeometry) { 0 }, TRUE);
  layer = lens_blur.make_plan (settings, &format, &(FxGeometry) { 0 }, FALSE);
  g_assert_false (fx_codec_has_highlights (&mask->codec));
  g_assert_true (fx_codec_has_highlights (&layer->codec));
}
