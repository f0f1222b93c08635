/* The take-over of one of GEGL's operations that are graphs of others. */
#ifndef TAKE_OVER_GRAPH_H
#define TAKE_OVER_GRAPH_H

#include <gegl-plugin.h>

G_BEGIN_DECLS

/* Has each new node of the class, which must be recorded (taken.h), become a graph of ours. */
void take_over_graph_replace (GeglOperationClass *class);

G_END_DECLS

#endif
