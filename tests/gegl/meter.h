/* A node that counts what passes it, and leaves it as it is. */
#ifndef METER_H
#define METER_H

#include <gegl.h>

G_BEGIN_DECLS

/* Links it behind source; it is the graph's. */
GeglNode *meter_add (GeglNode *graph, GeglNode *source);

/* How many pixels passed since the last look. */
guint64 meter_take (GeglNode *meter);

G_END_DECLS

#endif
