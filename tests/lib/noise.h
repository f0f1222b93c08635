/* A picture of noise in host memory: 8-bit RGBA through the curve, and room for its blur. */
#ifndef NOISE_H
#define NOISE_H

#include "memory.h"

G_BEGIN_DECLS

typedef struct {
  int width, height;
  gsize size; /* bytes of each of the two */
  guint8 *source, *result;
  Memory memory; /* of both */
} Noise;

/* Free them with noise_free. The copy has room of its own for the result. */
Noise *noise_new (int width, int height);
Noise *noise_copy (const Noise *noise);
void noise_free (Noise *noise);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Noise, noise_free)

/* Fails the test where colours of the results are more than a level apart, which the engine's two
 * devices may be, where alpha is at least 8. */
void noise_check_same (const Noise *a, const Noise *b);

G_END_DECLS

#endif
