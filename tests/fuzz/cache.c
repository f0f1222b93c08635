/* The cache's files: a file of any other bytes than a put would have written is a miss and is
 * removed. */
#include "fuzz.h"

#include "cache.h"
#include "temporary.h"

#include <glib/gstdio.h>

#define KEY   "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define LIMIT (1 << 20)

/* Its folder is that of the temporary files, which others may not write to. */
static FxCache *
make_cache (void)
{
  g_autofree char *directory = temporary_get_path ("");

  return fx_cache_new (directory, LIMIT);
}

static gboolean
is_there (void)
{
  g_autofree char *path = temporary_get_path (KEY);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* Puts bytes, and returns the contents of the file. */
static GBytes *
put (FxCache *cache, GBytes *bytes)
{
  g_autofree char *path = temporary_get_path (KEY);
  char *text;
  gsize length;

  g_assert_true (fx_cache_put (cache, KEY, bytes, NULL));
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  return g_bytes_new_take (text, length);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  static FxCache *cache;
  g_autoptr (GBytes) payload = NULL, file = NULL, again = NULL;

  if (! cache)
    cache = make_cache ();
  g_free (temporary_set_contents (KEY, data, size));
  payload = fx_cache_get (cache, KEY);
  g_assert_cmpint (payload != NULL, ==, is_there ());
  if (! payload)
    return 0;
  file = g_bytes_new_static (data, size);
  again = put (cache, payload);
  g_assert_true (g_bytes_equal (file, again));
  return 0;
}
