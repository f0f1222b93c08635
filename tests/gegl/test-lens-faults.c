/* GEGL's own operation, which takes over from cuda:lens-blur if the engine fails on every device:
 * it blurs by a disc of the same radius, without a word. */
#include "lens.h"
#include "operation.h"
#include "session.h"
#include "test.h"

#define SIZE 41

/* The light along the middle row of a white point in the middle, after the operation. */
static void
blur_point (double radius, gboolean clip, float row[SIZE])
{
  static const float white[4] = { 1, 1, 1, 1 };
  const GeglRectangle extent = { 0, 0, SIZE, SIZE }, middle = { SIZE / 2, SIZE / 2, 1, 1 };
  const GeglRectangle line = { 0, SIZE / 2, SIZE, 1 };
  const FilterDescription *filter = lens_blur_operation.filter;
  g_autoptr (FilterSettings) settings = filter_settings_new (filter);
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&extent, babl_format ("Y float"));
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);
  GeglNode *last = gegl_node_new_child (graph, "operation", "gegl:nop", NULL);

  gegl_buffer_set_color_from_pixel (buffer, &middle, white, babl_format ("RGBA float"));
  filter_settings_set (settings, filter_find_property (filter, "radius"), radius);
  lens_blur_operation.link (settings, clip, graph, source, last);
  gegl_node_blit (last, 1.0, &line, babl_format ("Y float"), row, GEGL_AUTO_ROWSTRIDE,
                  GEGL_BLIT_DEFAULT);
}

TEST (test_original, "/lens-faults/original")
{
  float row[SIZE];

  if (! g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, 0);
      g_test_trap_assert_passed ();
      g_test_trap_assert_stderr_unmatched ("*cuda-blur*");
      return;
    }
  session_start ();
  for (int radius = 4; radius <= 16; radius += 4)
    {
      blur_point (radius, TRUE, row);
      g_assert_cmpfloat (row[SIZE / 2], >, 0.7 / (G_PI * radius * radius));
      g_assert_cmpfloat (row[SIZE / 2], <, 1.4 / (G_PI * radius * radius));
      g_assert_cmpfloat (row[SIZE / 2 + radius - 2], >, 0.7 / (G_PI * radius * radius));
      g_assert_cmpfloat (row[SIZE / 2 + radius + 2], <, 1e-4);
    }
  session_end ();
}
