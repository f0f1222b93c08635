/* The parts of the result that become stale by a change of the input or of a property. */
#include "meter.h"
#include "scene.h"
#include "test.h"

/* A picture, maybe a meter, a blur, whose result GEGL keeps. Without a meter the blur knows the
 * picture again, and keeps it on a device that it was read to. */
typedef struct {
  Scene scene;
  GeglNode *graph, *source, *meter, *blur;
  GeglBuffer *buffer;
} Fixture;

static void
set_up (Fixture *f, gboolean metered, FxFormat format, double sigma_x, double sigma_y)
{
  f->scene = scene_make (0, format, FX_LIGHT_LINEAR, 300, 200, sigma_x, sigma_y);
  f->scene.x = -30;
  f->scene.y = 17;
  f->graph = gegl_node_new ();
  f->buffer = scene_make_buffer (&f->scene);
  f->source = gegl_node_new_child (f->graph, "operation", "gegl:buffer-source", "buffer", f->buffer,
                                   NULL);
  f->meter = metered ? meter_add (f->graph, f->source) : NULL;
  f->blur = scene_add_blur (&f->scene, f->graph);
  gegl_node_link (metered ? f->meter : f->source, f->blur);
}

static void
tear_down (Fixture *f)
{
  g_object_unref (f->buffer);
  g_object_unref (f->graph);
}

/* Has GEGL compute what of the region its cache lacks, piece by piece, as an application does. */
static void
update (Fixture *f)
{
  const GeglRectangle rect = scene_get_rect (&f->scene);
  g_autoptr (GeglProcessor) processor = gegl_node_new_processor (f->blur, &rect);

  while (gegl_processor_work (processor, NULL))
    ;
}

/* Judges the region, of which only the stale parts are computed. */
static void
check (Fixture *f)
{
  const GeglRectangle rect = scene_get_rect (&f->scene);
  const gsize pixel = babl_format_get_bytes_per_pixel (f->scene.babl);
  g_autofree gpointer result = g_malloc (pixel * rect.width * rect.height);
  g_autofree double *source = scene_read_values (&f->scene, f->buffer);
  g_autofree double *expected = scene_expect (&f->scene, source);

  update (f);
  gegl_node_blit (f->blur, 1.0, &rect, f->scene.babl, result, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_CACHE);
  scene_judge (&f->scene, source, expected, result, 1.0);
}

/* Pixels that are other than they were: of the picture shifted by one. */
static void
paint (Fixture *f, const GeglRectangle *rect)
{
  g_autoptr (GeglBuffer) copy = gegl_buffer_dup (f->buffer);
  const GeglRectangle from = { rect->x + 1, rect->y + 1, rect->width, rect->height };

  gegl_buffer_copy (copy, &from, GEGL_ABYSS_LOOP, f->buffer, rect);
}

static const FxFormat rgba = { FX_SAMPLE_U8, 4, TRUE };

/* Nothing is computed twice. */
TEST (test_nothing, "/operation/changes/nothing")
{
  Fixture f;

  set_up (&f, TRUE, rgba, 4.0, 2.0);
  check (&f);
  g_assert_cmpuint (meter_take (f.meter), ==, 300 * 200);
  check (&f);
  g_assert_cmpuint (meter_take (f.meter), ==, 0);
  tear_down (&f);
}

/* A stroke makes the pixels that it reaches stale; computing these needs the pixels that reach
 * them. */
TEST (test_stroke, "/operation/changes/stroke")
{
  static const GeglRectangle strokes[] = {
    { 100, 100, 10, 6 }, { -30, 17, 1, 1 },   { 269, 216, 1, 1 },
    { -30, 60, 300, 3 }, { 130, 17, 2, 200 }, { 97, 97, 64, 64 },
  };
  const double sigmas[][2] = { { 1.5, 3.0 }, { 8.0, 12.0 } };

  for (guint i = 0; i < 2; i++)
    {
      const double farthest_x = 2 * 9.0 * sigmas[i][0] + 2, farthest_y = 2 * 9.0 * sigmas[i][1] + 2;
      Fixture f;

      set_up (&f, TRUE, i ? (FxFormat) { FX_SAMPLE_FLOAT, 4, TRUE } : rgba, sigmas[i][0],
              sigmas[i][1]);
      check (&f);
      for (guint k = 0; k < G_N_ELEMENTS (strokes); k++)
        {
          const double width = MIN (strokes[k].width + 2 * farthest_x, 300.0);
          const double height = MIN (strokes[k].height + 2 * farthest_y, 200.0);
          guint64 pixels;

          meter_take (f.meter);
          paint (&f, &strokes[k]);
          check (&f);
          pixels = meter_take (f.meter);
          g_assert_cmpuint (pixels, >, 0);
          g_assert_cmpfloat ((double) pixels, <=, width * height);
        }
      tear_down (&f);
    }
}

/* Two strokes before anybody looks; and a look at a part in between. */
static void
test_strokes (gconstpointer metered)
{
  Fixture f;

  set_up (&f, metered != NULL, rgba, 3.0, 3.0);
  check (&f);
  paint (&f, GEGL_RECTANGLE (-20, 20, 5, 5));
  paint (&f, GEGL_RECTANGLE (250, 200, 5, 5));
  check (&f);
  paint (&f, GEGL_RECTANGLE (0, 100, 50, 5));
  f.scene.c.region = (FxRect) { 0, 60, 40, 40 };
  check (&f);
  f.scene.c.region = (FxRect) { 30, 70, 100, 100 };
  check (&f);
  f.scene.c.region = (FxRect) { 0 };
  check (&f);
  tear_down (&f);
}

/* Each change of a property takes effect at once, and does not read the input again. */
static void
test_properties (gconstpointer metered)
{
  static const BlurParams params[] = {
    { .sigma_x = 2.0, .sigma_y = 3.0 },
    { .sigma_x = 2.0, .sigma_y = 30.0 },
    { .sigma_x = 2.0, .sigma_y = 30.0, .abyss = FX_ABYSS_WHITE },
    { .sigma_x = 2.0, .sigma_y = 30.0, .abyss = FX_ABYSS_WHITE, .light = FX_LIGHT_PERCEPTUAL },
    { .sigma_x = 2.0, .sigma_y = 30.0, .kernel_size = 7 },
    { .sigma_x = 0.0, .sigma_y = 0.0 },
    { .sigma_x = 0.0, .sigma_y = 1.0, .abyss = FX_ABYSS_BLACK },
    { .sigma_x = 50.0, .sigma_y = 50.0, .abyss = FX_ABYSS_NONE },
  };
  Fixture f;

  set_up (&f, metered != NULL, rgba, 1.0, 1.0);
  check (&f);
  for (guint i = 0; i < G_N_ELEMENTS (params) * 3; i++)
    {
      f.scene.c.params = params[i * 5 % G_N_ELEMENTS (params)];
      scene_set (&f.scene, f.blur);
      if (i % 3 == 2)
        paint (&f, GEGL_RECTANGLE ((int) i * 5, (int) i * 4 + 20, 20, 10));
      check (&f);
    }
  tear_down (&f);
}

/* The result grows and shrinks with the property. */
static void
test_growth (gconstpointer metered)
{
  Fixture f;

  set_up (&f, metered != NULL, rgba, 2.0, 2.0);
  check (&f);
  f.scene.extended = TRUE;
  scene_set (&f.scene, f.blur);
  f.scene.c.region = (FxRect) { -6, -6, 312, 212 };
  check (&f);
  f.scene.c.params.sigma_x = 4.0;
  scene_set (&f.scene, f.blur);
  f.scene.c.region = (FxRect) { -13, -6, 326, 212 };
  check (&f);
  paint (&f, GEGL_RECTANGLE (-30, 17, 4, 4));
  check (&f);
  f.scene.extended = FALSE;
  scene_set (&f.scene, f.blur);
  f.scene.c.region = (FxRect) { 0 };
  check (&f);
  tear_down (&f);
}

/* The result shrinks, or the picture goes, between GEGL's question what to compute and the
 * computation: above the picture, where the result no longer is. */

static void
clip (gpointer data)
{
  gegl_node_set (((Fixture *) data)->blur, "clip-extent", TRUE, NULL);
}

static void
shrink (gpointer data)
{
  gegl_node_set (((Fixture *) data)->blur, "std-dev-x", 0.3, "std-dev-y", 0.3, NULL);
}

static void
take_away (gpointer data)
{
  gegl_node_set (((Fixture *) data)->source, "buffer", NULL, NULL);
}

TEST (test_within, "/operation/changes/within")
{
  static void (*const changes[]) (gpointer data) = { clip, shrink, take_away };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      Fixture f;
      guint8 got[20][700][4];

      set_up (&f, TRUE, rgba, 60.0, 60.0);
      f.scene.extended = TRUE;
      scene_set (&f.scene, f.blur);
      meter_call (f.meter, changes[i], &f);
      gegl_node_blit (f.blur, 1.0, GEGL_RECTANGLE (-200, -150, 700, 20), f.scene.babl, got,
                      GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
      for (guint k = 0; k < G_N_ELEMENTS (got) * 700; k++)
        g_assert_cmpuint (got[k / 700][k % 700][3], ==, 0);
      gegl_node_set (f.source, "buffer", f.buffer, NULL);
      scene_set (&f.scene, f.blur);
      check (&f);
      tear_down (&f);
    }
}

/* Another picture of another format, size and place. */
static void
test_buffer (gconstpointer metered)
{
  static const FxFormat formats[] = {
    { FX_SAMPLE_FLOAT, 3, FALSE }, { FX_SAMPLE_U16, 2, TRUE },    { FX_SAMPLE_U8, 4, TRUE },
    { FX_SAMPLE_U8, 3, TRUE },     { FX_SAMPLE_DOUBLE, 1, TRUE },
  };
  Fixture f;

  set_up (&f, metered != NULL, rgba, 3.0, 5.0);
  check (&f);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      f.scene = scene_make (i, formats[i], FX_LIGHT_LINEAR, 100 + 50 * (int) i, 220 - 40 * (int) i,
                            3.0, 5.0);
      f.scene.x = 10 * (int) i;
      scene_set (&f.scene, f.blur);
      g_set_object (&f.buffer, NULL);
      f.buffer = scene_make_buffer (&f.scene);
      gegl_node_set (f.source, "buffer", f.buffer, NULL);
      check (&f);
    }
  tear_down (&f);
}

/* The picture changes while nobody tells the blur. */
static void
test_unseen (gconstpointer metered)
{
  GeglNode *before;
  Fixture f;

  set_up (&f, metered != NULL, rgba, 3.0, 5.0);
  before = metered ? f.meter : f.source;
  check (&f);
  gegl_node_disconnect (f.blur, "input");
  paint (&f, GEGL_RECTANGLE (0, 50, 60, 60));
  gegl_node_link (before, f.blur);
  check (&f);
  gegl_node_set (f.source, "buffer", NULL, NULL);
  paint (&f, GEGL_RECTANGLE (100, 50, 60, 60));
  gegl_node_set (f.source, "buffer", f.buffer, NULL);
  check (&f);
  gegl_buffer_freeze_changed (f.buffer);
  paint (&f, GEGL_RECTANGLE (0, 100, 60, 60));
  paint (&f, GEGL_RECTANGLE (200, 20, 60, 60));
  gegl_buffer_thaw_changed (f.buffer);
  check (&f);
  tear_down (&f);
}

/* A buffer moves, or shows more of what it shares with another. */
static void
test_views (gconstpointer metered)
{
  GeglBuffer *whole;
  Fixture f;

  set_up (&f, metered != NULL, rgba, 3.0, 5.0);
  check (&f);
  whole = f.buffer;
  for (int i = 0; i < 4; i++)
    {
      f.scene.x = -30 + 20 * i;
      f.scene.y = 17 + i;
      f.scene.c.width = 200 + i;
      f.scene.c.height = 150;
      f.buffer = gegl_buffer_create_sub_buffer (whole, GEGL_RECTANGLE (f.scene.x, f.scene.y,
                                                                       f.scene.c.width, 150));
      gegl_node_set (f.source, "buffer", f.buffer, NULL);
      check (&f);
      g_object_unref (f.buffer);
    }
  f.buffer = whole;
  tear_down (&f);
}

static void
add (const char *name, void (*test) (gconstpointer metered))
{
  g_autofree char *metered = g_strconcat ("/operation/changes/", name, NULL);
  g_autofree char *kept = g_strconcat (metered, "-kept", NULL);

  g_test_add_data_func (metered, "metered", test);
  g_test_add_data_func (kept, NULL, test);
}

TESTS (add_changes)
{
  add ("strokes", test_strokes);
  add ("properties", test_properties);
  add ("growth", test_growth);
  add ("buffer", test_buffer);
  add ("unseen", test_unseen);
  add ("views", test_views);
}
