/* The operations in a graph of this process, as a soak test calls them. */
#pragma once

#include "soak-call.h"

/* Returns whether GEGL has the operations here. */
gboolean soak_node_works (void);

/* Returns the operation's result for the pixels before, which are the subject's layer's. */
Raster *soak_node_run (const SoakCall *call, Subject subject, const Raster *before);
