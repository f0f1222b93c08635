/* How much of the machine the process may use. Its control group, and each one above that, may set
 * a limit; both versions of control groups are read.
 *
 * root: the folder that proc and sys are in, "/" except in tests. */
#pragma once

#include <glib.h>

/* Returns how many cores' time this process may use, which need not be a whole number; infinity if
 * nothing limits that. */
double fx_machine_get_cores (const char *root);

/* Returns the bytes of memory that this process can still take: what is free on the machine or, if
 * that is less, what the limits leave. */
guint64 fx_machine_get_memory (const char *root);
