/* The place of the picture, parts of it, and the pixels beyond it. */
#include "compare.h"
#include "scene.h"
#include "test.h"

#include <gegl-plugin.h>

static const FxFormat formats[] = {
  { FX_SAMPLE_U8, 4, TRUE },
  { FX_SAMPLE_U16, 3, TRUE },
  { FX_SAMPLE_FLOAT, 2, FALSE },
  { FX_SAMPLE_U8, 1, FALSE },
};

/* The result is as large as gegl:gaussian-blur's, whose sigma is a float. */
static int
get_growth (double sigma, int kernel_size)
{
  const float s = (float) sigma;
  int taps;

  if (s <= 1e-5)
    return 0;
  taps = kernel_size ? kernel_size : (int) ceil (s * 6.5);
  return (taps + (taps + 1) % 2) / 2;
}

/* Each abyss, at another origin each time. */
static Scene
make_at_edge (guint i, FxFormat format, FxAbyss abyss)
{
  Scene scene = scene_make (i, format, FX_LIGHT_LINEAR, 49, 33, 3.0, 5.5);

  scene.c.params.abyss = abyss;
  scene.x = i % 3 ? -37 : 0;
  scene.y = i % 3 ? 19 : -1000;
  return scene;
}

static void
extend (Scene *scene)
{
  const BlurParams *params = &scene->c.params;
  const int x = get_growth (params->sigma_x, 0), y = get_growth (params->sigma_y, 0);

  scene->extended = TRUE;
  scene->c.region = (FxRect) { -x, -y, scene->c.width + 2 * x, scene->c.height + 2 * y };
}

TEST (test_abyss, "/operation/regions/abyss")
{
  for (guint i = 0; i < G_N_ELEMENTS (formats) * 4; i++)
    {
      const Scene scene = make_at_edge (i, formats[i / 4], (FxAbyss) (i % 4));

      scene_check (&scene);
    }
}

/* Beyond a picture whose blur is larger is nothing, whatever the abyss. One without alpha gets
 * it. */
TEST (test_extended, "/operation/regions/extended")
{
  for (guint i = 0; i < G_N_ELEMENTS (formats) * 4; i++)
    {
      FxFormat format = formats[i / 4];
      const Babl *stored = scene_get_babl (&format, '\'', NULL);
      g_autoptr (GeglNode) graph = gegl_node_new ();
      g_autoptr (GeglBuffer) plain = NULL, buffer = NULL;
      g_autofree double *source = NULL;
      GeglNode *blur;
      Scene scene;

      format.channels += format.channels % 2;
      scene = make_at_edge (i, format, (FxAbyss) (i % 4));
      extend (&scene);
      plain = scene_make_buffer (&scene);
      buffer = gegl_buffer_new (gegl_buffer_get_extent (plain), stored);
      gegl_buffer_copy (plain, NULL, GEGL_ABYSS_NONE, buffer, NULL);
      source = scene_read_values (&scene, buffer);
      blur = scene_add (&scene, graph, buffer);
      g_assert_true (scene_get_output (blur) == scene.babl);
      scene_check_node (&scene, source, blur);
    }
}

static void
check_box (const Scene *scene)
{
  const BlurParams *params = &scene->c.params;
  const int x = scene->extended ? get_growth (params->sigma_x, params->kernel_size) : 0;
  const int y = scene->extended ? get_growth (params->sigma_y, params->kernel_size) : 0;
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = scene_make_buffer (scene);
  const GeglRectangle box = gegl_node_get_bounding_box (scene_add (scene, graph, buffer));

  if (box.x != scene->x - x || box.y != scene->y - y || box.width != scene->c.width + 2 * x ||
      box.height != scene->c.height + 2 * y)
    case_fail (&scene->c, "the box is %dx%d at %d,%d; grown by %d and %d it should be", box.width,
               box.height, box.x, box.y, x, y);
}

TEST (test_box, "/operation/regions/box")
{
  static const double sigmas[][2] = {
    { 0.0, 0.0 },  { 0.0, 3.0 },    { 0.15, 0.16 },           { 1.0, 1.5 },
    { 2.0, 1e-6 }, { 10.0, 100.0 }, { 3.0 / 6.5, 5.0 / 6.5 }, { 1500.0, 0.3 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (sigmas) * 4; i++)
    {
      Scene scene = scene_make (i, formats[0], FX_LIGHT_LINEAR, 20, 10, sigmas[i / 4][0],
                                sigmas[i / 4][1]);

      scene.extended = i % 2;
      scene.c.params.kernel_size = i / 2 % 2 ? 9 : 0;
      scene.x = -3;
      scene.y = 8;
      check_box (&scene);
    }
}

/* A part of the whole, each from a graph that has done nothing else, and from one that has. */
TEST (test_parts, "/operation/regions/parts")
{
  static const FxRect parts[] = {
    { 0, 0, 1, 1 },      { 149, 99, 1, 1 },  { 0, 0, 150, 1 },  { 70, 40, 20, 20 },
    { 128, 64, 22, 36 }, { 0, 50, 150, 50 }, { 7, 3, 130, 90 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (parts) * 4; i++)
    {
      Scene scene = scene_make (i, formats[i % 4], FX_LIGHT_LINEAR, 150, 100, i % 2 ? 2.0 : 14.0,
                                i % 2 ? 2.5 : 9.0);

      scene.x = -64;
      scene.y = 5;
      scene.c.region = parts[i / 4];
      scene_check (&scene);
    }
}

TEST (test_parts_of_one, "/operation/regions/parts-of-one")
{
  Scene scene = scene_make (0, formats[0], FX_LIGHT_LINEAR, 150, 100, 6.0, 3.0);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = scene_make_buffer (&scene);
  g_autofree double *source = scene_read_values (&scene, buffer);
  GeglNode *blur = scene_add (&scene, graph, buffer);

  for (int i = 0; i < 40; i++)
    {
      FxRect *part = &scene.c.region;

      part->x = g_test_rand_int_range (0, 150);
      part->y = g_test_rand_int_range (0, 100);
      part->width = g_test_rand_int_range (1, 151 - part->x);
      part->height = g_test_rand_int_range (1, 101 - part->y);
      scene_check_node (&scene, source, blur);
    }
}

/* The tiles of an input that was moved do not begin at multiples of their size. */
TEST (test_moved, "/operation/regions/moved")
{
  Scene scene = scene_make (0, formats[0], FX_LIGHT_LINEAR, 300, 200, 3.0, 3.0);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = scene_make_buffer (&scene);
  g_autofree double *values = scene_read_values (&scene, buffer);
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);
  GeglNode *move = gegl_node_new_child (graph, "operation", "gegl:translate", "x", -37.0, "y",
                                        -90.0, NULL);
  GeglNode *blur = scene_add_blur (&scene, graph);

  gegl_node_link_many (source, move, blur, NULL);
  scene.x -= 37;
  scene.y -= 90;
  scene_check_node (&scene, values, blur);
}

/* If the requested region reaches beyond the result, it is empty there. */
TEST (test_outside, "/operation/regions/outside")
{
  Scene scene = scene_make (0, formats[0], FX_LIGHT_LINEAR, 40, 30, 3.0, 3.0);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = scene_make_buffer (&scene);
  g_autofree double *source = scene_read_values (&scene, buffer);
  g_autofree double *expected = scene_expect (&scene, source);
  GeglNode *blur = scene_add (&scene, graph, buffer);
  guint8 asked[50][60][4], inside[30][40][4];

  memset (asked, 1, sizeof asked);
  gegl_node_blit (blur, 1.0, GEGL_RECTANGLE (-10, -15, 60, 50), scene.babl, asked,
                  GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  for (int y = 0; y < 50; y++)
    for (int x = 0; x < 60; x++)
      if (x < 10 || x >= 50 || y < 15 || y >= 45)
        g_assert_cmpint (asked[y][x][3], ==, 0);
      else
        memcpy (inside[y - 15][x - 10], asked[y][x], 4);
  scene_judge (&scene, source, expected, inside, 1.0);
  memset (asked, 1, sizeof asked);
  gegl_node_blit (blur, 1.0, GEGL_RECTANGLE (500, 500, 60, 50), scene.babl, asked,
                  GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  g_assert_cmpint (asked[49][59][3], ==, 0);
}

/* At the ends of the coordinates the box, and what a part needs of the picture, are cut. */
TEST (test_extremes, "/operation/regions/extremes")
{
  static const GeglRectangle extents[] = {
    { 0, 0, G_MAXINT - 15, G_MAXINT - 15 },
    { -(1 << 30), -(1 << 30), G_MAXINT - 15, G_MAXINT - 15 },
  };
  Scene scene = scene_make (0, formats[0], FX_LIGHT_LINEAR, 40, 30, 3.0, 3.0);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) picture = scene_make_buffer (&scene);
  GeglNode *blur = scene_add (&scene, graph, picture);
  GeglOperation *operation = gegl_node_get_gegl_operation (blur);
  guint8 pixel[4];

  gegl_node_blit (blur, 1.0, GEGL_RECTANGLE (0, 0, 1, 1), scene.babl, pixel, GEGL_AUTO_ROWSTRIDE,
                  GEGL_BLIT_DEFAULT); /* makes the plan */
  gegl_node_set (blur, "clip-extent", FALSE, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (extents); i++)
    {
      const GeglRectangle *extent = &extents[i];
      const GeglRectangle end = { extent->x + extent->width - 1, extent->y + extent->height - 1, 1,
                                  1 };
      g_autoptr (GeglBuffer) buffer = gegl_buffer_new (extent, scene.babl);
      GeglRectangle box, needed;

      gegl_node_set (gegl_node_get_producer (blur, "input", NULL), "buffer", buffer, NULL);
      box = gegl_node_get_bounding_box (blur);
      g_assert_true (gegl_rectangle_contains (&box, extent));
      needed = gegl_operation_get_required_for_output (operation, "input", &end);
      g_assert_true (gegl_rectangle_contains (extent, &needed));
      g_assert_true (gegl_rectangle_contains (&needed, &end));
    }
}

/* An even size is the next odd one. */
TEST (test_kernel_size, "/operation/regions/kernel-size")
{
  for (int size = 1; size <= 40; size += 3)
    {
      Scene scene = scene_make (size, formats[size % 4], FX_LIGHT_LINEAR, 49, 33, 5.0, 30.0);
      g_autoptr (GeglNode) graph = gegl_node_new ();
      g_autoptr (GeglBuffer) buffer = scene_make_buffer (&scene);
      g_autofree double *source = scene_read_values (&scene, buffer);
      GeglNode *blur = scene_add (&scene, graph, buffer);
      int kept;

      gegl_node_set (blur, "kernel-size", size, NULL);
      gegl_node_get (blur, "kernel-size", &kept, NULL);
      scene.c.params.kernel_size = size | 1;
      g_assert_cmpint (kept, ==, size | 1);
      scene_check_node (&scene, source, blur);
    }
}

/* An axis or both are left alone: the latter to the byte. */
TEST (test_zero, "/operation/regions/zero")
{
  static const double sigmas[][2] = { { 0.0, 4.0 }, { 4.0, 0.0 }, { 0.0, 0.0 }, { 0.1, 0.0 } };

  for (guint i = 0; i < G_N_ELEMENTS (sigmas) * G_N_ELEMENTS (formats); i++)
    {
      Scene scene = scene_make (i, formats[i % 4], FX_LIGHT_LINEAR, 49, 33, sigmas[i / 4][0],
                                sigmas[i / 4][1]);
      g_autoptr (GeglNode) graph = gegl_node_new ();
      g_autoptr (GeglBuffer) buffer = scene_make_buffer (&scene);
      const gsize size = babl_format_get_bytes_per_pixel (scene.babl) * 49 * 33;
      g_autofree guint8 *before = g_malloc (size), *after = g_malloc (size);

      if (! case_is_identity (&scene.c))
        {
          scene_check (&scene);
          continue;
        }
      gegl_buffer_get (buffer, NULL, 1.0, scene.babl, before, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      gegl_node_blit (scene_add (&scene, graph, buffer), 1.0, GEGL_RECTANGLE (0, 0, 49, 33),
                      scene.babl, after, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
      g_assert_cmpmem (after, size, before, size);
    }
}

/* Sizes around those of tiles, and tiny ones. */
TEST (test_sizes, "/operation/regions/sizes")
{
  static const int sizes[][2] = { { 1, 1 },    { 1, 200 },  { 200, 1 },   { 2, 3 },
                                  { 128, 64 }, { 129, 65 }, { 257, 131 }, { 400, 300 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes) * 2; i++)
    {
      Scene scene = scene_make (i, formats[i % 4], FX_LIGHT_LINEAR, sizes[i / 2][0],
                                sizes[i / 2][1], i % 2 ? 1.5 : 40.0, i % 2 ? 1.0 : 60.0);

      scene_check (&scene);
    }
}
