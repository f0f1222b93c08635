/* The disk cache: exact bytes, every kind of damage, hostile folders, a full disk, two processes.
 *
 * Root bypasses file modes, so a run as root drops its effective rights to nobody's and takes them
 * back where a file of another owner or a mount is needed. */
#define _GNU_SOURCE /* unshare, setgroups */
#include "cache.h"
#include "config.h"
#include "seed.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY      65534
#define LIMIT       (1u << 20)
#define HEADER      96 /* bytes before the payload */
#define SUM         32 /* bytes after it */
#define MISSING     77 /* a child's exit status: what it needs is not there */
#define CROWD       50 /* processes */
#define SHARED_KEYS 8

static const char KEY_A[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
static const char KEY_B[] = "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210";
static gboolean was_root;

/* One test's own folder; the cache is to make "cache" in it. */
typedef struct {
  char *top, *dir;
  FxCache *cache;
} Fixture;

/* ---- rights ---- */

static void
become (uid_t id)
{
  if (! was_root)
    return;
  g_assert_cmpint (seteuid (0), ==, 0);
  g_assert_cmpint (setegid (id), ==, 0);
  g_assert_cmpint (seteuid (id), ==, 0);
  /* A change of rights clears this, and the leak checker needs it. */
  prctl (PR_SET_DUMPABLE, 1);
}

static void
drop_rights (void)
{
  was_root = geteuid () == 0 && setgroups (0, NULL) == 0;
  become (NOBODY);
}

/* ---- files ---- */

static char *
path_of (Fixture *f, const char *key)
{
  return g_build_filename (f->dir, key, NULL);
}

static GBytes *
read_file (const char *path)
{
  char *data = NULL;
  gsize size = 0;

  if (! g_file_get_contents (path, &data, &size, NULL))
    return NULL;
  return g_bytes_new_take (data, size);
}

static void
write_file (const char *path, gconstpointer data, gsize size)
{
  FILE *file;

  g_unlink (path);
  file = fopen (path, "wb");
  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (data, 1, size, file), ==, size);
  g_assert_cmpint (fclose (file), ==, 0);
  g_assert_cmpint (g_chmod (path, 0600), ==, 0);
}

static gboolean
exists (const char *path)
{
  struct stat st;

  return lstat (path, &st) == 0;
}

static void
set_age (const char *path, gint64 seconds)
{
  struct timespec t = { g_get_real_time () / G_USEC_PER_SEC - seconds, 0 };
  struct timespec times[2] = { t, t };

  g_assert_cmpint (utimensat (AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW), ==, 0);
}

static guint
count_files (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (dir && g_dir_read_name (dir))
    n++;
  return n;
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (! g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    {
      (void) ! g_chmod (path, 0700);
      dir = g_dir_open (path, 0, NULL);
    }
  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }
  g_remove (path);
}

/* ---- the cache ---- */

/* size pseudo-random bytes, the same for the same seed. */
static GBytes *
make_bytes (guint32 seed, gsize size)
{
  guint8 *data = g_malloc (MAX (size, 1));

  for (gsize i = 0; i < size; i++)
    {
      seed = seed * 1664525u + 1013904223u;
      data[i] = seed >> 24;
    }
  return g_bytes_new_take (data, size);
}

static void
put (FxCache *cache, const char *key, GBytes *bytes)
{
  g_autoptr (GError) error = NULL;

  fx_cache_put (cache, key, bytes, &error);
  g_assert_no_error (error);
}

static void
put_seeded (FxCache *cache, const char *key, guint32 seed, gsize size)
{
  g_autoptr (GBytes) bytes = make_bytes (seed, size);

  put (cache, key, bytes);
}

static void
put_fails (FxCache *cache, const char *key, gsize size)
{
  g_autoptr (GBytes) bytes = make_bytes (1, size);
  g_autoptr (GError) error = NULL;

  g_assert_false (fx_cache_put (cache, key, bytes, &error));
  g_assert_nonnull (error);
  g_assert_cmpuint (error->domain, ==, G_FILE_ERROR);
  g_test_message ("refused, as it should: %s", error->message);
}

static void
hits (FxCache *cache, const char *key, guint32 seed, gsize size)
{
  g_autoptr (GBytes) expected = make_bytes (seed, size);
  g_autoptr (GBytes) got = fx_cache_get (cache, key);

  g_assert_nonnull (got);
  g_assert_cmpmem (g_bytes_get_data (got, NULL), g_bytes_get_size (got),
                   g_bytes_get_data (expected, NULL), g_bytes_get_size (expected));
}

static void
misses (FxCache *cache, const char *key)
{
  g_autoptr (GBytes) got = fx_cache_get (cache, key);

  g_assert_null (got);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autofree char *other = g_strdup ("/tmp/blur-cache-XXXXXX");

  f->top = g_dir_make_tmp ("blur-cache-XXXXXX", NULL);
  if (! f->top) /* TMPDIR may be root's own */
    f->top = g_strdup (g_mkdtemp (other));
  g_assert_nonnull (f->top);
  f->dir = g_build_filename (f->top, "cache", NULL);
  f->cache = fx_cache_new (f->dir, LIMIT);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  become (0);
  remove_tree (f->top);
  become (NOBODY);
  fx_cache_free (f->cache);
  g_free (f->dir);
  g_free (f->top);
}

/* ---- bytes ---- */

static void
test_bytes (Fixture *f, gconstpointer data)
{
  static const gsize sizes[] = { 0, 1, 2, 31, 4096, 65537, LIMIT - HEADER - SUM };
  g_autofree char *path = path_of (f, KEY_A);
  struct stat st;

  misses (f->cache, KEY_A);
  g_assert_false (exists (f->dir));
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      put_seeded (f->cache, KEY_A, i, sizes[i]);
      hits (f->cache, KEY_A, i, sizes[i]);
      misses (f->cache, KEY_B);
      g_assert_cmpuint (count_files (f->dir), ==, 1);
    }
  g_assert_cmpint (g_stat (f->dir, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0700);
  g_assert_cmpint (g_stat (path, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0600);

  put_fails (f->cache, KEY_B, LIMIT - HEADER - SUM + 1);
  hits (f->cache, KEY_A, G_N_ELEMENTS (sizes) - 1, LIMIT - HEADER - SUM);
  fx_cache_free (NULL);
}

/* A folder's name may end in slashes, come from the environment, or have parents yet to make. */
static void
test_names (Fixture *f, gconstpointer data)
{
  g_autofree char *deep = g_build_filename (f->top, "a", "b", "c//", NULL);
  g_autofree char *made = g_build_filename (f->top, "a", "b", "c", KEY_A, NULL);
  g_autofree char *old = g_strdup (g_getenv ("CUDA_BLUR_CACHE_DIR"));
  g_autoptr (FxCache) cache = fx_cache_new (deep, LIMIT);
  g_autoptr (FxCache) from_environment = NULL;
  g_auto (FxConfig) config = { 0 };
  g_autofree char *in_dir = path_of (f, KEY_B);

  put_seeded (cache, KEY_A, 1, 10);
  hits (cache, KEY_A, 1, 10);
  g_assert_true (exists (made));

  g_setenv ("CUDA_BLUR_CACHE_DIR", f->dir, TRUE);
  g_assert_true (fx_config_init (&config, FX_DEVICE_AUTO, NULL));
  from_environment = fx_cache_new (config.cache_dir, LIMIT);
  put_seeded (from_environment, KEY_B, 2, 10);
  g_assert_true (exists (in_dir));
  if (old)
    g_setenv ("CUDA_BLUR_CACHE_DIR", old, TRUE);
  else
    g_unsetenv ("CUDA_BLUR_CACHE_DIR");
}

/* ---- damage ---- */

/* Checks that size bytes of data in an entry's place miss, and are removed. */
static void
is_damage (Fixture *f, const guint8 *data, gsize size)
{
  g_autofree char *path = path_of (f, KEY_A);

  write_file (path, data, size);
  misses (f->cache, KEY_A);
  g_assert_false (exists (path));
}

/* Returns a copy, with room for one more byte, of the file of an entry with length bytes. */
static guint8 *
make_entry (Fixture *f, gsize length, gsize *size)
{
  g_autofree char *path = path_of (f, KEY_A);
  g_autoptr (GBytes) file = NULL;
  guint8 *data;

  put_seeded (f->cache, KEY_A, 3, length);
  file = read_file (path);
  *size = g_bytes_get_size (file);
  g_assert_cmpuint (*size, ==, HEADER + length + SUM);
  data = g_malloc0 (*size + 1);
  memcpy (data, g_bytes_get_data (file, NULL), *size);
  return data;
}

/* Makes the sum fit the bytes again. */
static void
sign (guint8 *data, gsize size)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize length = SUM;

  g_checksum_update (checksum, data, size - SUM);
  g_checksum_get_digest (checksum, data + size - SUM, &length);
}

static void
test_truncation (Fixture *f, gconstpointer data)
{
  static const gsize lengths[] = { 0, 1, 37 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      gsize size;
      g_autofree guint8 *file = make_entry (f, lengths[i], &size);
      g_autofree char *path = path_of (f, KEY_A);

      for (gsize n = 0; n < size; n++)
        is_damage (f, file, n);
      is_damage (f, file, size + 1);
      write_file (path, file, size);
      hits (f->cache, KEY_A, 3, lengths[i]);
    }
}

static void
test_flipped_bits (Fixture *f, gconstpointer data)
{
  gsize size;
  g_autofree guint8 *file = make_entry (f, 11, &size);

  for (gsize bit = 0; bit < size * 8; bit++)
    {
      file[bit / 8] ^= 1 << bit % 8;
      is_damage (f, file, size);
      file[bit / 8] ^= 1 << bit % 8;
    }
}

/* The sum fits, yet magic, version, length or key do not: none of them may be trusted to it. */
static void
test_forged_header (Fixture *f, gconstpointer data)
{
  gsize size;
  g_autofree guint8 *file = make_entry (f, 11, &size);
  g_autofree char *path = path_of (f, KEY_A);

  for (gsize bit = 0; bit < HEADER * 8; bit++)
    {
      file[bit / 8] ^= 1 << bit % 8;
      sign (file, size);
      is_damage (f, file, size);
      file[bit / 8] ^= 1 << bit % 8;
    }
  sign (file, size);
  write_file (path, file, size);
  hits (f->cache, KEY_A, 3, 11);
}

static void
test_wrong_key (Fixture *f, gconstpointer data)
{
  g_autofree char *a = path_of (f, KEY_A);
  g_autofree char *b = path_of (f, KEY_B);

  put_seeded (f->cache, KEY_A, 1, 100);
  g_assert_cmpint (g_rename (a, b), ==, 0);
  misses (f->cache, KEY_B);
  g_assert_false (exists (b));
}

/* Files larger than the cache may be are not even read: a whole entry, and 1 TiB of nothing. */
static void
test_huge_file (Fixture *f, gconstpointer data)
{
  g_autofree char *path = path_of (f, KEY_A);
  g_autoptr (FxCache) larger = fx_cache_new (f->dir, 2 * LIMIT);

  put_seeded (larger, KEY_A, 1, LIMIT);
  hits (larger, KEY_A, 1, LIMIT);
  misses (f->cache, KEY_A);
  g_assert_false (exists (path));

  put_seeded (f->cache, KEY_A, 1, 100);
  g_assert_cmpint (truncate (path, (off_t) 1 << 40), ==, 0);
  misses (f->cache, KEY_A);
  g_assert_false (exists (path));
}

/* ---- hostile folders ---- */

static void
test_modes (Fixture *f, gconstpointer data)
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
  g_autofree char *path = path_of (f, KEY_A);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s of mode %o", cases[i].folder ? "folder" : "file", cases[i].mode);
      put_seeded (f->cache, KEY_A, i, 100);
      g_assert_cmpint (g_chmod (cases[i].folder ? f->dir : path, cases[i].mode), ==, 0);
      if (cases[i].used)
        hits (f->cache, KEY_A, i, 100);
      else
        misses (f->cache, KEY_A);
      if (cases[i].written)
        put_seeded (f->cache, KEY_A, i + 100, 50);
      else
        put_fails (f->cache, KEY_A, 50);
      g_chmod (f->dir, 0700);
      if (cases[i].written)
        hits (f->cache, KEY_A, i + 100, 50);
      g_assert_cmpuint (count_files (f->dir), ==, 1);
    }
}

static void
test_owner (Fixture *f, gconstpointer data)
{
  g_autofree char *path = path_of (f, KEY_A);

  if (! was_root)
    {
      g_test_skip ("only root can give a file away");
      return;
    }
  put_seeded (f->cache, KEY_A, 1, 100);
  become (0);
  g_assert_cmpint (chown (path, 1, 1), ==, 0);
  g_assert_cmpint (chmod (path, 0644), ==, 0);
  become (NOBODY);
  misses (f->cache, KEY_A);

  put_seeded (f->cache, KEY_A, 1, 100);
  become (0);
  g_assert_cmpint (chown (f->dir, 1, 1), ==, 0);
  g_assert_cmpint (chmod (f->dir, 0755), ==, 0);
  become (NOBODY);
  misses (f->cache, KEY_A);
  put_fails (f->cache, KEY_A, 10);

  /* Not even root, to whom modes mean nothing, takes another's folder. */
  become (0);
  misses (f->cache, KEY_A);
  put_fails (f->cache, KEY_A, 10);
  become (NOBODY);
  g_assert_true (exists (path));
}

static void
test_linked_folder (Fixture *f, gconstpointer data)
{
  g_autofree char *link = g_build_filename (f->top, "link", NULL);
  g_autofree char *slashed = g_strconcat (link, "/", NULL);
  g_autoptr (FxCache) cache = fx_cache_new (link, LIMIT);
  g_autoptr (FxCache) trailing = fx_cache_new (slashed, LIMIT);

  put_seeded (f->cache, KEY_A, 1, 100);
  g_assert_cmpint (symlink (f->dir, link), ==, 0);
  misses (cache, KEY_A);
  misses (trailing, KEY_A);
  put_fails (cache, KEY_B, 10);
  put_fails (trailing, KEY_B, 10);
  hits (f->cache, KEY_A, 1, 100);
  g_assert_cmpuint (count_files (f->dir), ==, 1);
}

/* A link to a good entry, and one to nowhere: neither is read, written or followed. */
static void
test_linked_file (Fixture *f, gconstpointer data)
{
  g_autofree char *path = path_of (f, KEY_A);
  g_autofree char *target = g_build_filename (f->top, "target", NULL);

  put_seeded (f->cache, KEY_A, 1, 100);
  g_assert_cmpint (g_rename (path, target), ==, 0);
  g_assert_cmpint (symlink (target, path), ==, 0);
  misses (f->cache, KEY_A);
  g_assert_true (exists (target));
  g_assert_false (exists (path));

  g_assert_cmpint (g_unlink (target), ==, 0);
  g_assert_cmpint (symlink (target, path), ==, 0);
  put_seeded (f->cache, KEY_A, 2, 100);
  g_assert_false (exists (target));
  g_assert_false (g_file_test (path, G_FILE_TEST_IS_SYMLINK));
  hits (f->cache, KEY_A, 2, 100);
}

/* No file: a FIFO (which must not hang), a folder; and a file where the cache's folder goes. */
static void
test_no_file (Fixture *f, gconstpointer data)
{
  g_autofree char *path = path_of (f, KEY_A);
  g_autofree char *inner = g_build_filename (path, "x", NULL);
  g_autofree char *file = g_build_filename (f->top, "file", NULL);
  g_autoptr (FxCache) in_file = fx_cache_new (file, LIMIT);

  put_seeded (f->cache, KEY_A, 1, 100);
  g_unlink (path);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  misses (f->cache, KEY_A);

  g_unlink (path);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  write_file (inner, "x", 1);
  misses (f->cache, KEY_A);
  put_fails (f->cache, KEY_A, 10);
  g_assert_true (exists (inner));
  g_assert_cmpuint (count_files (f->dir), ==, 1);

  write_file (file, "x", 1);
  misses (in_file, KEY_A);
  put_fails (in_file, KEY_A, 10);
}

/* ---- no home ---- */

/* A home that nobody may write to, one that is not there, and none in the environment. */
static void
test_home (Fixture *f, gconstpointer data)
{
  static const char *const homes[] = { "top", "/nonexistent/home", "" };

  if (g_test_subprocess ())
    {
      g_autoptr (FxCache) cache = fx_cache_new (NULL, LIMIT);

      misses (cache, KEY_A);
      put_fails (cache, KEY_A, 10);
      misses (cache, KEY_A);
      return;
    }
  g_assert_cmpint (g_chmod (f->top, 0500), ==, 0);
  g_unsetenv ("CUDA_BLUR_CACHE_DIR");
  become (0); /* the child drops them itself */
  for (guint i = 0; i < G_N_ELEMENTS (homes); i++)
    {
      g_setenv ("XDG_CACHE_HOME", *homes[i] == 't' ? f->top : homes[i], TRUE);
      g_setenv ("HOME", "/nonexistent/home", TRUE);
      g_test_trap_subprocess (NULL, 0, 0);
      g_test_trap_assert_passed ();
    }
  become (NOBODY);
}

/* ---- a full disk ---- */

/* The cut falls on the header, the payload and the sum. The entry that was there stays. */
static void
test_file_size_limit (Fixture *f, gconstpointer data)
{
  static const rlim_t cuts[] = { 0, 1, HEADER, 3000, HEADER + 4000, HEADER + 4000 + SUM - 1 };
  struct rlimit old, limit;

  signal (SIGXFSZ, SIG_IGN);
  put_seeded (f->cache, KEY_A, 1, 500);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cuts); i++)
    {
      g_autoptr (GBytes) bytes = make_bytes (2, 4000);
      g_autoptr (GError) error = NULL;
      gboolean done;

      limit = old;
      limit.rlim_cur = cuts[i];
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
      done = fx_cache_put (f->cache, KEY_A, bytes, &error);
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
      g_assert_false (done);
      g_assert_nonnull (error);
      g_assert_cmpuint (count_files (f->dir), ==, 1);
      hits (f->cache, KEY_A, 1, 500);
    }
  signal (SIGXFSZ, SIG_DFL);
}

/* Runs body in a child of its own; FALSE if it says MISSING. */
static gboolean
in_child (void (*body) (Fixture *), Fixture *f)
{
  int status;
  pid_t pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      body (f);
      _exit (0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  if (WIFEXITED (status) && WEXITSTATUS (status) == MISSING)
    return FALSE;
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
  return TRUE;
}

/* The mount is seen by this process alone, and goes with it. */
static void
fill_small_disk (Fixture *f)
{
  become (0);
  if (geteuid () != 0 || unshare (CLONE_NEWNS) != 0 ||
      mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
      mount ("blur", f->top, "tmpfs", 0, "size=64k,mode=0777") != 0)
    _exit (MISSING);
  become (NOBODY);

  put_seeded (f->cache, KEY_A, 1, 20000);
  put_fails (f->cache, KEY_B, 60000);
  put_fails (f->cache, KEY_A, 60000);
  g_assert_cmpuint (count_files (f->dir), ==, 1);
  hits (f->cache, KEY_A, 1, 20000);
  put_seeded (f->cache, KEY_B, 2, 20000);
  hits (f->cache, KEY_B, 2, 20000);
}

static void
test_full_disk (Fixture *f, gconstpointer data)
{
  if (! in_child (fill_small_disk, f))
    g_test_skip ("no right to mount a small disk");
}

/* ---- the limit ---- */

static char *
numbered_key (guint n)
{
  return g_strdup_printf ("%064x", n);
}

/* "1" for each of n entries that is there, "0" for one that is not. */
static char *
list_present (Fixture *f, guint n)
{
  char *present = g_strnfill (n, '0');

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *key = numbered_key (i);
      g_autofree char *path = path_of (f, key);

      if (exists (path))
        present[i] = '1';
    }
  return present;
}

/* Four entries fit. They are the older the lower their number, until one is used. */
static void
test_eviction (Fixture *f, gconstpointer data)
{
  static const struct {
    int used;
    gsize size;
    const char *present;
  } steps[] = {
    { -1, 1000, "1111" }, /* four, and nothing else yet */
    { 0, 1000, "10111" }, /* 1 is now the oldest */
    { -1, 1000, "100111" },
    { 3, 2000, "0001011" },   /* twice the size: two go, and 3 was used meanwhile */
    { -1, 4000, "00000001" }, /* 7 is as large as the cache, but for a few bytes */
    { -1, 1, "000000011" },
    { -1, 1000, "0000000011" },
  };
  const gsize whole = 1000 + HEADER + SUM;
  g_autoptr (FxCache) cache = fx_cache_new (f->dir, 4 * whole);
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autofree char *present = NULL;
      g_autofree char *used = numbered_key (MAX (steps[i].used, 0));

      g_usleep (20000); /* the clock of files ticks every 4 to 10 ms */
      if (steps[i].used >= 0)
        {
          g_autoptr (GBytes) bytes = fx_cache_get (cache, used);

          g_assert_nonnull (bytes);
        }
      while (n < strlen (steps[i].present))
        {
          g_autofree char *key = numbered_key (n);
          g_autofree char *path = path_of (f, key);

          put_seeded (cache, key, n, steps[i].size);
          if (i == 0)
            set_age (path, 1000 - 10 * n);
          n++;
        }
      present = list_present (f, n);
      g_assert_cmpstr (present, ==, steps[i].present);
    }
}

/* A clock that was wrong must not evict what was just put, nor other people's files. */
static void
test_future (Fixture *f, gconstpointer data)
{
  const gsize whole = 1000 + HEADER + SUM;
  g_autoptr (FxCache) cache = fx_cache_new (f->dir, 2 * whole);
  g_autofree char *readme = g_build_filename (f->dir, "README", NULL);
  g_autofree char *large = g_strnfill (5000, 'x');
  g_autofree char *present = NULL;

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *key = numbered_key (i);
      g_autofree char *path = path_of (f, key);

      put_seeded (cache, key, i, 1000);
      set_age (path, -100000 - 10 * (int) i);
      if (i == 0)
        write_file (readme, large, 5000);
    }
  present = list_present (f, 3);
  g_assert_cmpstr (present, ==, "011");
  g_assert_true (exists (readme));

  /* Nor what is put once the clock is right again. */
  for (guint i = 3; i < 6; i++)
    {
      g_autofree char *key = numbered_key (i);

      put_seeded (cache, key, i, 1000);
      hits (cache, key, i, 1000);
      g_assert_cmpuint (count_files (f->dir), ==, 3); /* the limit's two, and README */
    }
}

/* ---- crashes and crowds ---- */

static void
die_in_put (Fixture *f)
{
  struct rlimit limit = { 3000, 3000 }, none = { 0, 0 };
  g_autoptr (GBytes) bytes = make_bytes (1, 5000);

  setrlimit (RLIMIT_CORE, &none);
  setrlimit (RLIMIT_FSIZE, &limit);
  signal (SIGXFSZ, SIG_DFL);
  fx_cache_put (f->cache, KEY_B, bytes, NULL);
}

/* Kills a process in the middle of a put. Returns the path of what it leaves. */
static char *
make_leftover (Fixture *f)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;
  int status;
  pid_t pid = fork ();

  if (pid == 0)
    {
      die_in_put (f);
      _exit (0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status));
  dir = g_dir_open (f->dir, 0, NULL);
  while ((name = g_dir_read_name (dir)))
    if (strcmp (name, KEY_A) != 0)
      return g_build_filename (f->dir, name, NULL);
  return NULL;
}

static void
test_leftovers (Fixture *f, gconstpointer data)
{
  g_autofree char *leftover = NULL;

  put_seeded (f->cache, KEY_A, 1, 100);
  leftover = make_leftover (f);
  g_assert_nonnull (leftover);
  misses (f->cache, KEY_B);

  /* It may be a put under way: it stays for an hour. */
  set_age (leftover, 3000);
  put_seeded (f->cache, KEY_A, 2, 100);
  g_assert_true (exists (leftover));
  set_age (leftover, 4000);
  put_seeded (f->cache, KEY_A, 3, 100);
  g_assert_false (exists (leftover));
  hits (f->cache, KEY_A, 3, 100);
  g_assert_cmpuint (count_files (f->dir), ==, 1);
}

/* An entry that says itself what it should hold: the seed of its size and bytes comes first. */
static GBytes *
make_self_checking (guint32 seed)
{
  g_autoptr (GBytes) tail = make_bytes (seed, seed % 5000);
  g_autoptr (GByteArray) all = g_byte_array_new ();

  g_byte_array_append (all, (guint8 *) &seed, sizeof seed);
  g_byte_array_append (all, g_bytes_get_data (tail, NULL), g_bytes_get_size (tail));
  return g_byte_array_free_to_bytes (g_steal_pointer (&all));
}

static void
check_self (GBytes *bytes)
{
  g_autoptr (GBytes) expected = NULL;
  guint32 seed;

  g_assert_cmpuint (g_bytes_get_size (bytes), >=, sizeof seed);
  memcpy (&seed, g_bytes_get_data (bytes, NULL), sizeof seed);
  expected = make_self_checking (seed);
  g_assert_true (g_bytes_equal (bytes, expected));
}

/* Gets and puts a few keys at random; the cache holds only some of them. */
static void
hammer (Fixture *f, guint32 seed)
{
  g_autoptr (FxCache) cache = fx_cache_new (f->dir, 16000);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  guint n_hits = 0;

  for (int i = 0; i < 1500; i++)
    {
      g_autofree char *key = numbered_key (g_rand_int_range (rand, 0, 8));
      g_autoptr (GBytes) bytes = NULL;

      if (i % 3 == 0)
        {
          bytes = make_self_checking (g_rand_int (rand));
          put (cache, key, bytes);
          continue;
        }
      bytes = fx_cache_get (cache, key);
      if (bytes)
        check_self (bytes);
      n_hits += bytes != NULL;
    }
  g_assert_cmpuint (n_hits, >, 0);
}

/* Overwrites bytes of entries in place, as a failing disk would. */
static void
vandalise (Fixture *f, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  for (int i = 0; i < 3000; i++)
    {
      g_autofree char *key = numbered_key (g_rand_int_range (rand, 0, 8));
      g_autofree char *path = path_of (f, key);
      int fd = open (path, O_WRONLY);

      if (fd >= 0)
        {
          if (i % 2)
            (void) ! pwrite (fd, &i, 1, g_rand_int_range (rand, 0, 200));
          else
            (void) ! ftruncate (fd, g_rand_int_range (rand, 0, 300));
          close (fd);
        }
      g_usleep (300);
    }
}

static void
test_processes (Fixture *f, gconstpointer data)
{
  const gboolean vandal = GPOINTER_TO_INT (data);
  pid_t pids[3];

  for (int i = 0; i < 3; i++)
    {
      pids[i] = fork ();
      g_assert_cmpint (pids[i], >=, 0);
      if (pids[i] == 0)
        {
          if (vandal && i == 2)
            vandalise (f, seed_get () + i);
          else
            hammer (f, seed_get () + i);
          _exit (0);
        }
    }
  for (int i = 0; i < 3; i++)
    {
      int status;

      g_assert_cmpint (waitpid (pids[i], &status, 0), ==, pids[i]);
      g_assert_cmpint (status, ==, 0);
    }
  g_assert_cmpuint (count_files (f->dir), <=, 8);
}

/* Takes what is there, and puts what is not; all of it is there then. */
static void
share (Fixture *f)
{
  g_autoptr (FxCache) cache = fx_cache_new (f->dir, LIMIT);

  for (guint n = 0; n < SHARED_KEYS; n++)
    {
      g_autofree char *key = numbered_key (n);
      g_autoptr (GBytes) found = fx_cache_get (cache, key);
      g_autoptr (GBytes) bytes = make_self_checking (n);
      g_autoptr (GBytes) again = NULL;

      if (found)
        check_self (found);
      else
        put (cache, key, bytes);
      again = fx_cache_get (cache, key);
      g_assert_nonnull (again);
      check_self (again);
    }
}

/* Many processes at once, and not even the folder is there. */
static void
test_crowd (Fixture *f, gconstpointer data)
{
  pid_t pids[CROWD];
  int start[2];

  g_assert_cmpint (pipe (start), ==, 0);
  for (int i = 0; i < CROWD; i++)
    {
      pids[i] = fork ();
      g_assert_cmpint (pids[i], >=, 0);
      if (pids[i] == 0)
        {
          char c;

          close (start[1]);
          g_assert_cmpint (read (start[0], &c, 1), ==, 0); /* until all are there */
          share (f);
          _exit (0);
        }
    }
  close (start[0]);
  close (start[1]);
  for (int i = 0; i < CROWD; i++)
    {
      int status;

      g_assert_cmpint (waitpid (pids[i], &status, 0), ==, pids[i]);
      g_assert_cmpint (status, ==, 0);
    }
  g_assert_cmpuint (count_files (f->dir), ==, SHARED_KEYS);
}

#define ADD(path, data, test) g_test_add ("/cache/" path, Fixture, data, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  int status;

  seed_test_init (&argc, &argv);
  drop_rights ();
  ADD ("bytes", NULL, test_bytes);
  ADD ("names", NULL, test_names);
  ADD ("truncation", NULL, test_truncation);
  ADD ("flipped-bits", NULL, test_flipped_bits);
  ADD ("forged-header", NULL, test_forged_header);
  ADD ("wrong-key", NULL, test_wrong_key);
  ADD ("huge-file", NULL, test_huge_file);
  ADD ("modes", NULL, test_modes);
  ADD ("owner", NULL, test_owner);
  ADD ("linked-folder", NULL, test_linked_folder);
  ADD ("linked-file", NULL, test_linked_file);
  ADD ("no-file", NULL, test_no_file);
  ADD ("home", NULL, test_home);
  ADD ("file-size-limit", NULL, test_file_size_limit);
  ADD ("full-disk", NULL, test_full_disk);
  ADD ("eviction", NULL, test_eviction);
  ADD ("future", NULL, test_future);
  ADD ("leftovers", NULL, test_leftovers);
  ADD ("processes", GINT_TO_POINTER (FALSE), test_processes);
  ADD ("processes-and-damage", GINT_TO_POINTER (TRUE), test_processes);
  ADD ("crowd", NULL, test_crowd);
  status = g_test_run ();
  become (0);
  return status;
}
