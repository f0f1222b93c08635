#include "error.h"

#include <glib/gi18n-lib.h>

/* G_DEFINE_QUARK's function would keep the number in a variable that several threads may write. */
GQuark
fx_error_quark (void)
{
  return g_quark_from_static_string ("cuda_blur_error_quark");
}

gboolean
fx_set_error (GError **error, GQuark domain, int code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (error)
    *error = g_error_new_valist (domain, code, format, args);
  va_end (args);
  return FALSE;
}

gboolean
fx_set_no_memory (GError **error)
{
  return fx_fail (error, FX_ERROR_MEMORY, _ ("There is not enough memory"));
}

gboolean
fx_check_range (const char *name, double value, double least, double most, GError **error)
{
  if (value >= least && value <= most) /* false for NaN */
    return TRUE;
  return fx_refuse (error, _ ("%s is %g, but must be %g to %g"), name, value, least, most);
}

gboolean
fx_check_choice (const char *name, int value, int last, const char *allowed, GError **error)
{
  if (value >= 0 && value <= last)
    return TRUE;
  return fx_refuse (error, _ ("%s is %d, but must be %s"), name, value, allowed);
}

gboolean
fx_set_no_gpu_memory (gsize needed, gsize allowed, GError **error)
{
  return fx_fail (error, FX_ERROR_MEMORY,
                  _ ("At least %.1f MB of GPU memory are needed, but %.1f MB may be taken"),
                  needed / 1e6, allowed / 1e6);
}
