/* The cache's files: any bytes that are put come back. A file of any other bytes than a put would
 * have written is a miss and is removed, and so is one with a byte changed, one cut short, and one
 * made longer. */
#include "fuzz.h"

#include "cache.h"
#include "temporary.h"

#include <glib/gstdio.h>

#define KEY   "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER "1111111111111111111111111111111111111111111111111111111111111111"
#define LIMIT (1 << 20)

/* Its folder is that of the temporary files, which others may not write to. */
static FxCache *
make_cache (void)
{
  g_autofree char *directory = temporary_get_path ("");

  return fx_cache_new (directory, LIMIT);
}

static gboolean
is_there (const char *key)
{
  g_autofree char *path = temporary_get_path (key);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
write_file (const char *key, const guint8 *data, gsize size)
{
  g_free (temporary_set_contents (key, data, size));
}

/* Puts bytes, and returns the contents of the file. */
static GBytes *
put (FxCache *cache, const char *key, GBytes *bytes)
{
  g_autofree char *path = temporary_get_path (key);
  char *text;
  gsize length;

  g_assert_true (fx_cache_put (cache, key, bytes, NULL));
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  return g_bytes_new_take (text, length);
}

static void
check_raw (FxCache *cache, const guint8 *data, gsize size)
{
  g_autoptr (GBytes) payload = NULL, file = NULL, again = NULL;

  write_file (KEY, data, size);
  payload = fx_cache_get (cache, KEY);
  g_assert_cmpint (payload != NULL, ==, is_there (KEY));
  if (! payload)
    return;
  file = g_bytes_new_static (data, size);
  again = put (cache, KEY, payload);
  g_assert_true (g_bytes_equal (file, again));
}

static void
check_miss (FxCache *cache, const guint8 *data, gsize size)
{
  g_autoptr (GBytes) got = NULL;

  write_file (KEY, data, size);
  got = fx_cache_get (cache, KEY);
  g_assert_null (got);
  g_assert_false (is_there (KEY));
}

/* where: the offset of the byte that is changed, from the file's end if it is negative. */
static void
check_damage (FxCache *cache, GBytes *file, gint16 where, guint8 change)
{
  gsize size = g_bytes_get_size (file);
  g_autofree guint8 *damaged = g_malloc0 (size + 1);
  gsize at = where < 0 ? size - 1 - (gsize) (-1 - where) % size : (gsize) where % size;

  memcpy (damaged, g_bytes_get_data (file, NULL), size);
  check_miss (cache, damaged, size + 1);
  check_miss (cache, damaged, at);
  damaged[at] ^= change ? change : 1;
  check_miss (cache, damaged, size);
}

/* Returns the bytes that are put. libFuzzer sees the sums that are compared, so it could put a
 * whole file, with its sum, into the input, but not into these bytes, which are changed. */
static GBytes *
take_payload (const FuzzInput *input)
{
  guint8 *bytes = g_malloc (input->size + 1);

  for (gsize i = 0; i < input->size; i++)
    bytes[i] = input->data[i] ^ 0xa5;
  return g_bytes_new_take (bytes, input->size);
}

static void
check_put (FxCache *cache, FuzzInput input)
{
  gint16 where = fuzz_take_short (&input);
  guint8 change = fuzz_take_byte (&input);
  g_autoptr (GBytes) payload = take_payload (&input);
  g_autoptr (GBytes) file = put (cache, KEY, payload), got = fx_cache_get (cache, KEY);

  g_assert_true (got && g_bytes_equal (got, payload));
  g_assert_cmpuint (g_bytes_get_size (file), ==, input.size + 32);
  write_file (OTHER, g_bytes_get_data (file, NULL), g_bytes_get_size (file));
  g_assert_null (fx_cache_get (cache, OTHER)); /* the sum says whose it is */
  check_damage (cache, file, where, change);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  static FxCache *cache;
  FuzzInput input = { data, size };

  if (! cache)
    cache = make_cache ();
  check_raw (cache, data, size);
  check_put (cache, input);
  return 0;
}
