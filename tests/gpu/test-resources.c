/* Two threads that are the first to ask for a kernel's text. GLib makes a process's resources when
 * one is asked for: so many are before the kernels' that the threads meet there. */
#include "program.h"
#include "test.h"
#include "gpu-view.h"

#define RESOURCES 200000
#define THREADS   2

static gint waiting = THREADS;

static gpointer
get_key (gpointer data)
{
  const FxTarget target = { .arch = 90 };

  g_atomic_int_dec_and_test (&waiting);
  while (g_atomic_int_get (&waiting) > 0)
    g_thread_yield ();
  return fx_program_get_key (&fx_program_reduce, "", "", &target);
}

TEST (test_threads, "/resources/threads")
{
  static GStaticResource resources[RESOURCES]; /* of no use: GLib passes over them */
  GThread *threads[THREADS];
  char *keys[THREADS];

  for (int i = 0; i < RESOURCES; i++)
    {
      resources[i] = (GStaticResource) { (const guint8 *) "", 1, NULL, NULL, NULL };
      g_static_resource_init (&resources[i]);
    }
  for (int i = 0; i < THREADS; i++)
    threads[i] = g_thread_new (NULL, get_key, NULL);
  for (int i = 0; i < THREADS; i++)
    keys[i] = g_thread_join (threads[i]);
  g_assert_cmpstr (keys[0], ==, keys[1]);
  for (int i = 0; i < THREADS; i++)
    g_free (keys[i]);
}
