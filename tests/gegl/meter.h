/* A node that counts what passes it, and leaves it as it is. */
#pragma once

#include <gegl.h>

/* Links it behind source; it is the graph's. */
GeglNode *meter_add (GeglNode *graph, GeglNode *source);

/* How many pixels passed since the last look. */
guint64 meter_take (GeglNode *meter);
