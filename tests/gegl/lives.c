/* What happens to the module's operations in their lives, for leaks.sh. */
#include "test.h"
#include "tested.h"

#include <gegl.h>
#include <gegl-plugin.h>

#define SIDE 60

static GeglBuffer *
make_buffer (const char *format)
{
  static const float grey[] = { 0.5f, 0.25f, 0.75f, 0.5f };
  GeglBuffer *buffer = gegl_buffer_new (GEGL_RECTANGLE (-5, 7, SIDE, SIDE), babl_format (format));

  gegl_buffer_set_color_from_pixel (buffer, NULL, grey, babl_format ("RGBA float"));
  return buffer;
}

static void
render (GeglNode *node, double scale)
{
  float pixels[SIDE * SIDE * 4];

  gegl_node_blit (node, scale, GEGL_RECTANGLE (0, 0, SIDE, SIDE), babl_format ("RGBA float"),
                  pixels, GEGL_AUTO_ROWSTRIDE, scale < 1.0 ? GEGL_BLIT_DEFAULT : GEGL_BLIT_CACHE);
  for (int i = 0; i < SIDE * SIDE * 4; i++)
    g_assert_false (isnan (pixels[i]));
}

/* Sets each property to one value and another, some of which are refused or are no matrix. */
static void
change_property (GeglNode *node, GParamSpec *spec)
{
  static const char *const texts[] = { "1 2 x", "", "1 2 1\n2 4 2\n1 2 1" };
  g_autofree char *text = NULL;

  if (! (spec->flags & G_PARAM_WRITABLE) || strcmp (spec->name, "device") == 0)
    return;
  for (int i = 0; i < 3; i++)
    {
      if (G_IS_PARAM_SPEC_DOUBLE (spec))
        gegl_node_set (node, spec->name, MAX (0.4 * i, ((GParamSpecDouble *) spec)->minimum), NULL);
      else if (G_IS_PARAM_SPEC_STRING (spec))
        gegl_node_set (node, spec->name, texts[i], NULL);
      else
        gegl_node_set (node, spec->name, i % 2, NULL);
      render (node, 1.0);
    }
}

static void
change_properties (const char *operation, GeglNode *node)
{
  g_autofree GParamSpec **specs = NULL;
  guint n;

  specs = gegl_operation_list_properties (operation, &n);
  for (guint i = 0; i < n; i++)
    change_property (node, specs[i]);
}

/* Strokes, other buffers, none, and a plane without an end. */
static void
change_source (GeglNode *graph, GeglNode *source, GeglNode *node)
{
  static const char *const formats[] = { "R'G'B'A u8", "Y' u16", "RGB float", "R'G'B'A u8" };
  static const float red[] = { 1.0f, 0.0f, 0.0f, 1.0f };
  GeglNode *plane = gegl_node_new_child (graph, "operation", "gegl:checkerboard", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autoptr (GeglBuffer) buffer = make_buffer (formats[i]);

      gegl_node_set (source, "buffer", buffer, NULL);
      render (node, 1.0);
      gegl_buffer_set_color_from_pixel (buffer, GEGL_RECTANGLE (3, 9, 5, 5), red,
                                        babl_format ("RGBA float"));
      render (node, 1.0);
      render (node, 0.5);
    }
  gegl_node_set (source, "buffer", NULL, NULL);
  render (node, 1.0);
  gegl_node_link (plane, node);
  render (node, 1.0);
  gegl_node_disconnect (node, "input");
  render (node, 1.0);
}

static void
test_life (gconstpointer operation)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = make_buffer ("RGBA float");
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);
  GeglNode *node = gegl_node_new_child (graph, "operation", operation, "device",
                                        (int) tested_device (), NULL);

  gegl_node_link (source, node);
  render (node, 1.0);
  change_properties (operation, node);
  change_source (graph, source, node);
}

TESTS (add_lives)
{
  guint n;
  g_autofree char **operations = gegl_list_operations (&n);

  for (guint i = 0; i < n; i++)
    if (g_str_has_prefix (operations[i], "cuda:"))
      {
        g_autofree char *path = g_strconcat ("/operation/lives/", operations[i] + strlen ("cuda:"),
                                             NULL);

        g_test_add_data_func (path, g_intern_string (operations[i]), test_life);
      }
}
