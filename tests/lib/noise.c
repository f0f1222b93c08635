#include "noise.h"

#include <string.h>

static Noise *
make (int width, int height)
{
  Noise *noise = g_new (Noise, 1);
  const gsize size = (gsize) width * height * 4;

  *noise = (Noise) { width, height, size, g_malloc (size), g_malloc0 (size) };
  noise->memory = (Memory) {
    noise->source, noise->result, width, height, { FX_SAMPLE_U8, 4, TRUE }
  };
  return noise;
}

Noise *
noise_new (int width, int height)
{
  Noise *noise = make (width, height);

  for (gsize i = 0; i < noise->size; i++)
    noise->source[i] = (guint8) g_test_rand_int ();
  return noise;
}

Noise *
noise_copy (const Noise *noise)
{
  Noise *copy = make (noise->width, noise->height);

  memcpy (copy->source, noise->source, noise->size);
  copy->memory.format = noise->memory.format;
  return copy;
}

void
noise_free (Noise *noise)
{
  if (! noise)
    return;
  g_free (noise->source);
  g_free (noise->result);
  g_free (noise);
}

void
noise_check_same (const Noise *a, const Noise *b)
{
  g_assert_cmpuint (a->size, ==, b->size);
  for (gsize i = 0; i < a->size; i++)
    if (a->result[i | 3] >= 8)
      g_assert_cmpint (ABS (a->result[i] - b->result[i]), <=, 1);
}
