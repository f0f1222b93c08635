/* The environment. */
#include "engine-gpu.h"

#include <glib/gi18n-lib.h>
#include <string.h>

gboolean
fx_engine_get_device (FxDevice wanted, FxDevice *device, GError **error)
{
  static const char *const names[] = { "auto", "gpu", "cpu" };
  const char *value = g_getenv ("CUDA_BLUR_DEVICE");
  guint i;

  if (! fx_device_check (wanted, error))
    return FALSE;
  *device = wanted;
  if (wanted != FX_DEVICE_AUTO || ! value || ! *value)
    return TRUE;
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (value, names[i]) == 0)
      {
        *device = (FxDevice) i;
        return TRUE;
      }
  g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT,
               _("CUDA_BLUR_DEVICE is \"%s\", but must be auto, gpu or cpu"), value);
  return FALSE;
}

/* Bytes, or with K, M or G; no limit where it is unset. */
gboolean
fx_engine_get_memory_limit (gsize *limit, GError **error)
{
  static const char units[] = "KMG";
  const char *value = g_getenv ("CUDA_BLUR_MEMORY_LIMIT");
  const char *unit;
  char *end;
  guint64 number;
  int shift = 0;

  *limit = G_MAXSIZE;
  if (! value || ! *value)
    return TRUE;
  number = g_ascii_strtoull (value, &end, 10);
  if (*end && (unit = strchr (units, g_ascii_toupper (*end))))
    {
      shift = 10 * (int) (unit - units + 1);
      end++;
    }
  if (! g_ascii_isdigit (*value) || *end || number == 0 || number > (G_MAXSIZE >> shift))
    {
      g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT,
                   _("CUDA_BLUR_MEMORY_LIMIT is \"%s\", but must be a number of bytes, or one with "
                     "K, M or G"),
                   value);
      return FALSE;
    }
  *limit = (gsize) (number << shift);
  return TRUE;
}
