/* Spaces with other primaries, which make no difference, and other curves, which do: linear light
 * is the space's own. */
#include "icc.h"
#include "scene.h"
#include "tested.h"

/* Curves; babl continues them in a straight line somewhere below 0.02. */

static double
power_2_2 (double value)
{
  return pow (value, 2.2);
}
static double
root_2_2 (double light)
{
  return pow (light, 1.0 / 2.2);
}
static double
power_1_8 (double value)
{
  return pow (value, 1.8);
}
static double
root_1_8 (double light)
{
  return pow (light, 1.0 / 1.8);
}
static double
same (double value)
{
  return value;
}

static const SceneCurve gamma_2_2 = { power_2_2, root_2_2 };
static const SceneCurve gamma_1_8 = { power_1_8, root_1_8 };
static const SceneCurve linear = { same, same };

/* A press's, roughly: straight between the samples of a profile's table, which no formula is. babl
 * takes all tables in a process for the same one, so there is only this. */

#define SAMPLES 1024

static guint16 table[SAMPLES];

static double
gain (double value)
{
  return value * (0.3 + value * (0.2 + value * value * 0.5));
}

static void
fill_table (void)
{
  for (int i = 0; i < SAMPLES; i++)
    table[i] = (guint16) (gain (i / (SAMPLES - 1.0)) * 65535.0 + 0.5);
}

static double
look_up (double value)
{
  const double place = CLAMP (value, 0.0, 1.0) * (SAMPLES - 1);
  const int i = MIN ((int) place, SAMPLES - 2);

  return (table[i] + (place - i) * (table[i + 1] - table[i])) / 65535.0;
}

static double
look_back (double light)
{
  int i = 0;

  while (i < SAMPLES - 2 && table[i + 1] < light * 65535.0)
    i++;
  return (i + (light * 65535.0 - table[i]) / (table[i + 1] - table[i])) / (SAMPLES - 1);
}

static const SceneCurve samples = { look_up, look_back };

/* Whether babl's curve is the test's, so that a failure is the operation's. */
static void
check_curve (const Babl *space, const SceneCurve *curve)
{
  const Babl *fish = babl_fish (babl_format_with_space ("Y' double", space),
                                babl_format_with_space ("Y double", space));

  for (double value = 0.1; value <= 1.0; value += 0.1)
    {
      double light;

      babl_process (fish, &value, &light, 1);
      g_assert_cmpfloat_with_epsilon (light, curve->to_linear (value), 1e-4);
    }
}

static void
check_format (guint n, const Babl *space, const SceneCurve *curve, FxFormat format, char gamma)
{
  const FxLight light = n % 2 ? FX_LIGHT_PERCEPTUAL : FX_LIGHT_LINEAR;
  Scene scene = scene_make (n, format, light, 61, 43, 2.0, 8.0);

  scene.c.kind = IMAGE_RANDOM;
  scene.c.params.abyss = FX_ABYSS_CLAMP;
  scene.least = 0.1; /* above babl's straight part, which is steep */
  scene.babl = scene_get_babl (&format, gamma, space);
  if (curve == &linear && gamma == '\'')
    scene.c.format.gamma = FALSE;
  if (curve != &linear && gamma != '~')
    scene.curve = curve;
  scene_check (&scene);
}

static void
check_space (const Babl *space, const SceneCurve *curve)
{
  static const struct {
    FxFormat format;
    char gamma;
  } formats[] = {
    { { FX_SAMPLE_U8, 4, TRUE }, '\'' },    { { FX_SAMPLE_U16, 3, TRUE }, '\'' },
    { { FX_SAMPLE_FLOAT, 4, TRUE }, '\'' }, { { FX_SAMPLE_HALF, 2, TRUE }, '\'' },
    { { FX_SAMPLE_U8, 1, TRUE }, '\'' },    { { FX_SAMPLE_U8, 4, FALSE }, 0 },
    { { FX_SAMPLE_FLOAT, 3, FALSE }, 0 },   { { FX_SAMPLE_U8, 4, TRUE }, '~' },
    { { FX_SAMPLE_U16, 2, TRUE }, '~' },
  };

  if (curve)
    check_curve (space, curve);
  for (guint i = 0; i < G_N_ELEMENTS (formats) * 2; i++)
    check_format (i, space, curve, formats[i / 2].format, formats[i / 2].gamma);
}

static const struct {
  const char *path, *babl;
  const SceneCurve *curve;
} spaces[] = {
  { "/operation/spaces/primaries", "Rec2020", NULL },
  { "/operation/spaces/linear", "scRGB", &linear },
  { "/operation/spaces/adobe", "Adobish", &gamma_2_2 },
  { "/operation/spaces/apple", "Apple", &gamma_1_8 },
  { "/operation/spaces/prophoto", "ProPhoto", &gamma_1_8 },
};

static void
test_space (gconstpointer i)
{
  check_space (babl_space (spaces[GPOINTER_TO_INT (i)].babl), spaces[GPOINTER_TO_INT (i)].curve);
}

TESTS (add_spaces)
{
  for (guint i = 0; i < G_N_ELEMENTS (spaces); i++)
    g_test_add_data_func (spaces[i].path, GUINT_TO_POINTER (i), test_space);
}

TEST (test_chromaticities, "/operation/spaces/chromaticities")
{
  const Babl *trc = babl_trc_gamma (2.2);

  check_space (babl_space_from_chromaticities ("cuda-blur-test", 0.3127, 0.3290, 0.64, 0.33, 0.21,
                                               0.71, 0.15, 0.06, trc, trc, trc, 0),
               &gamma_2_2);
}

TEST (test_table, "/operation/spaces/table")
{
  fill_table ();
  check_space (icc_make_space (table, SAMPLES), &samples);
}

/* In a space whose channels have unlike curves, only perceptual light takes pixels as they are
 * stored, also if it is chosen later. */
TEST (test_unlike, "/operation/spaces/unlike")
{
  const Babl *trc = babl_trc_gamma (2.2);
  const Babl *space = babl_space_from_chromaticities ("cuda-blur-unlike", 0.3127, 0.3290, 0.64,
                                                      0.33, 0.21, 0.71, 0.15, 0.06, trc, trc,
                                                      babl_trc_gamma (1.8), 0);
  const Babl *floats = babl_format_with_space ("RGBA float", space);
  Scene scene = scene_make (0, (FxFormat) { FX_SAMPLE_U8, 4, TRUE }, FX_LIGHT_LINEAR, 9, 7, 2.0,
                            2.0);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = NULL;
  GeglNode *blur;

  scene.babl = scene_get_babl (&scene.c.format, '\'', space);
  buffer = scene_make_buffer (&scene);
  blur = scene_add (&scene, graph, buffer);
  for (int i = 0; i < 2; i++)
    {
      gegl_node_set (blur, "light", (int) FX_LIGHT_LINEAR, NULL);
      g_assert_true (scene_get_output (blur) == floats);
      gegl_node_set (blur, "light", (int) FX_LIGHT_PERCEPTUAL, NULL);
      g_assert_true (scene_get_output (blur) == scene.babl);
    }
}
