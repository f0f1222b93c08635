/* An effect's properties in GIMP as a filter's settings. */
#pragma once

#include "filter.h"

#include <libgimp/gimp.h>

/* Copies the effect's configuration to settings. If it has a text that is no matrix, the matrix in
 * settings stays. */
void designer_config_get (GimpDrawableFilter *effect, FilterSettings *settings);
