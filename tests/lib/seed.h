/* The seed of random tests: CUDA_BLUR_TEST_SEED in the environment, a 32-bit number, otherwise
 * always the same. Each test program prints its seed. */
#ifndef SEED_H
#define SEED_H

#include <glib.h>

G_BEGIN_DECLS

guint32 seed_get (void);

/* Like g_test_init (), but the random numbers of each test start from the seed. Devices must not
 * fail from now on (judge.h). */
void seed_test_init (int *argc, char ***argv);

G_END_DECLS

#endif
