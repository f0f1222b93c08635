/* A filter as an operation in GEGL's graph: a class made from the filter's description.
 *
 * An operation lives in another program's process, GIMP's. It never fails, never ends that process,
 * and leaves nothing running there except as engines.h says. */
#pragma once

#include "filter.h"

#include <glib-object.h>

/* Registers the class with GEGL. filter must stay valid. */
void operation_register (GTypeModule *module, const FilterDescription *filter);
