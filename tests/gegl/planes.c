/* Inputs without an edge, and inputs without anything; and GEGL's pyramid. */
#include "scene.h"
#include "test.h"

/* The source is the part of an infinite plane that the blur can reach from the region. */
static void
check_plane (const Scene *scene, GeglNode *plane, GeglNode *blur)
{
  const GeglRectangle extent = { scene->x, scene->y, scene->c.width, scene->c.height };
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&extent, scene->babl);
  const GeglRectangle box = gegl_node_get_bounding_box (blur);
  g_autofree double *source = NULL;

  g_assert_true (gegl_rectangle_is_infinite_plane (&box));
  gegl_node_blit_buffer (plane, buffer, &extent, 0, GEGL_ABYSS_NONE);
  source = scene_read_values (scene, buffer);
  scene_check_node (scene, source, blur);
}

TEST (test_infinite, "/operation/planes/infinite")
{
  static const FxFormat format = { FX_SAMPLE_FLOAT, 4, FALSE };

  for (guint i = 0; i < 16; i++)
    {
      Scene scene = scene_make (i, format, FX_LIGHT_LINEAR, 200, 160, i % 2 ? 2.0 : 7.0, 3.0);
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *plane = gegl_node_new_child (graph, "operation",
                                             i / 8 ? "gegl:checkerboard" : "gegl:color", NULL);
      GeglNode *blur = scene_add_blur (&scene, graph);

      scene.x = -100;
      scene.y = 5000;
      scene.c.region = (FxRect) { 60, 60, 70, 50 };
      scene.c.params.abyss = (FxAbyss) (i / 2 % 4);
      scene.extended = i % 2;
      scene_set (&scene, blur);
      gegl_node_link (plane, blur);
      check_plane (&scene, plane, blur);
    }
}

TEST (test_cropped_plane, "/operation/planes/cropped")
{
  static const FxFormat format = { FX_SAMPLE_FLOAT, 4, FALSE };
  Scene scene = scene_make (0, format, FX_LIGHT_LINEAR, 90, 70, 4.0, 4.0);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (GEGL_RECTANGLE (-20, 30, 90, 70), scene.babl);
  GeglNode *plane = gegl_node_new_child (graph, "operation", "gegl:checkerboard", NULL);
  GeglNode *crop = gegl_node_new_child (graph, "operation", "gegl:crop", "x", -20.0, "y", 30.0,
                                        "width", 90.0, "height", 70.0, NULL);
  GeglNode *blur = scene_add_blur (&scene, graph);
  g_autofree double *source = NULL;

  scene.x = -20;
  scene.y = 30;
  gegl_node_link_many (plane, crop, blur, NULL);
  gegl_node_blit_buffer (crop, buffer, NULL, 0, GEGL_ABYSS_NONE);
  source = scene_read_values (&scene, buffer);
  scene_check_node (&scene, source, blur);
}

/* Nothing comes in: nothing comes out, and nobody complains. */
static void
check_nothing (GeglNode *blur)
{
  const Babl *format = babl_format ("RGBA float");
  float pixels[20 * 20 * 4];

  memset (pixels, 0, sizeof pixels);
  for (int extended = 0; extended < 2; extended++)
    {
      gegl_node_set (blur, "clip-extent", ! extended, NULL);
      gegl_node_get_bounding_box (blur);
      gegl_node_blit (blur, 1.0, GEGL_RECTANGLE (-5, -5, 20, 20), format, pixels,
                      GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
      gegl_node_process (blur);
      for (guint i = 3; i < G_N_ELEMENTS (pixels); i += 4)
        g_assert_cmpfloat (pixels[i], ==, 0.0f);
    }
}

TEST (test_no_input, "/operation/planes/no-input")
{
  g_autoptr (GeglNode) graph = gegl_node_new ();

  check_nothing (gegl_node_new_child (graph, "operation", "cuda:gaussian-blur", NULL));
}

TEST (test_empty, "/operation/planes/empty")
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer)
    buffer = gegl_buffer_new (GEGL_RECTANGLE (5, 6, 0, 0), babl_format ("R'G'B'A u8"));
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);
  GeglNode *blur = gegl_node_new_child (graph, "operation", "cuda:gaussian-blur", NULL);

  gegl_node_link (source, blur);
  check_nothing (blur);
}

TEST (test_no_buffer, "/operation/planes/no-buffer")
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", NULL);
  GeglNode *blur = gegl_node_new_child (graph, "operation", "cuda:gaussian-blur", NULL);

  gegl_node_link (source, blur);
  check_nothing (blur);
}
