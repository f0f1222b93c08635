/* How many CPU threads are worth starting. */
#pragma once

/* Returns the number of cores that this process may use, at least 1: those of its affinity, but no
 * more than the limits in machine.h allow, rounded up. */
int fx_threads_get_cores (void);

/* Returns the number of cores that this process may use, less one in eight, rounded, which are left
 * to the caller and to the processes that it exchanges pixels with. If OMP_NUM_THREADS is set to a
 * positive number, the result does not exceed it. The result is at least 1. */
int fx_threads_get_default (void);
