/* How many threads work on an image. */
#ifndef FX_THREADS_H
#define FX_THREADS_H

/* The cores that this process may use; of many, some are left to the caller and to those that it
 * reads from and writes to. At most OMP_NUM_THREADS, if that is set. */
int fx_threads_get_default (void);

#endif
