/* A node that counts what passes it, and leaves it as it is. */
#pragma once

#include <gegl.h>

/* Links it behind source; it is the graph's. */
GeglNode *meter_add (GeglNode *graph, GeglNode *source);

/* Has the node call func when pixels next pass it: GEGL has found then what each node must do. */
void meter_call (GeglNode *meter, void (*func) (gpointer data), gpointer data);

/* How many pixels passed since the last look. */
guint64 meter_take (GeglNode *meter);
