#include "trace.h"

#include "config.h"
#include "error.h"

#include <stdio.h>

void
fx_trace (const char *stage, gint64 since, gsize bytes, const char *detail, ...)
{
  double milliseconds = (g_get_monotonic_time () - since) / 1000.0;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *text = NULL;
  va_list args;

  if (! fx_config_wants_trace ())
    return;
  if (detail)
    {
      va_start (args, detail);
      text = g_strdup_vprintf (detail, args);
      va_end (args);
    }
  /* A single call, so that the lines of two threads do not mix. The decimal point is the same in
   * every locale. */
  fprintf (stderr, "cuda-blur: %-8s %9s ms %12" G_GSIZE_FORMAT " bytes%s%s\n", stage,
           g_ascii_formatd (number, sizeof number, "%.3f", milliseconds), bytes, text ? "  " : "",
           text ? text : "");
}

void
fx_warn_of_failure (const GError *failure)
{
  if (fx_config_wants_warnings () && ! g_error_matches (failure, FX_ERROR, FX_ERROR_UNAVAILABLE))
    g_warning ("A device failed, so another one does its work: %s", failure->message);
}
