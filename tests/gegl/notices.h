/* What an operation tells of its properties, which GIMP's dialogs listen to. */
#pragma once

#include <gegl.h>

/* Counts the notices of a property of node in *told, which must live as long as node. */
void notices_count (GeglNode *node, const char *property, int *told);

/* Sets the property, a whole number, and fails the test if it does not become kept; or if that is
 * another number, and is not told to the main loop. */
void notices_check_step (GeglNode *node, const char *property, int set, int kept);
