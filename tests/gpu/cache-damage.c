/* The disk cache with every kind of damage, with folders and files of others, and without a
 * home. */
#include "cache-scene.h"

static GBytes *
read_file (const char *path)
{
  char *data = NULL;
  gsize size = 0;

  if (! g_file_get_contents (path, &data, &size, NULL))
    return NULL;
  return g_bytes_new_take (data, size);
}

/* Damage. */

/* Checks that size bytes of data in an entry's place miss, and are removed. */
static void
is_damage (Scene *scene, const guint8 *data, gsize size)
{
  g_autofree char *path = scene_get_path (scene, KEY_A);

  file_write (path, data, size);
  check_misses (scene->cache, KEY_A);
  g_assert_false (file_exists (path));
}

/* Returns a copy, with room for one more byte, of the file of an entry with length bytes. */
static guint8 *
make_entry (Scene *scene, gsize length, gsize *size)
{
  g_autofree char *path = scene_get_path (scene, KEY_A);
  g_autoptr (GBytes) file = NULL;
  guint8 *data;

  check_put_seeded (scene->cache, KEY_A, 3, length);
  file = read_file (path);
  *size = g_bytes_get_size (file);
  g_assert_cmpuint (*size, ==, HEADER + length + SUM);
  data = g_malloc0 (*size + 1);
  memcpy (data, g_bytes_get_data (file, NULL), *size);
  return data;
}

/* Corrects the sum for the changed bytes. */
static void
sign (guint8 *data, gsize size)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize length = SUM;

  g_checksum_update (checksum, data, size - SUM);
  g_checksum_get_digest (checksum, data + size - SUM, &length);
}

SCENE_TEST (test_truncation, "truncation")
{
  static const gsize lengths[] = { 0, 1, 37 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      gsize size;
      g_autofree guint8 *file = make_entry (scene, lengths[i], &size);
      g_autofree char *path = scene_get_path (scene, KEY_A);

      for (gsize n = 0; n < size; n++)
        is_damage (scene, file, n);
      is_damage (scene, file, size + 1);
      file_write (path, file, size);
      check_hits (scene->cache, KEY_A, 3, lengths[i]);
    }
}

SCENE_TEST (test_flipped_bits, "flipped-bits")
{
  gsize size;
  g_autofree guint8 *file = make_entry (scene, 11, &size);

  for (gsize bit = 0; bit < size * 8; bit++)
    {
      file[bit / 8] ^= 1 << bit % 8;
      is_damage (scene, file, size);
      file[bit / 8] ^= 1 << bit % 8;
    }
}

/* The sum fits, yet magic, version, length or key do not: none of them may be trusted to it. */
SCENE_TEST (test_forged_header, "forged-header")
{
  gsize size;
  g_autofree guint8 *file = make_entry (scene, 11, &size);
  g_autofree char *path = scene_get_path (scene, KEY_A);

  for (gsize bit = 0; bit < HEADER * 8; bit++)
    {
      file[bit / 8] ^= 1 << bit % 8;
      sign (file, size);
      is_damage (scene, file, size);
      file[bit / 8] ^= 1 << bit % 8;
    }
  sign (file, size);
  file_write (path, file, size);
  check_hits (scene->cache, KEY_A, 3, 11);
}

SCENE_TEST (test_wrong_key, "wrong-key")
{
  g_autofree char *a = scene_get_path (scene, KEY_A);
  g_autofree char *b = scene_get_path (scene, KEY_B);

  check_put_seeded (scene->cache, KEY_A, 1, 100);
  g_assert_cmpint (g_rename (a, b), ==, 0);
  check_misses (scene->cache, KEY_B);
  g_assert_false (file_exists (b));
}

/* Files larger than the cache may be are not even read: a whole entry, and 1 TiB of nothing. */
SCENE_TEST (test_huge_file, "huge-file")
{
  g_autofree char *path = scene_get_path (scene, KEY_A);
  g_autoptr (FxCache) larger = fx_cache_new (scene->dir, 2 * LIMIT);

  check_put_seeded (larger, KEY_A, 1, LIMIT);
  check_hits (larger, KEY_A, 1, LIMIT);
  check_misses (scene->cache, KEY_A);
  g_assert_false (file_exists (path));

  check_put_seeded (scene->cache, KEY_A, 1, 100);
  g_assert_cmpint (truncate (path, (off_t) 1 << 40), ==, 0);
  check_misses (scene->cache, KEY_A);
  g_assert_false (file_exists (path));
}

/* Folders and files of others. */

SCENE_TEST (test_modes, "modes")
{
  static const struct {
    int mode;
    gboolean folder, used, written;
  } cases[] = {
    { 0700, TRUE, TRUE, TRUE },    { 0755, TRUE, TRUE, TRUE },   { 0500, TRUE, TRUE, FALSE },
    { 0770, TRUE, FALSE, FALSE },  { 0720, TRUE, FALSE, FALSE }, { 0707, TRUE, FALSE, FALSE },
    { 01777, TRUE, FALSE, FALSE }, { 0000, TRUE, FALSE, FALSE }, { 0600, FALSE, TRUE, TRUE },
    { 0444, FALSE, TRUE, TRUE },   { 0620, FALSE, FALSE, TRUE }, { 0602, FALSE, FALSE, TRUE },
    { 0000, FALSE, FALSE, TRUE },
  };
  g_autofree char *path = scene_get_path (scene, KEY_A);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s of mode %o", cases[i].folder ? "folder" : "file", cases[i].mode);
      check_put_seeded (scene->cache, KEY_A, i, 100);
      g_assert_cmpint (g_chmod (cases[i].folder ? scene->dir : path, cases[i].mode), ==, 0);
      if (cases[i].used)
        check_hits (scene->cache, KEY_A, i, 100);
      else
        check_misses (scene->cache, KEY_A);
      if (cases[i].written)
        check_put_seeded (scene->cache, KEY_A, i + 100, 50);
      else
        check_put_fails (scene->cache, KEY_A, 50);
      g_chmod (scene->dir, 0700);
      if (cases[i].written)
        check_hits (scene->cache, KEY_A, i + 100, 50);
      g_assert_cmpuint (scene_count_files (scene), ==, 1);
    }
}

SCENE_TEST (test_owner, "owner")
{
  g_autofree char *path = scene_get_path (scene, KEY_A);

  if (! scene_is_roots ())
    {
      g_test_skip ("only root can give a file away");
      return;
    }
  check_put_seeded (scene->cache, KEY_A, 1, 100);
  scene_become (0);
  g_assert_cmpint (chown (path, 1, 1), ==, 0);
  g_assert_cmpint (chmod (path, 0644), ==, 0);
  scene_become (NOBODY);
  check_misses (scene->cache, KEY_A);

  check_put_seeded (scene->cache, KEY_A, 1, 100);
  scene_become (0);
  g_assert_cmpint (chown (scene->dir, 1, 1), ==, 0);
  g_assert_cmpint (chmod (scene->dir, 0755), ==, 0);
  scene_become (NOBODY);
  check_misses (scene->cache, KEY_A);
  check_put_fails (scene->cache, KEY_A, 10);

  /* Not even root, for whom modes do not count, uses another user's folder. */
  scene_become (0);
  check_misses (scene->cache, KEY_A);
  check_put_fails (scene->cache, KEY_A, 10);
  scene_become (NOBODY);
  g_assert_true (file_exists (path));
}

/* A link of this user is followed, with and without a slash; one of another user is not. */
SCENE_TEST (test_linked_folder, "linked-folder")
{
  g_autofree char *link = g_build_filename (scene->top, "link", NULL);
  g_autofree char *slashed = g_strconcat (link, "/", NULL);
  g_autoptr (FxCache) cache = fx_cache_new (link, LIMIT);
  g_autoptr (FxCache) trailing = fx_cache_new (slashed, LIMIT);

  check_put_seeded (scene->cache, KEY_A, 1, 100);
  g_assert_cmpint (symlink (scene->dir, link), ==, 0);
  check_hits (cache, KEY_A, 1, 100);
  check_put_seeded (trailing, KEY_B, 2, 10);
  check_hits (scene->cache, KEY_B, 2, 10);

  g_assert_cmpint (g_chmod (scene->dir, 0770), ==, 0);
  check_misses (cache, KEY_A);
  g_assert_cmpint (g_chmod (scene->dir, 0700), ==, 0);
  if (! scene_is_roots ())
    return;
  scene_become (0);
  g_assert_cmpint (lchown (link, 1, 1), ==, 0);
  scene_become (NOBODY);
  check_misses (cache, KEY_A);
  check_misses (trailing, KEY_A);
  check_put_fails (cache, KEY_A, 10);
  check_put_fails (trailing, KEY_A, 10);
  check_hits (scene->cache, KEY_A, 1, 100);
}

/* A link to a good entry, and one to nowhere: neither is read, written or followed. */
SCENE_TEST (test_linked_file, "linked-file")
{
  g_autofree char *path = scene_get_path (scene, KEY_A);
  g_autofree char *target = g_build_filename (scene->top, "target", NULL);

  check_put_seeded (scene->cache, KEY_A, 1, 100);
  g_assert_cmpint (g_rename (path, target), ==, 0);
  g_assert_cmpint (symlink (target, path), ==, 0);
  check_misses (scene->cache, KEY_A);
  g_assert_true (file_exists (target));
  g_assert_false (file_exists (path));

  g_assert_cmpint (g_unlink (target), ==, 0);
  g_assert_cmpint (symlink (target, path), ==, 0);
  check_put_seeded (scene->cache, KEY_A, 2, 100);
  g_assert_false (file_exists (target));
  g_assert_false (g_file_test (path, G_FILE_TEST_IS_SYMLINK));
  check_hits (scene->cache, KEY_A, 2, 100);
}

/* Not files: a FIFO (which must not hang) and a folder; and a file in place of the cache's
 * folder. */
SCENE_TEST (test_no_file, "no-file")
{
  g_autofree char *path = scene_get_path (scene, KEY_A);
  g_autofree char *inner = g_build_filename (path, "x", NULL);
  g_autofree char *file = g_build_filename (scene->top, "file", NULL);
  g_autoptr (FxCache) in_file = fx_cache_new (file, LIMIT);

  check_put_seeded (scene->cache, KEY_A, 1, 100);
  g_unlink (path);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  check_misses (scene->cache, KEY_A);

  g_unlink (path);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  file_write (inner, "x", 1);
  check_misses (scene->cache, KEY_A);
  check_put_fails (scene->cache, KEY_A, 10);
  g_assert_true (file_exists (inner));
  g_assert_cmpuint (scene_count_files (scene), ==, 1);

  file_write (file, "x", 1);
  check_misses (in_file, KEY_A);
  check_put_fails (in_file, KEY_A, 10);
}

/* A home that is read-only, one that does not exist, and none in the environment. */
SCENE_TEST (test_home, "home")
{
  static const char *const homes[] = { "top", "/nonexistent/home", "" };

  if (g_test_subprocess ())
    {
      g_autoptr (FxCache) cache = fx_cache_new (NULL, LIMIT);

      check_misses (cache, KEY_A);
      check_put_fails (cache, KEY_A, 10);
      check_misses (cache, KEY_A);
      return;
    }
  g_assert_cmpint (g_chmod (scene->top, 0500), ==, 0);
  g_unsetenv ("CUDA_BLUR_CACHE_DIR");
  scene_become (0); /* the child drops them itself */
  for (guint i = 0; i < G_N_ELEMENTS (homes); i++)
    {
      g_setenv ("XDG_CACHE_HOME", *homes[i] == 't' ? scene->top : homes[i], TRUE);
      g_setenv ("HOME", "/nonexistent/home", TRUE);
      g_test_trap_subprocess (NULL, 0, 0);
      g_test_trap_assert_passed ();
    }
  scene_become (NOBODY);
}
