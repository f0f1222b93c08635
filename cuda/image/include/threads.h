/* How many threads work on an image. */
#ifndef FX_THREADS_H
#define FX_THREADS_H

/* The machine's cores, or OMP_NUM_THREADS; of many, some are left to the caller and to those that
 * it reads from and writes to. */
int fx_threads_get_default (void);

#endif
