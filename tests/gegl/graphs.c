/* Several nodes, of which some are ours; and GEGL's pyramid. */
#include "compare.h"
#include "reference.h"
#include "scene.h"
#include "test.h"

static const FxFormat plain = { FX_SAMPLE_FLOAT, 4, FALSE };

static void
judge_node (const Scene *scene, const double *source, const double *expected, GeglNode *node,
            double slack)
{
  const GeglRectangle rect = scene_get_rect (scene);
  g_autofree gpointer result = g_malloc (babl_format_get_bytes_per_pixel (scene->babl) *
                                         rect.width * rect.height);

  gegl_node_blit (node, 1.0, &rect, scene->babl, result, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  scene_judge (scene, source, expected, result, slack);
}

/* The second blurs what the first has rounded. */
TEST (test_chain, "/operation/graphs/chain")
{
  for (guint i = 0; i < 8; i++)
    {
      Scene first = scene_make (i, plain, FX_LIGHT_LINEAR, 120, 90, 2.0, 9.0);
      Scene second = first;
      g_autoptr (GeglNode) graph = gegl_node_new ();
      g_autoptr (GeglBuffer) buffer = scene_make_buffer (&first);
      g_autofree double *source = scene_read_values (&first, buffer);
      g_autofree double *between = scene_expect (&first, source), *expected = NULL;
      GeglNode *one = scene_add (&first, graph, buffer), *two;

      second.c.params.sigma_x = 5.0;
      second.c.params.abyss = (FxAbyss) ((first.c.params.abyss + 1) % 4);
      two = scene_add_blur (&second, graph);
      gegl_node_link (one, two);
      expected = scene_expect (&second, between);
      judge_node (&second, between, expected, two, 2.0);
      if (i % 2)
        judge_node (&first, source, between, one, 1.0);
    }
}

/* A difference of two blurs of what another node makes of the picture, moved. */
TEST (test_expression, "/operation/graphs/expression")
{
  Scene scene = scene_make (0, plain, FX_LIGHT_LINEAR, 120, 90, 2.0, 2.0);
  Scene wide = scene;
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = scene_make_buffer (&scene);
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);
  GeglNode *invert = gegl_node_new_child (graph, "operation", "gegl:invert-linear", NULL);
  GeglNode *narrow = scene_add_blur (&scene, graph), *broad;
  GeglNode *difference = gegl_node_new_child (graph, "operation", "gegl:subtract", NULL);
  GeglNode *move = gegl_node_new_child (graph, "operation", "gegl:translate", "x", 11.0, "y",
                                        -200.0, NULL);
  g_autofree double *values = scene_read_values (&scene, buffer);
  g_autofree double *a = NULL, *b = NULL;

  wide.c.params.sigma_x = wide.c.params.sigma_y = 12.0;
  broad = scene_add_blur (&wide, graph);
  gegl_node_link_many (source, invert, narrow, difference, move, NULL);
  gegl_node_link (invert, broad);
  gegl_node_connect_to (broad, "output", difference, "aux");

  for (int i = 0; i < 120 * 90 * 4; i++)
    if (i % 4 < 3)
      values[i] = 1.0 - values[i];
  a = scene_expect (&scene, values);
  b = scene_expect (&wide, values);
  for (int i = 0; i < 120 * 90 * 4; i++)
    if (i % 4 < 3)
      a[i] -= b[i];
  scene.x = 11;
  scene.y = -200;
  judge_node (&scene, values, a, move, 2.0);
}

/* At a level each pixel stands for 2^level across: the picture as GEGL scales it, blurred by as
 * much less. That is what a draft is; how GEGL scales is not ours. What GEGL itself takes from
 * outside the level's edge is left out: two pixels and the blur's reach of an abyss that differs.
 */
static void
check_level (guint n, int level)
{
  const FxFormat format = n % 2 ? plain : (FxFormat) { FX_SAMPLE_U8, 4, TRUE };
  const int width = 512 >> level, height = 384 >> level;
  const double scale = ldexp (1.0, -level);
  Scene scene = scene_make (n, format, FX_LIGHT_LINEAR, 512, 384, n / 2 % 2 ? 3.0 : 24.0, 16.0);
  Scene small = scene;
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = scene_make_buffer (&scene);
  const gsize size = babl_format_get_bytes_per_pixel (scene.babl) * width * height;
  g_autofree gpointer scaled = g_malloc (size), result = g_malloc (size);
  g_autofree double *source = NULL, *expected = NULL;

  small.c.width = width;
  small.c.height = height;
  small.c.params.sigma_x *= scale;
  small.c.params.sigma_y *= scale;
  gegl_buffer_get (buffer, GEGL_RECTANGLE (0, 0, width, height), scale, scene.babl, scaled,
                   GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_CLAMP);
  source = case_decode (&small.c, scaled);
  expected = scene_expect (&small, source);
  gegl_node_blit (scene_add (&scene, graph, buffer), scale, GEGL_RECTANGLE (0, 0, width, height),
                  scene.babl, result, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  scene_judge (&small, source, expected, result, 2.0);
}

TEST (test_levels, "/operation/graphs/levels")
{
  g_object_set (gegl_config (), "mipmap-rendering", TRUE, NULL);
  for (guint n = 0; n < 24; n++)
    check_level (n, (int) n / 8 + 1);
  g_object_set (gegl_config (), "mipmap-rendering", FALSE, NULL);
}
