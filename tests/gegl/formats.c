/* Every format that GIMP passes to an operation. */
#include "scene.h"
#include "tested.h"

/* How colours are stored: linear, through the space's curve, through sRGB's. */
static const char *const encodings[] = { "", "'", "~" };

static void
check_format (guint n, FxFormat format, char gamma)
{
  static const double sigmas[][2] = { { 1.3, 2.1 }, { 13.0, 7.0 } };

  for (guint i = 0; i < G_N_ELEMENTS (sigmas) * 2; i++)
    {
      Scene scene = scene_make (n + i, format, i / 2 ? FX_LIGHT_PERCEPTUAL : FX_LIGHT_LINEAR, 83,
                                61, sigmas[i % 2][0], sigmas[i % 2][1]);

      scene.babl = scene_get_babl (&format, gamma, NULL);
      scene_check (&scene);
    }
}

static void
test_sample (gconstpointer data)
{
  const FxSample sample = (FxSample) GPOINTER_TO_INT (data);
  guint n = 0;

  for (guint e = 0; e < G_N_ELEMENTS (encodings); e++)
    for (int channels = 1; channels <= 4; channels++, n++)
      check_format (n, (FxFormat) { sample, channels, e > 0 }, *encodings[e]);
}

/* Those that the engine does not know become linear floats. */

/* Copies the scene's picture into a buffer of another format, and back into the scene's source. */
static void
check_converted (const Scene *scene, const Babl *other)
{
  const GeglRectangle extent = { scene->x, scene->y, scene->c.width, scene->c.height };
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) plain = scene_make_buffer (scene);
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&extent, other);
  g_autofree double *source = NULL;
  GeglNode *blur;

  gegl_buffer_copy (plain, NULL, GEGL_ABYSS_NONE, buffer, NULL);
  source = scene_read_values (scene, buffer);
  blur = scene_add (scene, graph, buffer);
  if (scene_get_output (blur) != scene->babl)
    case_fail (&scene->c, "%s became %s, not %s", babl_get_name (other),
               babl_get_name (scene_get_output (blur)), babl_get_name (scene->babl));
  scene_check_node (scene, source, blur);
}

TEST (test_others, "/operation/formats/others")
{
  static const struct {
    const char *name;
    int channels; /* of the linear floats */
  } others[] = {
    { "RaGaBaA float", 4 },       { "RaGaBaA half", 4 },     { "RaGaBaA u16", 4 },
    { "R'aG'aB'aA u8", 4 },       { "R'aG'aB'aA float", 4 }, { "R~aG~aB~aA float", 4 },
    { "YaA float", 2 },           { "Y'aA u8", 2 },          { "cairo-ARGB32", 4 },
    { "cairo-RGB24", 3 },         { "R'G'B'A u15", 4 },      { "CIE Lab float", 3 },
    { "CIE Lab alpha float", 4 }, { "Y'CbCr u8", 3 },        { "cmyk float", 3 },
    { "CMYKA float", 4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      const FxFormat format = { FX_SAMPLE_FLOAT, others[i].channels, FALSE };
      Scene scene = scene_make (i, format, i % 2 ? FX_LIGHT_PERCEPTUAL : FX_LIGHT_LINEAR, 57, 45,
                                2.0, 9.0);

      scene.c.kind = IMAGE_RANDOM;
      check_converted (&scene, babl_format (others[i].name));
    }
}

TEST (test_palette, "/operation/formats/palette")
{
  static guint8 colors[] = { 255, 0, 0, 0, 255, 0, 10, 20, 200, 255, 255, 255 };

  for (int alpha = 0; alpha < 2; alpha++)
    {
      const FxFormat format = { FX_SAMPLE_FLOAT, alpha ? 4 : 3, FALSE };
      Scene scene = scene_make (0, format, FX_LIGHT_LINEAR, 57, 45, 4.0, 2.0);
      const Babl *plain, *transparent;

      babl_new_palette (alpha ? "test-alpha" : "test", &plain, &transparent);
      babl_palette_set_palette (plain, babl_format ("R'G'B' u8"), colors, sizeof colors / 3);
      check_converted (&scene, alpha ? transparent : plain);
    }
}

TESTS (add_formats)
{
  for (int i = FX_SAMPLE_U8; i <= FX_SAMPLE_DOUBLE; i++)
    {
      g_autofree char *path = g_strconcat ("/operation/formats/", case_sample_names[i], NULL);

      g_test_add_data_func (path, GINT_TO_POINTER (i), test_sample);
    }
}
