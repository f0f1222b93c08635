#include "error.h"

#include <glib/gi18n-lib.h>

G_DEFINE_QUARK (cuda_blur_error_quark, fx_error)

gboolean
fx_set_cancelled (GError **error)
{
  g_set_error_literal (error, FX_ERROR, FX_ERROR_CANCELLED, _ ("Cancelled"));
  return FALSE;
}

gboolean
fx_set_no_memory (GError **error)
{
  g_set_error_literal (error, FX_ERROR, FX_ERROR_MEMORY, _ ("There is not enough memory"));
  return FALSE;
}

gboolean
fx_check_choice (const char *name, int value, int last, const char *allowed, GError **error)
{
  if (value >= 0 && value <= last)
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT, _ ("%s is %d, but must be %s"), name, value,
               allowed);
  return FALSE;
}

gboolean
fx_set_no_gpu_memory (gsize needed, gsize allowed, GError **error)
{
  g_set_error (error, FX_ERROR, FX_ERROR_MEMORY,
               _ ("At least %.1f MB of GPU memory are needed, but %.1f MB may be taken"),
               needed / 1e6, allowed / 1e6);
  return FALSE;
}
