/* An effect's properties in GIMP as a filter's settings. */
#ifndef DESIGNER_CONFIG_H
#define DESIGNER_CONFIG_H

#include "filter.h"

#include <libgimp/gimp.h>

G_BEGIN_DECLS

/* Copies the effect's configuration to settings. If it has a text that is no matrix, the matrix in
 * settings stays. */
void designer_config_get (GimpDrawableFilter *effect, FilterSettings *settings);

G_END_DECLS

#endif
