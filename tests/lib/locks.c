/* Wrappers of GLib's locks for builds with ThreadSanitizer, which does not see into GLib. They tell
 * it that whatever precedes the unlocking of a lock happens before the next locking. */
#define _GNU_SOURCE /* for RTLD_NEXT */

#include <dlfcn.h>
#include <glib.h>
#include <sanitizer/tsan_interface.h>

#define GET(name) ((__typeof__ (&name)) dlsym (RTLD_NEXT, #name))

void (g_mutex_lock) (GMutex *mutex)
{
  GET (g_mutex_lock) (mutex);
  __tsan_acquire (mutex);
}

void (g_mutex_unlock) (GMutex *mutex)
{
  __tsan_release (mutex);
  GET (g_mutex_unlock) (mutex);
}

void (g_cond_wait) (GCond *cond, GMutex *mutex)
{
  __tsan_release (mutex);
  GET (g_cond_wait) (cond, mutex);
  __tsan_acquire (mutex);
}

gboolean (g_cond_wait_until) (GCond *cond, GMutex *mutex, gint64 end_time)
{
  gboolean woken;

  __tsan_release (mutex);
  woken = GET (g_cond_wait_until) (cond, mutex, end_time);
  __tsan_acquire (mutex);
  return woken;
}

gboolean (g_once_init_enter) (volatile void *location)
{
  gboolean first = GET (g_once_init_enter) (location);

  __tsan_acquire ((void *) location);
  return first;
}

void (g_once_init_leave) (volatile void *location, gsize result)
{
  __tsan_release ((void *) location);
  GET (g_once_init_leave) (location, result);
}
