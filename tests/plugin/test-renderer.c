/* The dialog's copy of a drawable, and the thread that renders it, while the drawable changes in
 * GIMP. The functions below stand in for libgimp and for the tiles. */
#include "drawable-copy.h"
#include "filters.h"
#include "renderer.h"
#include "test.h"
#include "tiles.h"

#include <libgimp/gimp.h>

#define WIDTH     640
#define HEIGHT    480
#define TILE      64
#define DRAWABLE  3
#define SELECTION 7
#define RESULTS   60

static guint8 pixels, mask; /* each byte of the drawable, and of its selection */

struct Tiles {
  gint32 drawable;
};

Tiles *__wrap_tiles_open (const ApplyTarget *target, gboolean split);
void __wrap_tiles_close (Tiles *tiles);
void __wrap_tiles_read (Tiles *tiles, const FxRect *rect, gpointer rows, gsize stride);
gboolean __wrap_apply_target_init (ApplyTarget *target, gint32 drawable, GError **error);
gboolean __wrap_apply_target_can_grow (const ApplyTarget *target);

Tiles *
__wrap_tiles_open (const ApplyTarget *target, gboolean split)
{
  Tiles *tiles = g_new0 (Tiles, 1);

  tiles->drawable = target->drawable;
  return tiles;
}

void
__wrap_tiles_close (Tiles *tiles)
{
  g_free (tiles);
}

void
__wrap_tiles_read (Tiles *tiles, const FxRect *rect, gpointer rows, gsize stride)
{
  memset (rows, tiles->drawable == SELECTION ? mask : pixels, rect->height * stride);
}

gboolean
__wrap_apply_target_init (ApplyTarget *target, gint32 drawable, GError **error)
{
  *target = (ApplyTarget) { .drawable = drawable,
                            .encoding = "as the test wants",
                            .format = { FX_SAMPLE_U8, drawable == SELECTION ? 1 : 4, TRUE },
                            .width = WIDTH,
                            .height = HEIGHT };
  return TRUE;
}

gboolean
__wrap_apply_target_can_grow (const ApplyTarget *target)
{
  return FALSE;
}

guint
gimp_tile_width (void)
{
  return TILE;
}

guint
gimp_tile_height (void)
{
  return TILE;
}

gint32
gimp_item_get_image (gint32 item)
{
  return 1;
}

gint32
gimp_image_get_selection (gint32 image)
{
  return SELECTION;
}

gboolean
gimp_selection_is_empty (gint32 image)
{
  return FALSE;
}

gboolean
gimp_drawable_offsets (gint32 drawable, gint *x, gint *y)
{
  *x = *y = 0;
  return TRUE;
}

gboolean
gimp_drawable_mask_intersect (gint32 drawable, gint *x, gint *y, gint *width, gint *height)
{
  *x = *y = 0;
  *width = WIDTH;
  *height = HEIGHT;
  return TRUE;
}

gboolean
gimp_item_is_layer (gint32 item)
{
  return TRUE;
}

gboolean
gimp_image_get_component_active (gint32 image, GimpChannelType component)
{
  return TRUE;
}

gboolean
gimp_layer_get_lock_alpha (gint32 layer)
{
  return FALSE;
}

/* The tests. */

static const FxRect all = { 0, 0, WIDTH, HEIGHT };

static DrawableCopy *
make_copy (ApplyTarget *target)
{
  g_autoptr (GError) error = NULL;
  DrawableCopy *copy;

  __wrap_apply_target_init (target, DRAWABLE, NULL);
  copy = drawable_copy_new (target, &error);
  g_assert_no_error (error);
  return copy;
}

static void
read_all (DrawableCopy *copy, guint8 new_pixels, guint8 new_mask)
{
  pixels = new_pixels;
  mask = new_mask;
  drawable_copy_begin (copy, NULL);
  while (drawable_copy_read (copy, &all, 0))
    ;
}

static void
check_bytes (const DrawableCopy *copy, guint8 expected_pixels, guint8 expected_mask)
{
  const guint8 *bytes = drawable_copy_get_pixels (copy);
  gsize i;

  for (i = 0; i < WIDTH * HEIGHT * 4; i++)
    g_assert_cmpuint (bytes[i], ==, expected_pixels);
  bytes = drawable_copy_get_mask (copy);
  for (i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmpuint (bytes[i], ==, expected_mask);
}

static void
count_rows (gpointer data, int y, int rows)
{
  *(int *) data += rows;
}

/* Whoever holds a copy reads the same bytes until the release; changes are told once. */
TEST (test_held, "/renderer/held")
{
  ApplyTarget target;
  g_autoptr (DrawableCopy) copy = make_copy (&target);
  int told = 0;

  read_all (copy, 10, 128);
  drawable_copy_set_changed (copy, count_rows, &told);
  drawable_copy_hold (copy);
  read_all (copy, 20, 255);
  g_assert_cmpint (told, ==, HEIGHT);
  read_all (copy, 20, 255);
  g_assert_cmpint (told, ==, HEIGHT);
  check_bytes (copy, 10, 128);
  read_all (copy, 30, 64);
  g_assert_cmpint (told, ==, 2 * HEIGHT);
  drawable_copy_release (copy);
  check_bytes (copy, 30, 64);
  drawable_copy_hold (copy);
  read_all (copy, 40, 0); /* still waits when the copy is freed */
}

/* Views and layers are rendered, one after the other, while the drawable is read. */

typedef struct {
  Renderer *renderer;
  gboolean waiting; /* for the request's result */
  int results;
} Rendering;

static void
take_view (gpointer data, RendererView *result)
{
  Rendering *rendering = data;

  g_assert_no_error (result->error);
  rendering->waiting = FALSE;
  rendering->results++;
}

static void
take_layer (gpointer data, RendererLayer *result)
{
  Rendering *rendering = data;

  g_assert_no_error (result->error);
  rendering->waiting = FALSE;
  rendering->results++;
}

static void
pass_change (gpointer data, int y, int rows)
{
  renderer_change (((Rendering *) data)->renderer, y, rows);
}

static void
request (Rendering *rendering, const ApplyTarget *target, const FilterSettings *settings)
{
  RendererView view = { .wants_after = TRUE,
                        .wants_before = TRUE,
                        .view = { 0.5, { 0, 0, WIDTH / 2, HEIGHT / 2 } } };
  RendererLayer layer = { 0 };

  rendering->waiting = TRUE;
  if (rendering->results % 2)
    {
      apply_job_init (&view.job, target, settings);
      renderer_request_view (rendering->renderer, &view);
      return;
    }
  apply_job_init (&layer.job, target, settings);
  layer.job.image.region = all;
  renderer_request_layer (rendering->renderer, &layer);
}

/* Reads the drawable again and again until enough has been rendered. */
static void
render (Rendering *rendering, DrawableCopy *copy, const ApplyTarget *target,
        const FilterSettings *settings)
{
  guint8 round = 0;

  while (rendering->results < RESULTS)
    {
      pixels = round * 37;
      mask = round++ % 2 ? 128 : 255;
      drawable_copy_begin (copy, NULL);
      if (! rendering->waiting)
        request (rendering, target, settings);
      while (drawable_copy_read (copy, &all, 0))
        g_main_context_iteration (NULL, FALSE);
    }
}

TEST (test_threads, "/renderer/threads")
{
  static const RendererFuncs funcs = { take_view, take_layer };
  ApplyTarget target;
  g_autoptr (DrawableCopy) copy = make_copy (&target);
  FxEngine *engine = fx_engine_new ();
  const FxConfig config = { .device = FX_DEVICE_CPU, .memory_limit = G_MAXSIZE };
  g_autoptr (FilterSettings) settings = filter_settings_new (filters[0]);
  Rendering rendering = { 0 };
  g_autoptr (GError) error = NULL;

  fx_engine_set_config (engine, &config);
  rendering.renderer = renderer_new (engine, &target, copy, &funcs, &rendering, &error);
  g_assert_no_error (error);
  drawable_copy_set_changed (copy, pass_change, &rendering);
  render (&rendering, copy, &target, settings);
  renderer_free (rendering.renderer);
  fx_engine_free (engine);
}

/* Plans are made on the renderer's thread, which makes one for each change of the settings. */

static GThread *main_thread;
static gint plans; /* that were made; atomic */

static FxPlan *
count_plan (const FilterSettings *settings, const FxFormat *format, const FxGeometry *geometry,
            gboolean coverage)
{
  g_assert_true (g_thread_self () != main_thread);
  g_atomic_int_inc (&plans);
  return filters[0]->make_plan (settings, format, geometry, coverage);
}

static char *
tell_sigma (const FilterSettings *settings, const FxPlan *plan)
{
  g_assert_nonnull (plan);
  return g_strdup_printf ("%g", filter_settings_get (settings, 0));
}

static void
take_facts (gpointer data, RendererView *result)
{
  take_view (data, result);
  g_assert_cmpstr (result->facts, ==, result->wants_after ? "2" : "3");
}

/* A view, or the facts alone, and a layer. */
static void
request_both (Rendering *rendering, const ApplyTarget *target, const FilterSettings *settings,
              gboolean wants_view)
{
  RendererView view = { .wants_after = wants_view, .view = { 1.0, { 0, 0, WIDTH, HEIGHT } } };
  RendererLayer layer = { 0 };
  int results = rendering->results;

  apply_job_init (&view.job, target, settings);
  apply_job_init (&layer.job, target, settings);
  layer.job.image.region = all;
  renderer_request_view (rendering->renderer, &view);
  renderer_request_layer (rendering->renderer, &layer);
  while (rendering->results < results + 2)
    g_main_context_iteration (NULL, TRUE);
}

TEST (test_plans, "/renderer/plans")
{
  static const RendererFuncs funcs = { take_facts, take_layer };
  FilterDescription counted = *filters[0];
  ApplyTarget target;
  g_autoptr (DrawableCopy) copy = make_copy (&target);
  FxEngine *engine = fx_engine_new ();
  g_autoptr (FilterSettings) settings = filter_settings_new (&counted);
  Rendering rendering = { 0 };

  main_thread = g_thread_self ();
  counted.make_plan = count_plan;
  counted.describe = tell_sigma;
  rendering.renderer = renderer_new (engine, &target, copy, &funcs, &rendering, NULL);
  read_all (copy, 10, 128);
  filter_settings_set (settings, 0, 2.0);
  request_both (&rendering, &target, settings, TRUE);
  request_both (&rendering, &target, settings, TRUE);
  g_assert_cmpint (g_atomic_int_get (&plans), ==, 1);
  filter_settings_set (settings, 0, 3.0);
  request_both (&rendering, &target, settings, FALSE);
  g_assert_cmpint (g_atomic_int_get (&plans), ==, 2);
  renderer_free (rendering.renderer);
  fx_engine_free (engine);
}
