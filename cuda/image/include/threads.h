/* How many threads work on an image. */
#ifndef FX_THREADS_H
#define FX_THREADS_H

/* The machine's cores, or OMP_NUM_THREADS; of many, some are left to the caller and to those that
 * it reads from and writes to. */
int fx_threads_get_default (void);

/* Lets go of the threads that have worked for this one, which would go on to spin for a while. The
 * next work starts new ones, in some 10 microseconds each. */
void fx_threads_rest (void);

#endif
