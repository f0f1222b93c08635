/* cuda:motion-blur in GEGL's graphs, on one device: its properties, how far the result grows, the
 * place that a centre refers to, and GEGL's own operations in its place.
 *
 * GLib's tests take every warning for a failure: none may come from the operation. */
#include "memory.h"
#include "motion.h"
#include "reference.h"
#include "session.h"
#include "tested.h"

#include <gegl-plugin.h>
#include <math.h>

#define OPERATION "cuda:motion-blur"
#define WIDTH     67
#define HEIGHT    53

static const FxFormat format = { FX_SAMPLE_FLOAT, 4, FALSE };

/* GEGL's names, in the order in which GIMP shows them. */
TEST (test_names, "/motion/names")
{
  static const char *const names[] = { "kind",         "length",   "direction",   "angle",
                                       "factor",       "center-x", "center-y",    "fade",
                                       "abyss-policy", "light",    "clip-extent", "device",
                                       "floats" };
  g_autofree GParamSpec **specs = NULL;
  guint n;

  specs = gegl_operation_list_properties (OPERATION, &n);
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (specs[i]->name, ==, names[i]);
  g_assert_cmpstr (gegl_operation_get_property_key (OPERATION, "center-x", "unit"), ==,
                   "relative-coordinate");
  g_assert_cmpstr (gegl_operation_get_property_key (OPERATION, "center-y", "axis"), ==, "y");
  g_assert_cmpstr (gegl_operation_get_property_key (OPERATION, "center-x", "sensitive"), ==,
                   "kind {spin,zoom}");
  g_assert_null (gegl_operation_get_property_key (OPERATION, "light", "sensitive"));
  g_assert_cmpstr (gegl_operation_get_key (OPERATION, "gimp:menu-label"), ==,
                   "Motion Blur (_CUDA)...");
}

static const MotionParams motions[] = {
  { .kind = MOTION_LINE, .length = 12.0, .direction = 30.0, .fade = 0.5 },
  { .kind = MOTION_SPIN, .angle = 40.0, .center_x = 0.25, .center_y = 1.5 },
  { .kind = MOTION_ZOOM, .factor = 0.5, .center_x = 0.75, .center_y = 0.5, .fade = -0.5 },
};

static GeglNode *
add_node (GeglNode *graph, GeglNode *source, const MotionParams *params)
{
  GeglNode *node = gegl_node_new_child (graph, "operation", OPERATION, "kind", (int) params->kind,
                                        "length", params->length, "direction", params->direction,
                                        "angle", params->angle, "factor", params->factor,
                                        "center-x", params->center_x, "center-y", params->center_y,
                                        "fade", params->fade, "device", (int) tested_device (),
                                        NULL);

  gegl_node_link (source, node);
  return node;
}

static GeglNode *
add_source (GeglNode *graph, GeglBuffer *buffer)
{
  return gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer", buffer, NULL);
}

static GeglBuffer *
make_buffer (const GeglRectangle *extent)
{
  GeglBuffer *buffer = gegl_buffer_new (extent, babl_format ("RGBA float"));
  gsize count = (gsize) extent->width * extent->height * 4;
  g_autofree float *samples = g_new (float, count);

  for (gsize i = 0; i < count; i++)
    samples[i] = (float) g_test_rand_double_range (0.3, 1.0);
  gegl_buffer_set (buffer, extent, 0, NULL, samples, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

/* The engine's own result for the part of the buffer in box, as a picture by itself. */
static float *
run_engine (const MotionParams *params, GeglBuffer *buffer, const GeglRectangle *box)
{
  const FxGeometry geometry = { .width = box->width, .height = box->height };
  gsize size = fx_format_size (&format) * box->width * box->height;
  g_autofree gpointer samples = g_malloc (size);
  float *result = g_malloc (size);
  const Memory memory = { samples, result, box->width, box->height, format };
  FxImage image = memory_get_image (&memory);
  g_autoptr (GError) error = NULL;
  g_autoptr (FxPlan) plan = motion_plan_new (params, &format, &geometry, &error);

  g_assert_no_error (error);
  gegl_buffer_get (buffer, box, 1.0, NULL, samples, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  fx_engine_run (tested_engine (), plan, tested_device (), &image, NULL, &error);
  g_assert_no_error (error);
  return result;
}

static void
check (GeglNode *node, const GeglRectangle *box, const float *expected)
{
  gsize count = (gsize) box->width * box->height * 4;
  g_autofree float *got = g_new (float, count);

  gegl_node_blit (node, 1.0, box, babl_format ("RGBA float"), got, GEGL_AUTO_ROWSTRIDE,
                  GEGL_BLIT_DEFAULT);
  for (gsize i = 0; i < count; i++)
    g_assert_cmpfloat_with_epsilon (got[i], expected[i], 2e-5);
}

/* The centre is that of the input, wherever it lies, also after the input's bounds have changed as
 * a selection's do. */
TEST (test_places, "/motion/places")
{
  const GeglRectangle extent = { -9, 4, WIDTH, HEIGHT };
  const GeglRectangle boxes[] = { extent, { 3, 10, 31, 40 }, { -5, 4, 60, 17 } };
  g_autoptr (GeglBuffer) buffer = make_buffer (&extent);

  for (guint i = 0; i < G_N_ELEMENTS (motions); i++)
    {
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *crop = gegl_node_new_child (graph, "operation", "gegl:crop", NULL);
      GeglNode *node = add_node (graph, crop, &motions[i]);

      gegl_node_link (add_source (graph, buffer), crop);
      for (guint b = 0; b < G_N_ELEMENTS (boxes); b++)
        {
          g_autofree float *expected = run_engine (&motions[i], buffer, &boxes[b]);

          gegl_node_set (crop, "x", (double) boxes[b].x, "y", (double) boxes[b].y, "width",
                         (double) boxes[b].width, "height", (double) boxes[b].height, NULL);
          check (node, &boxes[b], expected);
        }
    }
}

/* A change anywhere may change all of a spin's or a zoom's result. */
TEST (test_changes, "/motion/changes")
{
  const GeglRectangle extent = { 0, 0, WIDTH, HEIGHT };
  const float red[] = { 1.0f, 0.0f, 0.0f, 1.0f };

  for (guint i = 0; i < G_N_ELEMENTS (motions); i++)
    {
      g_autoptr (GeglBuffer) buffer = make_buffer (&extent);
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *node = add_node (graph, add_source (graph, buffer), &motions[i]);
      g_autofree float *before = run_engine (&motions[i], buffer, &extent), *after = NULL;

      check (node, &extent, before);
      gegl_buffer_set_color_from_pixel (buffer, GEGL_RECTANGLE (50, 20, 4, 4), red,
                                        babl_format ("RGBA float"));
      after = run_engine (&motions[i], buffer, &extent);
      check (node, &extent, after);
    }
}

/* Without a limit to its extent, the result grows as GEGL's own. */
TEST (test_growth, "/motion/growth")
{
  static const char *const originals[] = { "gegl:motion-blur-linear", "gegl:motion-blur-circular",
                                           "gegl:motion-blur-zoom" };
  const GeglRectangle extent = { 0, 0, WIDTH, HEIGHT };
  g_autoptr (GeglBuffer) buffer = make_buffer (&extent);

  for (guint i = 0; i < G_N_ELEMENTS (motions); i++)
    {
      const MotionParams *params = &motions[i];
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *source = add_source (graph, buffer), *node = add_node (graph, source, params);
      GeglNode *original = gegl_node_new_child (graph, "operation", originals[i], NULL);
      GeglRectangle box = gegl_node_get_bounding_box (node), expected;

      g_assert_true (gegl_rectangle_equal (&box, &extent));
      gegl_node_link (source, original);
      if (params->kind == MOTION_LINE)
        gegl_node_set (original, "length", params->length, "angle", params->direction, NULL);
      else
        gegl_node_set (original, "center-x", params->center_x, "center-y", params->center_y, NULL);
      if (params->kind == MOTION_SPIN)
        gegl_node_set (original, "angle", params->angle, NULL);
      if (params->kind == MOTION_ZOOM)
        gegl_node_set (original, "factor", params->factor, NULL);
      gegl_node_set (node, "clip-extent", FALSE, NULL);
      box = gegl_node_get_bounding_box (node);
      expected = gegl_node_get_bounding_box (original);
      g_test_message ("%s: %d %d %d %d, expected %d %d %d %d", originals[i], box.x, box.y,
                      box.width, box.height, expected.x, expected.y, expected.width,
                      expected.height);
      g_assert_cmpint (ABS (box.x - expected.x), <=, 1); /* its centre is half a pixel from ours */
      g_assert_cmpint (ABS (box.y - expected.y), <=, 1);
      g_assert_true (box.width > WIDTH || box.height > HEIGHT);
    }
}
