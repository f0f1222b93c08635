/* Tries settings without a drawable. */
#pragma once

#include "filter.h"

/* Returns whether settings, which must have passed filter_settings_check, change no pixel, whatever
 * its format. */
gboolean trial_is_identity (const FilterSettings *settings);

/* If settings ask for the GPU, filters a pixel there: an operation does the work on the CPU if
 * there is no GPU, and cannot return an error. Returns FALSE with FX_ERROR on failure. */
gboolean trial_check_device (const FilterSettings *settings, GError **error);

/* Prints a line for each device, GPU and CPU: its name, or the reason why it cannot be used. */
void trial_print_devices (void);
