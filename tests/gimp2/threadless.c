/* The linker puts this in the place of the call, in a dialog of its own. */
#include <glib.h>

GThread *__wrap_g_thread_try_new (const char *name, GThreadFunc func, gpointer data,
                                  GError **error);

GThread *
__wrap_g_thread_try_new (const char *name, GThreadFunc func, gpointer data, GError **error)
{
  g_set_error (error, G_THREAD_ERROR, G_THREAD_ERROR_AGAIN, "No thread, as the test wants");
  return NULL;
}
