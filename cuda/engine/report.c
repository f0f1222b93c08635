#include "devices.h"
#include "trace.h"

#include <glib/gi18n-lib.h>
#include <string.h>

void
fx_report_set_cpu (FxReport *report, const FxCpu *cpu)
{
  report->device = FX_DEVICE_CPU;
  g_snprintf (report->device_name, sizeof report->device_name,
              g_dngettext (GETTEXT_PACKAGE, "CPU, %d thread", "CPU, %d threads",
                           (gulong) cpu->threads),
              cpu->threads);
}

void
fx_report_set_gpu (FxReport *report, FxGpu *gpu)
{
  report->device = FX_DEVICE_GPU;
  g_strlcpy (report->device_name, fx_gpu_get_name (gpu), sizeof report->device_name);
}

/* Sets the fallback to the first line of a message, which may contain a compiler's log, as far as
 * it fits. */
static void
set_fallback (FxReport *report, const char *message)
{
  gsize length = strcspn (message, "\n");
  gsize size = MIN (length, sizeof report->fallback - 1);
  const char *end;

  memcpy (report->fallback, message, size);
  report->fallback[size] = '\0';
  if (! g_utf8_validate (report->fallback, -1, &end)) /* truncated within a character */
    report->fallback[end - report->fallback] = '\0';
}

void
fx_report_fall_back (FxReport *report, const char *reason)
{
  set_fallback (report, reason);
  fx_trace ("fallback", g_get_monotonic_time (), 0, "%s", reason);
}
