/* gegl:gaussian-blur taken over: who makes its nodes, and what these do.
 *
 * CUDA_BLUR_TEST_MODULE: the module; CUDA_BLUR_TEST_GEGL: the folder of GEGL's own operations. What
 * a process decides once is tried in a process of its own. */
#define _GNU_SOURCE /* dladdr */

#include "../lib/folder.h"
#include "chain.h"

#include <dlfcn.h>
#include <gegl-plugin.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define THEIRS "gegl:gaussian-blur"
#define OURS   "cuda:gaussian-blur"

#define AUTO      0 /* of the property "filter": recursive from a radius of 1 on */
#define FIR       1
#define THREADS   4
#define NODES     25
#define PROCESSES 6

#define X -7 /* the pictures begin there */
#define Y 11

/* Of 1. GEGL's FIR ends at 3.25 sigma; its recursive filter is less exact. */
#define TOLERANCE           0.002
#define RECURSIVE_TOLERANCE 0.03

static char *folder; /* the user's data, of this process */

static char *
get_modules (void)
{
  return g_build_filename (folder, "gegl-0.4", "plug-ins", NULL);
}

/* Lays the file that setup.sh lays, or takes it away if text is NULL. */
static void
set_mark (const char *text)
{
  g_autofree char *modules = get_modules ();
  g_autofree char *mark = g_build_filename (modules, "cuda-blur-take-over", NULL);

  if (text)
    g_assert_true (g_file_set_contents (mark, text, -1, NULL));
  else
    g_unlink (mark);
}

/* Puts the module among the user's. */
static void
install (void)
{
  const char *module = g_getenv ("CUDA_BLUR_TEST_MODULE");
  g_autofree char *modules = get_modules ();
  g_autofree char *path = g_build_filename (modules, "cuda-blur.so", NULL);

  g_assert_nonnull (module);
  g_unlink (path);
  g_assert_cmpint (symlink (module, path), ==, 0);
}

static void
start (void)
{
  static gsize started;

  if (! g_once_init_enter (&started))
    return;
  g_object_set (gegl_config (), "application-license", "GPL3", NULL); /* as GIMP does */
  gegl_init (NULL, NULL);
  g_once_init_leave (&started, 1);
}

/* With the module among the user's. */
static void
start_with (const char *take_over, const char *mark)
{
  if (take_over)
    g_setenv ("CUDA_BLUR_TAKE_OVER", take_over, TRUE);
  install ();
  set_mark (mark);
  start ();
}

static gboolean
has_child (GeglNode *node, const char *operation)
{
  g_autoptr (GSList) children = gegl_node_get_children (node);
  GSList *child;

  for (child = children; child; child = child->next)
    if (g_strcmp0 (gegl_node_get_operation (child->data), operation) == 0)
      return TRUE;
  return FALSE;
}

/* The file that the class's attach is in. */
static char *
get_attacher (void)
{
  g_autoptr (GeglNode) node = gegl_node_new_child (NULL, "operation", THEIRS, NULL);
  GeglOperation *operation = gegl_node_get_gegl_operation (node);
  Dl_info info;

  g_assert_true (dladdr ((gpointer) GEGL_OPERATION_GET_CLASS (operation)->attach, &info));
  return g_path_get_basename (info.dli_fname);
}

static void
check_node (gboolean ours)
{
  g_autoptr (GeglNode) node = gegl_node_new_child (NULL, "operation", THEIRS, NULL);

  g_assert_true (has_child (node, OURS) == ours);
  g_assert_true (has_child (node, "gegl:gblur-1d") == ! ours);
}

static void
check_untouched (void)
{
  g_autofree char *attacher = get_attacher ();

  g_assert_true (g_str_has_prefix (attacher, "gegl-common"));
  g_assert_true (gegl_has_operation (OURS));
  check_node (FALSE);
}

/* Whether it is wanted. */

static const struct {
  const char *name, *value; /* of CUDA_BLUR_TAKE_OVER */
  const char *mark;
  gboolean ours;
  const char *message;
} wanted[] = {
  { "unset", NULL, NULL, FALSE, NULL },
  { "no", "no", "yes", FALSE, NULL },
  { "neither", "maybe", "yes", FALSE, "CUDA_BLUR_TAKE_OVER is \"maybe\", but must be yes, no or " },
  { "yes", "yes", NULL, TRUE, NULL },
  { "named", "gaussian-blur", NULL, TRUE, NULL },
  { "half-named", "gaussian-blur,", NULL, FALSE, "\"gaussian-blur,\", but must be yes, no or " },
  { "marked", "", "yes\n", TRUE, NULL },
  { "marked-empty", NULL, "", TRUE, NULL },
  { "marked-named", NULL, "gaussian-blur\n", TRUE, NULL },
  { "marked-neither", NULL, "maybe", FALSE,
    "/cuda-blur-take-over is \"maybe\", but must be yes, " },
};

static void
be_wanted (gconstpointer i)
{
  start_with (wanted[GPOINTER_TO_INT (i)].value, wanted[GPOINTER_TO_INT (i)].mark);
  if (wanted[GPOINTER_TO_INT (i)].ours)
    check_node (TRUE);
  else
    check_untouched ();
}

static void
test_wanted (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      g_autofree char *path = g_strconcat ("/take-over/subprocess/", wanted[i].name, NULL);
      g_autofree char *message = g_strconcat ("*", wanted[i].message, "*", NULL);

      g_test_trap_subprocess (path, 0, 0);
      g_test_trap_assert_passed ();
      if (wanted[i].message)
        g_test_trap_assert_stderr (message);
      else
        g_test_trap_assert_stderr_unmatched ("*must be yes*");
      g_test_trap_assert_stderr_unmatched ("*must be yes*must be yes*");
    }
}

/* GEGL loads the files of GEGL_PATH in the opposite order. */
static void
be_ordered (gconstpointer first)
{
  g_autofree char *modules = get_modules (), *path = NULL;
  const char *gegl = g_getenv ("CUDA_BLUR_TEST_GEGL");

  path = g_strconcat (first ? gegl : modules, ":", first ? modules : gegl, NULL);
  g_setenv ("GEGL_PATH", path, TRUE);
  start_with ("yes", NULL);
  check_node (TRUE);
}

static void
test_order (void)
{
  g_test_trap_subprocess ("/take-over/subprocess/first", 0, 0);
  g_test_trap_assert_passed ();
  g_test_trap_subprocess ("/take-over/subprocess/last", 0, 0);
  g_test_trap_assert_passed ();
}

/* Threads. */

typedef struct {
  GMutex lock;
  GCond changed;
  gboolean open;
} Gate;

static void
pass (Gate *gate)
{
  g_mutex_lock (&gate->lock);
  while (! gate->open)
    g_cond_wait (&gate->changed, &gate->lock);
  g_mutex_unlock (&gate->lock);
}

static gpointer
make_nodes (gpointer gate)
{
  pass (gate);
  for (int i = 0; i < NODES; i++)
    {
      g_autoptr (GeglNode)
        part = gegl_node_new_child (NULL, "operation", "gegl:unsharp-mask", NULL);

      check_node (TRUE);
    }
  return NULL;
}

/* Calls load, then lets the threads go, which all want the class at once. */
static void
race (void (*load) (void))
{
  Gate gate = { .open = FALSE };
  GThread *threads[THREADS];

  for (int i = 0; i < THREADS; i++)
    threads[i] = g_thread_new ("nodes", make_nodes, &gate);
  load ();
  g_mutex_lock (&gate.lock);
  gate.open = TRUE;
  g_cond_broadcast (&gate.changed);
  g_mutex_unlock (&gate.lock);
  make_nodes (&gate);
  for (int i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
}

static void
load_at_start (void)
{
  start_with ("yes", NULL);
}

static void
be_raced (void)
{
  race (load_at_start);
}

static void
load_later (void)
{
  g_autofree char *modules = get_modules ();

  install ();
  gegl_load_module_directory (modules);
}

/* A node of before stays GEGL's, and works. */
static void
be_late (void)
{
  g_autoptr (GeglNode) graph = NULL;
  GeglNode *source, *blur;
  GeglRectangle box;

  g_setenv ("CUDA_BLUR_TAKE_OVER", "yes", TRUE);
  start ();
  graph = gegl_node_new ();
  source = gegl_node_new_child (graph, "operation", "gegl:rectangle", NULL);
  blur = gegl_node_new_child (graph, "operation", THEIRS, "clip-extent", FALSE, NULL);
  gegl_node_link (source, blur);
  race (load_later);
  g_assert_true (has_child (blur, "gegl:gblur-1d"));
  gegl_node_set (source, "x", 0.0, "y", 0.0, "width", 9.0, "height", 9.0, NULL);
  gegl_node_set (blur, "std-dev-x", 2.0, NULL);
  box = gegl_node_get_bounding_box (blur);
  g_assert_cmpint (box.width, ==, 9 + 2 * 6);
}

static void
test_threads (void)
{
  for (int i = 0; i < PROCESSES; i++)
    {
      g_test_trap_subprocess (i % 2 ? "/take-over/subprocess/late" : "/take-over/subprocess/raced",
                              0, 0);
      g_test_trap_assert_passed ();
    }
}

/* The blur itself. */

static const char *const formats[] = { "R'G'B'A u8", "R'G'B' u16", "Y' u8", "Y float",
                                       "RGBA float" };
static const double radii[] = { 0.0, 0.4, 0.9, 2.5, 13.0 };

/* Of GEGL's and ours, made by the file beside the module. */
static void
make_both (Chain *theirs, Chain *ours, const char *operation, const char *format)
{
  set_mark (NULL);
  chain_init (theirs, operation, format, X, Y);
  set_mark ("");
  chain_init (ours, operation, format, X, Y);
}

static void
set_blur (Chain *chain, double x, double y, int abyss, gboolean clip)
{
  gegl_node_set (chain->node, "std-dev-x", x, "std-dev-y", y, "abyss-policy", abyss, "clip-extent",
                 clip, NULL);
}

/* Beyond a picture whose blur is larger is nothing: so it is with GEGL's recursive filter. (Its FIR
 * has the abyss there. Black and white, the recursive one has them beyond the result.) */
static void
check_soft (Chain *theirs, Chain *ours, double x, double y, int abyss)
{
  GeglRectangle box = gegl_node_get_bounding_box (theirs->source);

  if ((x > 0.0 && x < 1.0) || (y > 0.0 && y < 1.0))
    return;
  if (abyss <= 1) /* none, clamp */
    box = gegl_node_get_bounding_box (theirs->node);
  gegl_node_set (theirs->node, "filter", AUTO, NULL);
  chain_check_part (theirs, ours, &box, RECURSIVE_TOLERANCE);
}

/* Without an alpha, nothing is black. */
static void
check_extended (Chain *theirs, Chain *ours, double x, double y, int abyss)
{
  check_soft (theirs, ours, x, y, abyss);
  gegl_node_set (theirs->node, "filter", FIR, "abyss-policy", 0, NULL); /* none */
  chain_check_same (theirs, ours, TOLERANCE);
}

/* What there is to set, on both, and on the operation itself. */
static void
check_blur (Chain *theirs, Chain *ours, Chain *itself, double x, double y)
{
  for (int abyss = 0; abyss < 4; abyss++)
    for (int clip = 0; clip < 2; clip++)
      {
        set_blur (theirs, x, y, abyss, clip);
        set_blur (ours, x, y, abyss, clip);
        set_blur (itself, x, y, abyss, clip);
        for (int filter = 0; filter < 3; filter++)
          {
            gegl_node_set (theirs->node, "filter", filter, NULL);
            gegl_node_set (ours->node, "filter", filter, NULL);
            chain_check_same_size (theirs, ours);
          }
        gegl_node_set (theirs->node, "filter", FIR, NULL);
        if (clip)
          chain_check_same (theirs, ours, TOLERANCE);
        else
          check_extended (theirs, ours, x, y, abyss);
        chain_check_same (itself, ours, 0.0);
      }
}

static void
test_blur (void)
{
  start_with (NULL, "yes\n");
  check_node (TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_auto (Chain) theirs = { NULL }, ours = { NULL }, itself = { NULL };

      make_both (&theirs, &ours, THEIRS, formats[i]);
      chain_init (&itself, OURS, formats[i], X, Y);
      gegl_node_set (itself.node, "floats", TRUE, NULL); /* as in a graph */
      g_assert_true (has_child (ours.node, OURS) && ! has_child (theirs.node, OURS));
      for (guint j = 0; j < G_N_ELEMENTS (radii); j++)
        for (guint k = 0; k < G_N_ELEMENTS (radii); k++)
          {
            g_test_message ("%s, %g x %g", formats[i], radii[j], radii[k]);
            check_blur (&theirs, &ours, &itself, radii[j], radii[k]);
          }
    }
}

int
main (int argc, char **argv)
{
  g_autofree char *modules = NULL;
  int status;

  folder = g_dir_make_tmp ("test-take-over-XXXXXX", NULL);
  g_assert_nonnull (folder);
  modules = get_modules ();
  g_assert_cmpint (g_mkdir_with_parents (modules, 0700), ==, 0);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_unsetenv ("GEGL_PATH");
  g_unsetenv ("CUDA_BLUR_TAKE_OVER");

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/take-over/wanted", test_wanted);
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      g_autofree char *path = g_strconcat ("/take-over/subprocess/", wanted[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), be_wanted);
    }
  g_test_add_func ("/take-over/order", test_order);
  g_test_add_data_func ("/take-over/subprocess/first", "first", be_ordered);
  g_test_add_data_func ("/take-over/subprocess/last", NULL, be_ordered);
  g_test_add_func ("/take-over/threads", test_threads);
  g_test_add_func ("/take-over/subprocess/raced", be_raced);
  g_test_add_func ("/take-over/subprocess/late", be_late);
  g_test_add_func ("/take-over/blur", test_blur);
  status = g_test_run ();
  folder_remove (folder);
  g_free (folder);
  return status;
}
