/* cuda:lens-blur in GEGL's graphs, on one device: its properties, what it makes of a picture, how
 * far that grows, and GEGL's own operation in its place.
 *
 * GLib's tests take every warning for a failure: none may come from the operation. */
#include "lens.h"
#include "memory.h"
#include "notices.h"
#include "reference.h"
#include "session.h"
#include "tested.h"

#include <gegl-plugin.h>
#include <math.h>

#define OPERATION "cuda:lens-blur"
#define WIDTH     67
#define HEIGHT    53

/* GEGL's names, in the order in which GIMP shows them; and GIMP 3's menu. */
TEST (test_names, "/lens/names")
{
  static const char *const names[] = { "radius",       "blades",  "rotation",    "roundness",
                                       "ring",         "squeeze", "highlights",  "threshold",
                                       "abyss-policy", "light",   "clip-extent", "device",
                                       "floats" };
  g_autofree GParamSpec **specs = NULL;
  guint n;

  specs = gegl_operation_list_properties (OPERATION, &n);
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpstr (specs[i]->name, ==, names[i]);
      g_assert_null (strpbrk (g_param_spec_get_nick (specs[i]), "_:"));
    }
  g_assert_cmpstr (gegl_operation_get_key (OPERATION, "title"), ==, "Lens Blur (CUDA)");
  g_assert_cmpstr (gegl_operation_get_key (OPERATION, "gimp:menu-path"), ==,
                   "<Image>/Filters/Blur");
  g_assert_cmpstr (gegl_operation_get_key (OPERATION, "gimp:menu-label"), ==,
                   "Lens Blur (_CUDA)...");
  g_assert_cmpstr (gegl_operation_get_key (OPERATION, "categories"), ==, "blur");
}

/* GIMP steps through the numbers, and shows what becomes of each. */
TEST (test_blades, "/lens/blades")
{
  static const int steps[][2] = { { 5, 5 }, { 3, 3 }, { 2, 0 }, { 1, 3 },
                                  { 0, 0 }, { 2, 3 }, { 1, 0 }, { 12, 12 } };
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = gegl_node_new_child (graph, "operation", OPERATION, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    notices_check_step (node, "blades", steps[i][0], steps[i][1]);
}

/* Pictures. */

static const LensParams shapes[] = {
  { .radius = 6.0, .blades = 6, .threshold = 0.8 },
  { .radius = 3.5, .ring = 0.75, .threshold = 0.8, .abyss = FX_ABYSS_NONE },
  { .radius = 8.0,
    .blades = 5,
    .rotation = 20.0,
    .roundness = 0.25,
    .threshold = 0.8,
    .abyss = FX_ABYSS_WHITE,
    .light = FX_LIGHT_PERCEPTUAL },
  { .radius = 9.0,
    .blades = 9,
    .squeeze = 0.5,
    .ring = -0.5,
    .threshold = 0.8,
    .abyss = FX_ABYSS_BLACK },
  { .radius = 5.0, .blades = 7, .highlights = 2.0, .threshold = 0.5 },
};

static const Babl *
get_babl (const FxFormat *format)
{
  static const char *const models[2][4] = { { "Y", "YA", "RGB", "RGBA" },
                                            { "Y'", "Y'A", "R'G'B'", "R'G'B'A" } };
  static const char *const samples[] = { "u8", "u16", "u32", "half", "float", "double" };
  g_autofree char *name = g_strconcat (models[format->gamma][format->channels - 1], " ",
                                       samples[format->sample], NULL);

  return babl_format (name);
}

/* Colours anywhere in the range, alpha never nearly nothing. */
static gpointer
make_samples (const FxFormat *format)
{
  gsize count = (gsize) WIDTH * HEIGHT * format->channels;
  gpointer samples = g_malloc (count * fx_sample_size (format->sample));

  for (gsize i = 0; i < count; i++)
    {
      const gboolean alpha = format->channels % 2 == 0 && (i + 1) % format->channels == 0;

      reference_encode (format->sample, g_test_rand_double_range (alpha ? 0.3 : 0.0, 1.0), samples,
                        i);
    }
  return samples;
}

/* The operation's order of the choices differs from the engine's. */
static int
get_abyss (const LensParams *params)
{
  static const int numbers[] = {
    [FX_ABYSS_CLAMP] = 1, [FX_ABYSS_NONE] = 0, [FX_ABYSS_BLACK] = 2, [FX_ABYSS_WHITE] = 3
  };

  return numbers[params->abyss];
}

static GeglNode *
add_node (GeglNode *graph, GeglBuffer *buffer, const LensParams *params)
{
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);
  GeglNode *node = gegl_node_new_child (graph, "operation", OPERATION, "radius", params->radius,
                                        "blades", params->blades, "rotation", params->rotation,
                                        "roundness", params->roundness, "ring", params->ring,
                                        "squeeze", params->squeeze, "highlights",
                                        params->highlights, "threshold", params->threshold,
                                        "abyss-policy", get_abyss (params), "light",
                                        (int) params->light, "device", (int) tested_device (),
                                        NULL);

  gegl_node_link (source, node);
  return node;
}

/* The engine's own result for the samples. */
static gpointer
run_engine (const FxFormat *format, const LensParams *params, gconstpointer samples)
{
  gpointer result = g_malloc (fx_format_size (format) * WIDTH * HEIGHT);
  const Memory memory = { samples, result, WIDTH, HEIGHT, *format };
  FxImage image = memory_get_image (&memory);
  g_autoptr (GError) error = NULL;
  g_autoptr (FxPlan) plan = lens_plan_new (params, format, &error);

  g_assert_no_error (error);
  fx_engine_run (tested_engine (), plan, tested_device (), &image, NULL, &error);
  g_assert_no_error (error);
  return result;
}

static void
check_picture (const FxFormat *format, const LensParams *params)
{
  const GeglRectangle extent = { -9, 4, WIDTH, HEIGHT };
  const Babl *babl = get_babl (format);
  const gsize size = fx_format_size (format) * WIDTH * HEIGHT;
  g_autofree gpointer samples = make_samples (format), got = g_malloc (size);
  g_autofree gpointer expected = run_engine (format, params, samples);
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&extent, babl);
  g_autoptr (GeglNode) graph = gegl_node_new ();

  g_test_message ("%s, radius %g", babl_get_name (babl), params->radius);
  gegl_buffer_set (buffer, &extent, 0, NULL, samples, GEGL_AUTO_ROWSTRIDE);
  gegl_node_blit (add_node (graph, buffer, params), 1.0, &extent, babl, got, GEGL_AUTO_ROWSTRIDE,
                  GEGL_BLIT_DEFAULT);
  g_assert_cmpmem (got, size, expected, size);
  g_assert_true (memcmp (got, samples, size) != 0);
}

TEST (test_formats, "/lens/formats")
{
  static const FxFormat formats[] = {
    { FX_SAMPLE_U8, 4, TRUE },   { FX_SAMPLE_U8, 1, TRUE },     { FX_SAMPLE_U16, 3, TRUE },
    { FX_SAMPLE_HALF, 4, TRUE }, { FX_SAMPLE_FLOAT, 3, FALSE }, { FX_SAMPLE_FLOAT, 4, FALSE },
  };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
      check_picture (&formats[f], &shapes[i]);
}

/* Without a limit to its extent, the result grows as far as the aperture reaches. */
TEST (test_growth, "/lens/growth")
{
  const GeglRectangle extent = { 3, 5, WIDTH, HEIGHT };
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&extent, babl_format ("RGBA float"));

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *node = add_node (graph, buffer, &shapes[i]);
      GeglRectangle box = gegl_node_get_bounding_box (node);
      int x, y;

      g_assert_true (gegl_rectangle_equal (&box, &extent));
      gegl_node_set (node, "clip-extent", FALSE, NULL);
      box = gegl_node_get_bounding_box (node);
      lens_params_get_growth (&shapes[i], &x, &y);
      g_assert_cmpint (x, >, 0);
      g_assert_true (
        gegl_rectangle_equal (&box, GEGL_RECTANGLE (3 - x, 5 - y, WIDTH + 2 * x, HEIGHT + 2 * y)));
    }
}

/* Its edge is soft, whatever the abyss: half of a disc in the middle of an edge lies beyond. */
TEST (test_soft, "/lens/growth/soft")
{
  static const float grey[] = { 0.5f, 0.5f, 0.5f };
  g_autoptr (GeglBuffer)
    buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), babl_format ("RGB float"));

  gegl_buffer_set_color_from_pixel (buffer, NULL, grey, babl_format ("RGB float"));
  for (int abyss = 0; abyss < 4; abyss++)
    {
      const LensParams params = { .radius = 6.0, .abyss = (FxAbyss) abyss };
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *node = add_node (graph, buffer, &params);
      float edge[2][4];

      gegl_node_set (node, "clip-extent", FALSE, NULL);
      gegl_node_blit (node, 1.0, GEGL_RECTANGLE (-1, HEIGHT / 2, 2, 1), babl_format ("RGBA float"),
                      edge, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
      g_assert_cmpfloat_with_epsilon (edge[0][3] + edge[1][3], 1.0, 1e-4);
      for (int c = 0; c < 3; c++)
        g_assert_cmpfloat_with_epsilon (edge[0][c], 0.5, 1e-4);
    }
}
