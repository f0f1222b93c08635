/* Infinities, NaN, denormals and values far out of the range, in floats: pixels out of their reach
 * stay the same, and nothing is NaN. */
#include "scene.h"
#include "tested.h"

#define WIDTH  90
#define HEIGHT 70
#define BYTES  ((gsize) WIDTH * HEIGHT * 4 * sizeof (float))

#define SIGMA 2.0
#define REACH 18 /* nothing reaches further */
#define NEAR  1e-4

static const int place[2] = { WIDTH / 2, HEIGHT / 2 };

/* A sample of the picture's middle, and what may come of it near there. */
typedef struct {
  int channel;
  float value;
  gboolean harmless; /* all is as it is without */
} Poke;

static const Poke pokes[] = {
  { 0, INFINITY }, { 1, -INFINITY }, { 2, NAN },   { 3, NAN },    { 3, INFINITY },     { 0, 3e38f },
  { 1, -3e38f },   { 3, 3e38f },     { 3, -1.0f }, { 3, 1e-42f }, { 0, 1e-42f, TRUE },
};

/* Colours out of [0,1] too; opaque. The middle's first is 0. */
static float *
make_pixels (const Poke *poke)
{
  float *pixels = g_malloc (BYTES), *middle = pixels + (place[1] * WIDTH + place[0]) * 4;

  for (int i = 0; i < WIDTH * HEIGHT * 4; i++)
    pixels[i] = i % 4 == 3 ? 1.0f : (float) (i * 7919 % 1009) / 500.0f - 0.5f;
  middle[0] = 0.0f;
  if (poke)
    middle[poke->channel] = poke->value;
  return pixels;
}

static float *
filter (const char *operation, const Poke *poke)
{
  const GeglRectangle rect = { 0, 0, WIDTH, HEIGHT };
  const Babl *format = babl_format ("RGBA float");
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&rect, format);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autofree float *pixels = make_pixels (poke);
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);
  GeglNode *node = gegl_node_new_child (graph, "operation", operation, "device",
                                        (int) tested_device (), NULL);
  float *result = g_malloc (BYTES);

  if (gegl_node_find_property (node, "std-dev-x"))
    gegl_node_set (node, "std-dev-x", SIGMA, "std-dev-y", SIGMA, NULL);
  else
    gegl_node_set (node, "values", "1 2 1\n2 4 2\n1 2 1", NULL);
  gegl_buffer_set (buffer, &rect, 0, format, pixels, GEGL_AUTO_ROWSTRIDE);
  gegl_node_link (source, node);
  gegl_node_blit (node, 1.0, &rect, format, result, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  return result;
}

static void
check_poke (const char *operation, const Poke *poke, const float *clean)
{
  g_autofree float *got = filter (operation, poke);

  for (int i = 0; i < WIDTH * HEIGHT * 4; i++)
    {
      const int x = i / 4 % WIDTH, y = i / 4 / WIDTH;
      const gboolean far = ABS (x - place[0]) > REACH || ABS (y - place[1]) > REACH;

      if (isnan (got[i]) || ((far || poke->harmless) && fabsf (got[i] - clean[i]) > NEAR))
        {
          g_test_message ("%s: %g in channel %d: at %d,%d channel %d %g, not %g", operation,
                          (double) poke->value, poke->channel, x, y, i % 4, (double) got[i],
                          (double) clean[i]);
          g_test_fail ();
          return;
        }
    }
}

static void
test_nonfinite (gconstpointer operation)
{
  g_autofree float *clean = filter (operation, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (pokes); i++)
    check_poke (operation, &pokes[i], clean);
}

TESTS (add_nonfinite)
{
  g_test_add_data_func ("/operation/nonfinite/blur", "cuda:gaussian-blur", test_nonfinite);
  g_test_add_data_func ("/operation/nonfinite/convolve", "cuda:convolve", test_nonfinite);
}
