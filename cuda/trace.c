#include "trace.h"

#include <stdio.h>

gboolean
blur_trace_enabled (void)
{
  const char *value = g_getenv ("CUDA_BLUR_TRACE");

  return value && *value && g_strcmp0 (value, "0") != 0;
}

void
blur_trace (const char *stage, gint64 since, gsize bytes, const char *detail, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  if (! blur_trace_enabled ())
    return;
  if (detail)
    {
      va_start (args, detail);
      text = g_strdup_vprintf (detail, args);
      va_end (args);
    }
  /* One call, so that the lines of two threads do not mix. */
  fprintf (stderr, "cuda-blur: %-8s %9.3f ms %12" G_GSIZE_FORMAT " bytes%s%s\n", stage,
           (g_get_monotonic_time () - since) / 1000.0, bytes, text ? "  " : "", text ? text : "");
}
