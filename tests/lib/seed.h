/* The random tests' seed: the environment's CUDA_BLUR_TEST_SEED, a number of 32 bits, else always
 * the same. A test prints the one it has. */
#ifndef SEED_H
#define SEED_H

#include <glib.h>

G_BEGIN_DECLS

guint32 seed_get (void);

/* As g_test_init (), whose random numbers then begin with the seed, in every test anew. No device
 * may fail from now on (judge.h). */
void seed_test_init (int *argc, char ***argv);

G_END_DECLS

#endif
