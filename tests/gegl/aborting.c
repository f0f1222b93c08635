#include "aborting.h"

#include <string.h>

static gsize largest; /* atomic */

gsize
aborting_largest (void)
{
  return __atomic_exchange_n (&largest, 0, __ATOMIC_RELAXED);
}

static void
note (gsize size)
{
  gsize seen = __atomic_load_n (&largest, __ATOMIC_RELAXED);

  while (size > seen && ! __atomic_compare_exchange_n (&largest, &seen, size, FALSE,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

#define NOTE(name, parameters, arguments, size) \
  gpointer __wrap_##name parameters;            \
  gpointer __wrap_##name parameters             \
  {                                             \
    note (size);                                \
    return name arguments;                      \
  }

NOTE (g_malloc, (gsize size), (size), size)
NOTE (g_malloc0, (gsize size), (size), size)
NOTE (g_malloc_n, (gsize n, gsize size), (n, size), n *size)
NOTE (g_malloc0_n, (gsize n, gsize size), (n, size), n *size)
NOTE (g_strdup, (const char *text), (text), text ? strlen (text) : 0)
NOTE (g_strndup, (const char *text, gsize size), (text, size), size)
NOTE (g_memdup2, (gconstpointer data, gsize size), (data, size), size)
NOTE (g_realloc, (gpointer data, gsize size), (data, size), size)
NOTE (g_realloc_n, (gpointer data, gsize n, gsize size), (data, n, size), n *size)
NOTE (g_string_append, (GString * string, const char *text), (string, text), strlen (text))
NOTE (g_array_set_size, (GArray * array, guint n), (array, n),
      (gsize) n *g_array_get_element_size (array))
NOTE (g_array_append_vals, (GArray * array, gconstpointer data, guint n), (array, data, n),
      (gsize) (array->len + n) * g_array_get_element_size (array))
