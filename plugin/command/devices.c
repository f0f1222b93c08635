#include "devices.h"

#include "filters.h"

#include <stdio.h>
#include <string.h>

/* The image is one pixel. */
static gboolean
read_pixel (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  memset (pixels, 0, 4);
  return TRUE;
}

static gboolean
drop_pixel (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  return TRUE;
}

/* Runs a filter on a device. Returns the device's name, or the reason why it cannot run one; free
 * it. */
static char *
ask (FxDevice device)
{
  const FxImage image = { .format = { .sample = FX_SAMPLE_U8, .channels = 4, .gamma = TRUE },
                          .width = 1,
                          .height = 1,
                          .region = { .width = 1, .height = 1 },
                          .read = read_pixel,
                          .write = drop_pixel };
  const FxGeometry geometry = { .width = 1.0, .height = 1.0 };
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (FilterSettings) settings = filter_settings_new (filters[0]);
  g_autoptr (FxPlan) plan = filters[0]->make_plan (settings, &image.format, &geometry, FALSE);
  FxReport report;

  if (fx_engine_run (engine, plan, device, &image, &report, &error))
    return g_strdup (report.device_name);
  return g_strndup (error->message, strcspn (error->message, "\n"));
}

void
devices_print (void)
{
  g_autofree char *gpu = ask (FX_DEVICE_GPU), *cpu = ask (FX_DEVICE_CPU);

  printf ("GPU: %s\n", gpu);
  printf ("CPU: %s\n", g_str_has_prefix (cpu, "CPU, ") ? cpu + strlen ("CPU, ") : cpu);
}
