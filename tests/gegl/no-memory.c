/* Memory that cannot be had, while no_memory is set: for the libraries that are loaded after this
 * one, in the place of GLib's functions for memory that a caller can do without. */
#include <glib.h>
#include <stdlib.h>

gint no_memory;

gpointer
g_try_malloc (gsize size)
{
  return size && ! g_atomic_int_get (&no_memory) ? malloc (size) : NULL;
}

gpointer
g_try_malloc_n (gsize n, gsize size)
{
  return size && n > G_MAXSIZE / size ? NULL : g_try_malloc (n * size);
}
