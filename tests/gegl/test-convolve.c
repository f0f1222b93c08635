/* cuda:convolve in GEGL's graphs, by the contract of convolve.h, on one device.
 *
 * GLib's tests take every warning for a failure: none may come from the operation. */
#include "matrix-scene.h"
#include "notices.h"
#include "session.h"
#include "tested.h"

#include <gegl-plugin.h>

static const FxFormat rgba = { FX_SAMPLE_U8, 4, TRUE };

static MatrixScene
make (guint n, FxFormat format)
{
  MatrixScene scene = matrix_scene_make (n, format);

  scene.device = tested_device ();
  return scene;
}

/* GEGL's names, in the order in which GIMP shows them; and GIMP 3's menu. */
TEST (test_names, "/convolve/names")
{
  static const char *const names[] = { "values", "problem",  "invalid",         "divisor",
                                       "offset", "red",      "green",           "blue",
                                       "alpha",  "channels", "alpha-weighting", "abyss",
                                       "light",  "device",   "floats" };
  g_autofree GParamSpec **specs = NULL;
  guint n;

  specs = gegl_operation_list_properties (MATRIX_OPERATION, &n);
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpstr (specs[i]->name, ==, names[i]);
      g_assert_null (strpbrk (g_param_spec_get_nick (specs[i]), "_:"));
    }
  g_assert_cmpstr (gegl_operation_get_property_key (MATRIX_OPERATION, "values", "multiline"), ==,
                   "true");
  g_assert_cmpstr (gegl_operation_get_key (MATRIX_OPERATION, "gimp:menu-path"), ==,
                   "<Image>/Filters/Generic");
  g_assert_cmpstr (gegl_operation_get_key (MATRIX_OPERATION, "gimp:menu-label"), ==,
                   "Convolution Matrix (_CUDA)...");
}

TEST (test_formats, "/convolve/formats")
{
  guint n = 0;

  for (int sample = FX_SAMPLE_U8; sample <= FX_SAMPLE_DOUBLE; sample++)
    for (int channels = 1; channels <= 4; channels++)
      for (int gamma = 0; gamma < 2; gamma++)
        for (int i = 0; i < 2; i++, n++)
          {
            MatrixScene scene = make (n, (FxFormat) { (FxSample) sample, channels, gamma });

            matrix_scene_check (&scene);
          }
}

/* Parts of one graph's result, and of graphs that have done nothing else. */
TEST (test_parts, "/convolve/parts")
{
  MatrixScene scene = make (2, rgba);
  g_autoptr (GeglBuffer) buffer = matrix_scene_make_buffer (&scene);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = matrix_scene_add (&scene, graph, buffer);

  for (int i = 0; i < 40; i++)
    {
      g_autoptr (GeglNode) fresh = gegl_node_new ();
      GeglRectangle part = { .x = g_test_rand_int_range (0, scene.width),
                             .y = g_test_rand_int_range (0, scene.height) };

      part.width = g_test_rand_int_range (1, scene.width + 1 - part.x);
      part.height = g_test_rand_int_range (1, scene.height + 1 - part.y);
      part.x += scene.x;
      part.y += scene.y;
      matrix_scene_check_node (&scene, buffer, node, &part);
      matrix_scene_check_node (&scene, buffer, matrix_scene_add (&scene, fresh, buffer), &part);
    }
}

/* The result is as large as the input, whatever the matrix. */
TEST (test_box, "/convolve/box")
{
  for (guint n = 0; n < 5; n++)
    {
      MatrixScene scene = make (n, rgba);
      g_autoptr (GeglBuffer) buffer = matrix_scene_make_buffer (&scene);
      g_autoptr (GeglNode) graph = gegl_node_new ();
      const GeglRectangle rect = matrix_scene_get_rect (&scene);
      const GeglRectangle box = gegl_node_get_bounding_box (
        matrix_scene_add (&scene, graph, buffer));

      g_assert_true (gegl_rectangle_equal (&box, &rect));
    }
}

/* An image of one colour stays of one colour, at any of GEGL's levels. */
TEST (test_levels, "/convolve/levels")
{
  const GeglRectangle extent = { 0, 0, 256, 256 };
  const Babl *format = babl_format ("RGB float");
  const float colour[3] = { 0.2f, 0.4f, 0.6f };
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&extent, format);

  gegl_buffer_set_color_from_pixel (buffer, &extent, colour, format);
  for (int level = 0; level <= 3; level++)
    {
      MatrixScene scene = make (2, (FxFormat) { FX_SAMPLE_FLOAT, 3, FALSE });
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *node = matrix_scene_add (&scene, graph, buffer);
      const GeglRectangle rect = { 0, 0, 256 >> level, 256 >> level };
      g_autofree float *pixels = g_new0 (float, 3 * rect.width * rect.height);

      gegl_node_set (node, "abyss", FX_ABYSS_CLAMP, "light", FX_LIGHT_LINEAR, NULL);
      gegl_node_blit (node, 1.0 / (1 << level), &rect, format, pixels, GEGL_AUTO_ROWSTRIDE,
                      GEGL_BLIT_DEFAULT);
      for (int i = 0; i < 3 * rect.width * rect.height; i++)
        g_assert_cmpfloat_with_epsilon (pixels[i], colour[i % 3] + scene.params.offset, 1e-4);
    }
}

/* Each change of the matrix takes effect at once, and so does a stroke in between: a resident
 * source knows which rows are stale. */
TEST (test_changes, "/convolve/changes")
{
  MatrixScene scene = make (0, rgba);
  g_autoptr (GeglBuffer) buffer = matrix_scene_make_buffer (&scene);
  g_autoptr (GeglBuffer) other = matrix_scene_make_buffer (&scene);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = matrix_scene_add (&scene, graph, buffer);

  for (guint n = 0; n < 30; n++)
    {
      const GeglRectangle stroke = { (int) n, (int) n, 9, 5 };

      scene.params = make (n * 2, rgba).params;
      matrix_scene_set (&scene, node);
      if (n % 3 == 2)
        gegl_buffer_copy (other, &stroke, GEGL_ABYSS_NONE, buffer, &stroke);
      matrix_scene_check_node (&scene, buffer, node, NULL);
    }
}

/* One matrix in every notation; the property returns the text that was set. */
TEST (test_texts, "/convolve/texts")
{
  static const double values[] = { 0.5, -1, 0, 2.25, 4, 1, 0, 0, -0.75 };
  static const char *const texts[] = {
    "0.5 -1 0 2.25 4 1 0 0 -0.75",     "3x3: 0.5 -1 0 2.25 4 1 0 0 -0.75",
    "0.5 -1 0\n2.25 4 1\n0 0 -0.75\n", "0,5;-1;0\r\n2,25;4;1\r\n0;0;-0,75",
    "0.5,-1,0\n2.25,4,1\n0,0,-0.75",
  };
  MatrixScene scene = make (0, rgba);
  g_autoptr (GeglBuffer) buffer = matrix_scene_make_buffer (&scene);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = matrix_scene_add (&scene, graph, buffer);

  scene.params.values = values;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *kept = NULL;

      gegl_node_set (node, "values", texts[i], NULL);
      gegl_node_get (node, "values", &kept, NULL);
      g_assert_cmpstr (kept, ==, texts[i]);
      matrix_scene_check_node (&scene, buffer, node, NULL);
    }
}

static guint
get_switches (GeglNode *node)
{
  gboolean red, green, blue, alpha;

  gegl_node_get (node, "red", &red, "green", &green, "blue", &blue, "alpha", &alpha, NULL);
  return (guint) (red | green << 1 | blue << 2 | alpha << 3);
}

/* A sum is seen in the switches; the first of them that is changed takes its place. */
TEST (test_channels, "/convolve/channels")
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = gegl_node_new_child (graph, "operation", MATRIX_OPERATION, NULL);
  int sum, told = 0;

  g_assert_cmpuint (get_switches (node), ==, 15);
  gegl_node_set (node, "channels", 6, NULL);
  g_assert_cmpuint (get_switches (node), ==, 6);
  gegl_node_set (node, "channels", 0, NULL);
  g_assert_cmpuint (get_switches (node), ==, 15);
  gegl_node_set (node, "channels", 6, NULL);
  notices_count (node, "channels", &told);
  gegl_node_set (node, "green", FALSE, NULL);
  g_assert_cmpuint (get_switches (node), ==, 4);
  gegl_node_get (node, "channels", &sum, NULL);
  g_assert_cmpint (sum, ==, 0);
  g_assert_cmpint (told, >, 0);
}

/* Those that are off stay as they are. */
TEST (test_switches, "/convolve/switches")
{
  MatrixScene scene = make (0, rgba);
  g_autoptr (GeglBuffer) buffer = matrix_scene_make_buffer (&scene);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = matrix_scene_add (&scene, graph, buffer);

  scene.params.channels = CONVOLVE_RED | CONVOLVE_BLUE;
  gegl_node_set (node, "green", FALSE, "alpha", FALSE, NULL);
  matrix_scene_check_node (&scene, buffer, node, NULL);
  gegl_node_set (node, "red", FALSE, "blue", FALSE, NULL);
  matrix_scene_check_unchanged (&scene, buffer, node);
}

/* GIMP's dialog is told at once what is wrong, and when that is over. */
TEST (test_problem, "/convolve/problem")
{
  static const struct {
    const char *values;
    double divisor;
    const char *problem; /* a part of it */
  } cases[] = {
    { "1 2 3 x", 0.0, "is 'x', but must be" },
    { "1 2", 0.0, "columns is 2" },
    { "3e38 0 0", 0.5, "divisor is 0.5" },
    { "1 2 3", 0.0, "" },
  };
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = gegl_node_new_child (graph, "operation", MATRIX_OPERATION, NULL);
  int told = 0;

  notices_count (node, "problem", &told);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *problem = NULL;
      gboolean invalid;

      gegl_node_set (node, "values", cases[i].values, "divisor", cases[i].divisor, NULL);
      gegl_node_get (node, "problem", &problem, "invalid", &invalid, NULL);
      g_assert_nonnull (strstr (problem, cases[i].problem));
      g_assert_cmpint (invalid, ==, *cases[i].problem != 0);
      g_assert_cmpint (told, >, (int) i);
    }
}

/* Without a property set it sharpens. */
TEST (test_initial, "/convolve/initial")
{
  static const double sharpen[] = { 0, -1, 0, -1, 5, -1, 0, -1, 0 };
  MatrixScene scene = make (0, (FxFormat) { FX_SAMPLE_FLOAT, 3, FALSE });
  g_autoptr (GeglBuffer) buffer = matrix_scene_make_buffer (&scene);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);
  GeglNode *node = gegl_node_new_child (graph, "operation", MATRIX_OPERATION, "device",
                                        (int) tested_device (), NULL);

  gegl_node_link (source, node);
  scene.params = (ConvolveParams) { .rows = 3, .columns = 3, .values = sharpen };
  matrix_scene_check_node (&scene, buffer, node, NULL);
}
