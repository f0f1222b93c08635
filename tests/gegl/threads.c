/* Several at once, and one within another. */
#include "lazy.h"
#include "scene.h"
#include "test.h"

#define THREADS 4
#define ROUNDS  6

static const FxFormat plain = { FX_SAMPLE_FLOAT, 4, FALSE };

/* Own graphs */

static gpointer
check_scenes (gpointer data)
{
  const Scene *scenes = data;

  for (int i = 0; i < ROUNDS; i++)
    scene_check (&scenes[i]);
  return NULL;
}

TEST (test_graphs, "/operation/threads/graphs")
{
  Scene scenes[THREADS][ROUNDS];
  GThread *threads[THREADS];

  for (guint i = 0; i < THREADS * ROUNDS; i++)
    scenes[i / ROUNDS][i % ROUNDS] = scene_make (i, case_formats[i % CASE_FORMATS].format,
                                                 case_formats[i % CASE_FORMATS].light,
                                                 100 + 30 * (int) (i % 5), 90, i % 2 ? 3.0 : 20.0,
                                                 4.0);
  for (int i = 0; i < THREADS; i++)
    threads[i] = g_thread_new ("graph", check_scenes, scenes[i]);
  for (int i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
}

/* One picture, which several graphs read. */

typedef struct {
  Scene scene;
  GeglBuffer *buffer;
  const double *source;
} Shared;

static gpointer
check_shared (gpointer data)
{
  const Shared *shared = data;

  for (int i = 0; i < ROUNDS; i++)
    {
      g_autoptr (GeglNode) graph = gegl_node_new ();

      scene_check_node (&shared->scene, shared->source,
                        scene_add (&shared->scene, graph, shared->buffer));
    }
  return NULL;
}

TEST (test_buffer, "/operation/threads/buffer")
{
  Scene scene = scene_make (0, plain, FX_LIGHT_LINEAR, 200, 150, 6.0, 2.0);
  g_autoptr (GeglBuffer) buffer = scene_make_buffer (&scene);
  g_autofree double *source = scene_read_values (&scene, buffer);
  Shared shared[THREADS];
  GThread *threads[THREADS];

  for (int i = 0; i < THREADS; i++)
    {
      shared[i] = (Shared) { scene, buffer, source };
      shared[i].scene.c.params.sigma_x = 1.0 + 5.0 * i;
      threads[i] = g_thread_new ("shared", check_shared, &shared[i]);
    }
  for (int i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
}

/* One node: who asks it takes turns, for GEGL's graphs are one thread's at a time. */

typedef struct {
  const Scene *scene;
  const double *source;
  GeglNode *blur;
  GMutex *turn;
} Asker;

static gpointer
ask (gpointer data)
{
  const Asker *asker = data;

  for (int i = 0; i < ROUNDS; i++)
    {
      g_mutex_lock (asker->turn);
      scene_check_node (asker->scene, asker->source, asker->blur);
      g_mutex_unlock (asker->turn);
    }
  return NULL;
}

TEST (test_node, "/operation/threads/node")
{
  Scene scene = scene_make (0, plain, FX_LIGHT_LINEAR, 150, 100, 6.0, 2.0);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = scene_make_buffer (&scene);
  g_autofree double *source = scene_read_values (&scene, buffer);
  GMutex turn;
  Scene parts[THREADS];
  Asker askers[THREADS];
  GThread *threads[THREADS];
  GeglNode *blur = scene_add (&scene, graph, buffer);

  g_mutex_init (&turn);
  for (int i = 0; i < THREADS; i++)
    {
      parts[i] = scene;
      parts[i].c.region = (FxRect) { 10 * i, 5 * i, 70, 60 };
      askers[i] = (Asker) { &parts[i], source, blur, &turn };
      threads[i] = g_thread_new ("node", ask, &askers[i]);
    }
  for (int i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
  g_mutex_clear (&turn);
}

/* The picture's pixels are made while they are read, by our operation too. */

static void
check_nested (guint n)
{
  Scene inner = scene_make (n, plain, FX_LIGHT_LINEAR, 300, 200, 2.0, 3.0), outer = inner;
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) picture = scene_make_buffer (&inner);
  g_autoptr (GeglBuffer) lazy = lazy_new (&inner, picture);
  g_autofree double *source = scene_read_values (&inner, picture);
  g_autofree double *between = scene_expect (&inner, source);
  g_autofree double *expected = NULL;
  g_autofree gpointer result = g_malloc (300 * 200 * 16);

  outer.c.params.sigma_x = 9.0;
  expected = scene_expect (&outer, between);
  gegl_node_blit (scene_add (&outer, graph, lazy), 1.0, GEGL_RECTANGLE (0, 0, 300, 200), outer.babl,
                  result, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  scene_judge (&outer, between, expected, result, 2.0);
}

TEST (test_nested, "/operation/threads/nested")
{
  for (guint n = 0; n < 4; n++)
    check_nested (n);
}

static gpointer
check_nested_once (gpointer data)
{
  check_nested (GPOINTER_TO_UINT (data));
  return NULL;
}

TEST (test_nested_threads, "/operation/threads/nested-threads")
{
  GThread *threads[THREADS];

  for (guint i = 0; i < THREADS; i++)
    threads[i] = g_thread_new ("nested", check_nested_once, GUINT_TO_POINTER (i));
  for (guint i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
}
