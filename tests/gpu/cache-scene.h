/* A cache in a temporary folder, and the common parts of its tests.
 *
 * Root bypasses file modes, so a run as root drops its effective rights to nobody's and takes them
 * back when it needs a file of another owner or a mount. */
#pragma once

#include "cache.h"
#include "test.h"

#include <sys/types.h>

#define LIMIT  (1u << 20)
#define HEADER 96 /* bytes before the payload */
#define SUM    32 /* bytes after it */
#define KEY_A  "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define KEY_B  "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define NOBODY 65534

/* One test's own folder; the cache is to make "cache" in it. */
typedef struct {
  char *top, *dir;
  FxCache *cache;
} Scene;

void scene_set_up (Scene *scene, gconstpointer data);
void scene_tear_down (Scene *scene, gconstpointer data);

#define SCENE_ADD(path, data, test) \
  g_test_add ("/cache/" path, Scene, data, scene_set_up, test, scene_tear_down)

/* Defines a test with a scene, which is added by itself: SCENE_TEST (test_owner, "owner") { ... }
 */
#define SCENE_TEST(func, path)                         \
  static void func (Scene *scene, gconstpointer data); \
  TESTS (add_##func)                                   \
  {                                                    \
    SCENE_ADD (path, NULL, func);                      \
  }                                                    \
  static void func (Scene *scene, gconstpointer data)

/* Before the first test. */
void scene_drop_rights (void);

/* Returns whether this is a run as root. */
gboolean scene_is_roots (void);

/* Takes the rights of id, in a run as root. */
void scene_become (uid_t id);

/* Returns the path of an entry. */
char *scene_get_path (const Scene *scene, const char *key);
guint scene_count_files (const Scene *scene);

void file_write (const char *path, gconstpointer data, gsize size);
gboolean file_exists (const char *path); /* links are not followed */
void file_set_age (const char *path, gint64 seconds);

char *key_new_numbered (guint n);

/* size pseudo-random bytes, the same for the same seed. */
GBytes *bytes_new_seeded (guint32 seed, gsize size);

void check_put (FxCache *cache, const char *key, GBytes *bytes);
void check_put_seeded (FxCache *cache, const char *key, guint32 seed, gsize size);
void check_put_fails (FxCache *cache, const char *key, gsize size);
void check_hits (FxCache *cache, const char *key, guint32 seed, gsize size);
void check_misses (FxCache *cache, const char *key);
