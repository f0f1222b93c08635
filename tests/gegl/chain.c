#include "chain.h"

#include <math.h>

#define WIDTH  41
#define HEIGHT 29

static GeglBuffer *
paint (const char *format, int x, int y)
{
  const GeglRectangle place = { x, y, WIDTH, HEIGHT };
  GeglBuffer *buffer = gegl_buffer_new (&place, babl_format (format));
  guint8 pixels[WIDTH * HEIGHT * 4];
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (int i = 0; i < WIDTH * HEIGHT * 4; i++)
    pixels[i] = (guint8) g_rand_int_range (random, 0, 256);
  for (int i = 0; i < WIDTH * HEIGHT / 4; i++)
    pixels[4 * i + 3] = 0;
  gegl_buffer_set (buffer, &place, 0, babl_format ("R'G'B'A u8"), pixels, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

void
chain_init (Chain *chain, const char *operation, const char *format, int x, int y)
{
  g_autoptr (GeglBuffer) buffer = paint (format, x, y);

  chain->graph = gegl_node_new ();
  chain->source = gegl_node_new_child (chain->graph, "operation", "gegl:buffer-source", "buffer",
                                       buffer, NULL);
  chain->node = gegl_node_new_child (chain->graph, "operation", operation, NULL);
  gegl_node_link (chain->source, chain->node);
}

void
chain_clear (Chain *chain)
{
  g_object_unref (chain->graph);
}

static float *
read_part (const Chain *chain, const GeglRectangle *rect)
{
  float *pixels = g_new0 (float, (gsize) rect->width * rect->height * 4);

  gegl_node_blit (chain->node, 1.0, rect, babl_format ("RaGaBaA float"), pixels, 0,
                  GEGL_BLIT_DEFAULT);
  return pixels;
}

float *
chain_get_result (const Chain *chain, GeglRectangle *box)
{
  *box = gegl_node_get_bounding_box (chain->node);
  return read_part (chain, box);
}

static double
get_difference (const float *a, const float *b, gsize n)
{
  double largest = 0.0;

  for (gsize i = 0; i < n; i++)
    largest = MAX (largest, fabs ((double) a[i] - b[i]));
  return largest;
}

void
chain_check_same_size (const Chain *a, const Chain *b)
{
  GeglRectangle first = gegl_node_get_bounding_box (a->node);
  GeglRectangle second = gegl_node_get_bounding_box (b->node);

  g_assert_true (gegl_rectangle_equal (&first, &second));
}

void
chain_check_part (const Chain *a, const Chain *b, const GeglRectangle *rect, double tolerance)
{
  g_autofree float *first = read_part (a, rect), *second = read_part (b, rect);
  double difference = get_difference (first, second, (gsize) rect->width * rect->height * 4);

  g_test_message ("%g", difference);
  g_assert_cmpfloat (difference, <=, tolerance);
}

void
chain_check_same (const Chain *a, const Chain *b, double tolerance)
{
  const GeglRectangle box = gegl_node_get_bounding_box (a->node);

  chain_check_same_size (a, b);
  chain_check_part (a, b, &box, tolerance);
}
