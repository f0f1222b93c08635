#include "config.h"

#include "error.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

#define NOWHERE      "/dev/null" /* not a folder */
#define IDLE_SECONDS 60

/* Returns NULL if the variable is unset or empty. */
static const char *
get_variable (const char *name)
{
  const char *value = g_getenv (name);

  return value && *value ? value : NULL;
}

static gboolean
read_device (FxDevice *device, GError **error)
{
  static const char *const names[] = { "auto", "gpu", "cpu" };
  const char *value = get_variable ("CUDA_BLUR_DEVICE");

  for (guint i = 0; value && i < G_N_ELEMENTS (names); i++)
    if (strcmp (value, names[i]) == 0)
      {
        *device = (FxDevice) i;
        return TRUE;
      }
  if (! value)
    return TRUE;
  return fx_refuse (error, _ ("CUDA_BLUR_DEVICE is \"%s\", but must be auto, gpu or cpu"), value);
}

static gboolean
read_memory_limit (gsize *limit, GError **error)
{
  static const char units[] = "KMG";
  const char *value = get_variable ("CUDA_BLUR_MEMORY_LIMIT");
  const char *unit;
  char *end;
  guint64 number;
  int shift = 0;

  if (! value)
    return TRUE;
  errno = 0;
  number = g_ascii_strtoull (value, &end, 10);
  if (*end && (unit = strchr (units, g_ascii_toupper (*end))))
    {
      shift = 10 * (int) (unit - units + 1);
      end++;
    }
  *limit = (gsize) (number << shift);
  if (g_ascii_isdigit (*value) && ! *end && errno == 0 && number > 0 &&
      number <= (G_MAXSIZE >> shift))
    return TRUE;
  return fx_refuse (
    error,
    _ ("CUDA_BLUR_MEMORY_LIMIT is \"%s\", but must be a number of bytes, or one with "
       "K, M or G"),
    value);
}

/* For development of the engine; any other value means both. */
static FxVariants
read_variants (void)
{
  const char *value = get_variable ("CUDA_BLUR_PROGRAM");

  if (g_strcmp0 (value, "generic") == 0)
    return FX_VARIANTS_GENERIC;
  return g_strcmp0 (value, "specialised") == 0 ? FX_VARIANTS_SPECIALISED : FX_VARIANTS_BOTH;
}

gboolean
fx_config_is_privileged (void)
{
#ifdef __linux__
  return getauxval (AT_SECURE) != 0;
#else
  return FALSE;
#endif
}

static const char *
get_cache_dir (void)
{
  return fx_config_is_privileged () ? NOWHERE : get_variable ("CUDA_BLUR_CACHE_DIR");
}

gboolean
fx_config_init (FxConfig *config, FxDevice asked, GError **error)
{
  *config = (FxConfig) {
    .device = asked,
    .memory_limit = G_MAXSIZE,
    .ptx = g_strcmp0 (get_variable ("CUDA_BLUR_CODE"), "ptx") == 0,
    .variants = read_variants (),
    .cache_dir = g_strdup (get_cache_dir ()),
  };
  return (asked != FX_DEVICE_AUTO || read_device (&config->device, error)) &&
         read_memory_limit (&config->memory_limit, error);
}

void
fx_config_copy (FxConfig *config, const FxConfig *from)
{
  *config = *from;
  config->cache_dir = g_strdup (from->cache_dir);
}

void
fx_config_clear (FxConfig *config)
{
  g_clear_pointer (&config->cache_dir, g_free);
}

static gboolean
is_on (const char *name)
{
  const char *value = get_variable (name);

  return value && strcmp (value, "0") != 0;
}

gboolean
fx_config_wants_trace (void)
{
  return is_on ("CUDA_BLUR_TRACE");
}

gboolean
fx_config_wants_warnings (void)
{
  return is_on ("CUDA_BLUR_WARN");
}

int
fx_config_get_idle_seconds (void)
{
  const char *value = get_variable ("CUDA_BLUR_IDLE_SECONDS");
  char *end = NULL;
  gint64 seconds = value ? g_ascii_strtoll (value, &end, 10) : 0;

  return value && ! *end && seconds > 0 && seconds <= G_MAXINT / 1000 ? (int) seconds
                                                                      : IDLE_SECONDS;
}
