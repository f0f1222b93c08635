#include "trial.h"

#include "filters.h"

#include <stdio.h>
#include <string.h>

static const FxFormat format = { .sample = FX_SAMPLE_FLOAT, .channels = 4 };

static FxPlan *
trial_make_plan (const FilterSettings *settings)
{
  const FxGeometry pixel = { .width = 1.0, .height = 1.0 };

  return filter_settings_make_plan (settings, &format, &pixel, FALSE);
}

gboolean
trial_is_identity (const FilterSettings *settings)
{
  g_autoptr (FxPlan) plan = trial_make_plan (settings);

  return plan->identity;
}

static gboolean
read_nothing (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  memset (pixels, 0, fx_format_size (&format));
  return TRUE;
}

static gboolean
write_nowhere (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride,
               GError **error)
{
  return TRUE;
}

/* Filters a pixel on device. report may be NULL. */
static gboolean
run (const FilterSettings *settings, FxDevice device, FxReport *report, GError **error)
{
  const FxImage pixel = { .format = format,
                          .width = 1,
                          .height = 1,
                          .region = { 0, 0, 1, 1 },
                          .read = read_nothing,
                          .write = write_nowhere };
  g_autoptr (FxPlan) plan = trial_make_plan (settings);
  g_autoptr (FxEngine) engine = fx_engine_new ();

  return fx_engine_run (engine, plan, device, &pixel, report, error);
}

gboolean
trial_check_device (const FilterSettings *settings, GError **error)
{
  return filter_settings_get_device (settings) != FX_DEVICE_GPU ||
         run (settings, FX_DEVICE_GPU, NULL, error);
}

/* Returns the device's name, or the reason why it cannot run a filter; free it. */
static char *
ask (FxDevice device)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (filters[0]);
  g_autoptr (GError) error = NULL;
  FxReport report;

  if (run (settings, device, &report, &error))
    return g_strdup (report.device_name);
  return g_strndup (error->message, strcspn (error->message, "\n"));
}

void
trial_print_devices (void)
{
  g_autofree char *gpu = ask (FX_DEVICE_GPU), *cpu = ask (FX_DEVICE_CPU);

  printf ("GPU: %s\n", gpu);
  printf ("CPU: %s\n", g_str_has_prefix (cpu, "CPU, ") ? cpu + strlen ("CPU, ") : cpu);
}
