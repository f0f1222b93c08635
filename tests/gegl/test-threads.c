/* cuda:gaussian-blur on several threads at once, and within itself, on one device: each result is
 * that of a call alone. ThreadSanitizer looks on. What pixels should be, the tests in Python know.
 *
 * GLib's tests take every warning for a failure: none may come from the operation. */
#include "session.h"
#include "test.h"
#include "tested.h"

#include <gegl-buffer-backend.h>

#define THREADS   4
#define ROUNDS    6
#define TOLERANCE 0.01 /* of 1: more than two programs for the same blur differ by */

/* A picture and its blur, at 0, 0. */
typedef struct {
  GeglBuffer *buffer;
  GeglRectangle rect; /* that is looked at */
  double sigma_x, sigma_y;
  float *expected; /* RGBA, of a call alone */
} Scene;

static GeglBuffer *
make_noise (const char *format, int width, int height)
{
  const GeglRectangle extent = { 0, 0, width, height };
  GeglBuffer *buffer = gegl_buffer_new (&extent, babl_format (format));
  const int count = width * height * 4;
  g_autofree float *samples = g_new (float, count);

  for (int i = 0; i < count; i++)
    samples[i] = (float) g_test_rand_double_range (i % 4 == 3 ? 0.3 : 0.0, 1.0);
  gegl_buffer_set (buffer, &extent, 0, babl_format ("R'G'B'A float"), samples, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

static GeglNode *
add_blur (const Scene *scene, GeglNode *graph, GeglBuffer *buffer)
{
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer",
                                          buffer, NULL);
  GeglNode *blur = gegl_node_new_child (graph, "operation", "cuda:gaussian-blur", "std-dev-x",
                                        scene->sigma_x, "std-dev-y", scene->sigma_y, "device",
                                        (int) tested_device (), NULL);

  gegl_node_link (source, blur);
  return blur;
}

static float *
render (const Scene *scene, GeglNode *blur)
{
  float *samples = g_new (float, (gsize) scene->rect.width * scene->rect.height * 4);

  gegl_node_blit (blur, 1.0, &scene->rect, babl_format ("R'G'B'A float"), samples,
                  GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  return samples;
}

static float *
render_alone (const Scene *scene, GeglBuffer *buffer)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();

  return render (scene, add_blur (scene, graph, buffer));
}

static void
compare (const Scene *scene, const float *samples)
{
  for (int i = 0; i < scene->rect.width * scene->rect.height * 4; i++)
    g_assert_cmpfloat_with_epsilon (samples[i], scene->expected[i], TOLERANCE);
}

static void
check (const Scene *scene)
{
  g_autofree float *samples = render_alone (scene, scene->buffer);

  compare (scene, samples);
}

/* Takes buffer. */
static Scene
make_scene (GeglBuffer *buffer, double sigma_x, double sigma_y)
{
  Scene scene = { buffer, *gegl_buffer_get_extent (buffer), sigma_x, sigma_y, NULL };

  scene.expected = render_alone (&scene, buffer);
  return scene;
}

static void
scene_clear (Scene *scene)
{
  g_object_unref (scene->buffer);
  g_free (scene->expected);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scene, scene_clear)

/* Calls func on a thread for each item of data, of that size. */
static void
run_threads (GThreadFunc func, gpointer data, gsize size)
{
  GThread *threads[THREADS];

  for (int i = 0; i < THREADS; i++)
    threads[i] = g_thread_new ("blur", func, (char *) data + i * size);
  for (int i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
}

/* Pictures and graphs of their own. */

static gpointer
check_scenes (gpointer data)
{
  const Scene *scenes = data;

  for (int i = 0; i < ROUNDS; i++)
    check (&scenes[i]);
  return NULL;
}

TEST (test_graphs, "/operation/threads/graphs")
{
  static const char *const formats[] = { "R'G'B'A u8", "R'G'B' u16", "YA float", "Y' u8",
                                         "RGBA half" };
  Scene scenes[THREADS * ROUNDS];

  for (int i = 0; i < THREADS * ROUNDS; i++)
    scenes[i] = make_scene (make_noise (formats[i % 5], 100 + 30 * (i % 5), 90), i % 2 ? 3.0 : 20.0,
                            4.0);
  run_threads (check_scenes, scenes, ROUNDS * sizeof *scenes);
  for (int i = 0; i < THREADS * ROUNDS; i++)
    scene_clear (&scenes[i]);
}

/* One picture, which several graphs read. */

static gpointer
check_often (gpointer scene)
{
  for (int i = 0; i < ROUNDS; i++)
    check (scene);
  return NULL;
}

TEST (test_buffer, "/operation/threads/buffer")
{
  g_autoptr (GeglBuffer) buffer = make_noise ("RGBA float", 200, 150);
  Scene scenes[THREADS];

  for (int i = 0; i < THREADS; i++)
    scenes[i] = make_scene (g_object_ref (buffer), 1.0 + 5.0 * i, 2.0);
  run_threads (check_often, scenes, sizeof *scenes);
  for (int i = 0; i < THREADS; i++)
    scene_clear (&scenes[i]);
}

/* One node: who asks it takes turns, for GEGL's graphs are one thread's at a time. */

typedef struct {
  Scene scene; /* a part */
  GeglNode *blur;
  GMutex *turn;
} Asker;

static gpointer
ask (gpointer data)
{
  const Asker *asker = data;

  for (int i = 0; i < ROUNDS; i++)
    {
      g_autofree float *samples = NULL;

      g_mutex_lock (asker->turn);
      samples = render (&asker->scene, asker->blur);
      g_mutex_unlock (asker->turn);
      compare (&asker->scene, samples);
    }
  return NULL;
}

TEST (test_node, "/operation/threads/node")
{
  g_auto (Scene) scene = make_scene (make_noise ("RGBA float", 150, 100), 6.0, 2.0);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *blur = add_blur (&scene, graph, scene.buffer);
  Asker askers[THREADS];
  GMutex turn;

  g_mutex_init (&turn);
  for (int i = 0; i < THREADS; i++)
    {
      askers[i] = (Asker) { scene, blur, &turn };
      askers[i].scene.rect = (GeglRectangle) { 10 * i, 5 * i, 70, 60 };
      askers[i].scene.expected = render_alone (&askers[i].scene, scene.buffer);
    }
  run_threads (ask, askers, sizeof *askers);
  for (int i = 0; i < THREADS; i++)
    g_free (askers[i].scene.expected);
  g_mutex_clear (&turn);
}

/* A buffer whose pixels another graph computes when they are read, as in GIMP's projection: also by
 * our operation. */

typedef struct {
  GeglTileHandler parent;
  const Scene *scene; /* what its pixels are the blur of */
  int tile_width, tile_height;
  GHashTable *made; /* tiles, by their place */
} Lazy;

typedef GeglTileHandlerClass LazyClass;

static GType lazy_get_type (void);
G_DEFINE_TYPE (Lazy, lazy, GEGL_TYPE_TILE_HANDLER)

static void
make_tile (Lazy *lazy, GeglTile *tile, int x, int y)
{
  const GeglRectangle rect = { x * lazy->tile_width, y * lazy->tile_height, lazy->tile_width,
                               lazy->tile_height };
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *blur = add_blur (lazy->scene, graph, lazy->scene->buffer);

  gegl_tile_lock (tile);
  gegl_node_blit (blur, 1.0, &rect, gegl_buffer_get_format (lazy->scene->buffer),
                  gegl_tile_get_data (tile), GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  gegl_tile_unlock (tile);
}

/* Under the buffer's lock, which is recursive. */
static gpointer
command (GeglTileSource *source, GeglTileCommand what, gint x, gint y, gint z, gpointer data)
{
  Lazy *lazy = (Lazy *) source;
  gpointer place = GINT_TO_POINTER (y * 65536 + x + 1);
  GeglTile *tile;

  if (what != GEGL_TILE_GET || z > 0 || g_hash_table_contains (lazy->made, place))
    return gegl_tile_handler_source_command (source, what, x, y, z, data);
  g_hash_table_add (lazy->made, place);
  tile = gegl_tile_handler_get_source_tile (&lazy->parent, x, y, z, FALSE);
  make_tile (lazy, tile, x, y);
  return tile;
}

static void
finalize (GObject *object)
{
  g_hash_table_unref (((Lazy *) object)->made);
  G_OBJECT_CLASS (lazy_parent_class)->finalize (object);
}

static void
lazy_class_init (LazyClass *class)
{
  G_OBJECT_CLASS (class)->finalize = finalize;
}

static void
lazy_init (Lazy *lazy)
{
  ((GeglTileSource *) lazy)->command = command;
  lazy->made = g_hash_table_new (NULL, NULL);
}

/* scene must outlive the buffer. */
static GeglBuffer *
make_lazy_buffer (const Scene *scene)
{
  GeglBuffer *buffer = gegl_buffer_new (&scene->rect, gegl_buffer_get_format (scene->buffer));
  Lazy *lazy = g_object_new (lazy_get_type (), NULL);

  lazy->scene = scene;
  g_object_get (buffer, "tile-width", &lazy->tile_width, "tile-height", &lazy->tile_height, NULL);
  gegl_buffer_add_handler (buffer, lazy);
  g_object_unref (lazy);
  return buffer;
}

/* What a scene's blur is blurred to, and the scene itself. */
typedef struct {
  Scene inner, outer;
} Nested;

static gpointer
check_nested (gpointer data)
{
  const Nested *nested = data;
  g_autoptr (GeglBuffer) lazy = make_lazy_buffer (&nested->inner);
  g_autofree float *samples = render_alone (&nested->outer, lazy);

  compare (&nested->outer, samples);
  return NULL;
}

TEST (test_nested, "/operation/threads/nested")
{
  const Babl *format = babl_format ("R'G'B'A float");
  Nested nested[THREADS];

  for (int i = 0; i < THREADS; i++)
    {
      GeglBuffer *between = gegl_buffer_new (GEGL_RECTANGLE (0, 0, 300, 200),
                                             babl_format ("RGBA float"));

      nested[i].inner = make_scene (make_noise ("RGBA float", 300, 200), 2.0, 3.0 + i);
      gegl_buffer_set (between, NULL, 0, format, nested[i].inner.expected, GEGL_AUTO_ROWSTRIDE);
      nested[i].outer = make_scene (between, 9.0, 3.0);
      check_nested (&nested[i]);
    }
  run_threads (check_nested, nested, sizeof *nested);
  for (int i = 0; i < THREADS; i++)
    {
      scene_clear (&nested[i].inner);
      scene_clear (&nested[i].outer);
    }
}
