/* The common parts of the fuzz targets. Each is one file with libFuzzer's entry point; it aborts if
 * a function that it calls breaks a promise. Linked with replay.c in place of libFuzzer it runs
 * over files. */
#pragma once

#include <glib.h>
#include <string.h>

/* libFuzzer's. Returns 0. data is never NULL, but may have no byte. */
int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

/* An input that numbers are taken from, one after the other; 0 once it is at its end. */
typedef struct {
  const guint8 *data;
  gsize size;
} FuzzInput;

static inline void
fuzz_take (FuzzInput *input, gpointer to, gsize size)
{
  gsize n = MIN (size, input->size);

  memset (to, 0, size);
  memcpy (to, input->data, n);
  input->data += n;
  input->size -= n;
}

#define DEFINE_FUZZ_TAKE(name, type)         \
  static inline type name (FuzzInput *input) \
  {                                          \
    type value;                              \
                                             \
    fuzz_take (input, &value, sizeof value); \
    return value;                            \
  }

DEFINE_FUZZ_TAKE (fuzz_take_byte, guint8)
DEFINE_FUZZ_TAKE (fuzz_take_signed_byte, gint8)
DEFINE_FUZZ_TAKE (fuzz_take_short, gint16)
DEFINE_FUZZ_TAKE (fuzz_take_int, gint32)
DEFINE_FUZZ_TAKE (fuzz_take_long, guint64)
DEFINE_FUZZ_TAKE (fuzz_take_float, float)
DEFINE_FUZZ_TAKE (fuzz_take_double, double)
