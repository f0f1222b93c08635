/* cuda:gaussian-blur on several threads at once, and within itself, on one device: each result is
 * that of a call alone. ThreadSanitizer looks on. What pixels should be, the tests in Python know.
 *
 * GLib's tests take every warning for a failure: none may come from the operation, and none from
 * GEGL of buffers that are left. */
#include "folder.h"
#include "test.h"
#include "tested.h"

#include <gegl.h>
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

/* A buffer that has another picture blurred when it is read, as GIMP's projection may. */

typedef struct {
  Scene inner, outer;
} Nested;

/* Under the buffer's lock, which is recursive. */
static gpointer
command (GeglTileSource *source, GeglTileCommand what, gint x, gint y, gint z, gpointer data)
{
  const Scene *inner = what == GEGL_TILE_GET ? g_object_steal_data (G_OBJECT (source), "inner")
                                             : NULL;

  if (inner)
    check (inner);
  return gegl_tile_handler_source_command (source, what, x, y, z, data);
}

static gpointer
check_nested (gpointer data)
{
  const Nested *nested = data;
  g_autoptr (GeglBuffer) buffer = gegl_buffer_dup (nested->outer.buffer);
  g_autoptr (GObject) handler = g_object_new (GEGL_TYPE_TILE_HANDLER, NULL);
  g_autofree float *samples = NULL;

  ((GeglTileSource *) handler)->command = command;
  g_object_set_data (handler, "inner", (gpointer) &nested->inner);
  gegl_buffer_add_handler (buffer, handler);
  samples = render_alone (&nested->outer, buffer);
  compare (&nested->outer, samples);
  g_assert_null (g_object_get_data (handler, "inner"));
  return NULL;
}

TEST (test_nested, "/operation/threads/nested")
{
  Nested nested[THREADS];

  for (int i = 0; i < THREADS; i++)
    {
      nested[i].inner = make_scene (make_noise ("RGBA float", 300, 200), 2.0, 3.0 + i);
      nested[i].outer = make_scene (make_noise ("RGBA float", 300, 200), 9.0, 3.0);
      check_nested (&nested[i]);
    }
  run_threads (check_nested, nested, sizeof *nested);
  for (int i = 0; i < THREADS; i++)
    {
      scene_clear (&nested[i].inner);
      scene_clear (&nested[i].outer);
    }
}

/* The program. The environment's CUDA_BLUR_TEST_MODULE lies in a user's data folder, where setup.sh
 * puts it too, and there are no files of the user's. GEGL starts first, because an engine that
 * looks for NVRTC has GLib remember that folder. */

static char *
make_folder (const char *top, const char *name)
{
  char *path = g_build_filename (top, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  return path;
}

static void
link_module (const char *folder)
{
  const char *module = g_getenv ("CUDA_BLUR_TEST_MODULE");
  g_autofree char *path = g_build_filename (folder, "cuda-blur.so", NULL);

  g_assert_nonnull (module);
  g_assert_cmpint (symlink (module, path), ==, 0);
}

static void
start_gegl (const char *folder)
{
  g_autofree char *modules = make_folder (folder, "data/gegl-0.4/plug-ins");
  g_autofree char *data = make_folder (folder, "data"), *cache = make_folder (folder, "cache");

  link_module (modules);
  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_setenv ("GEGL_SWAP", "RAM", TRUE);
  g_unsetenv ("GEGL_PATH");
  g_setenv ("CUDA_BLUR_TAKE_OVER", "no", TRUE);
  g_object_set (gegl_config (), "application-license", "GPL3", NULL); /* as GIMP does */
  gegl_init (NULL, NULL);
  g_assert_true (gegl_has_operation ("cuda:gaussian-blur"));
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("cuda-blur-test-XXXXXX", NULL);
  int status;

  g_assert_nonnull (folder);
  start_gegl (folder);
  status = tested_main (argc, argv);
  gegl_exit ();
  folder_remove (folder);
  return status;
}
