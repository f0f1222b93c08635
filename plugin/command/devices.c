#include "devices.h"

#include "filters.h"
#include "trial.h"

#include <stdio.h>
#include <string.h>

/* Runs a filter on a device. Returns the device's name, or the reason why it cannot run one; free
 * it. */
static char *
ask (FxDevice device)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (filters[0]);
  g_autoptr (GError) error = NULL;
  FxReport report;

  if (trial_run (settings, device, &report, &error))
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
