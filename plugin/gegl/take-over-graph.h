/* GEGL's operations that are graphs of others, in whose place ours computes. */
#pragma once

#include "instance.h"

/* Has new nodes of the operation, whose class is recorded as taken over, become graphs of ours. */
void take_over_graph_replace (GeglOperationClass *class);
