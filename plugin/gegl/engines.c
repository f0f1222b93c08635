#include "engines.h"

#include "exit.h"
#include "message.h"

#include <gegl.h>
#include <pthread.h>

/* Only the thread that borrowed an engine may use it, or the one that took it from here under the
 * lock. */
static struct {
  GMutex lock;
  FxEngine *shared; /* the shared engine; NULL until needed, and after being idle */
  gboolean lent;    /* the shared engine is borrowed */
  GThread *user;    /* the thread that borrowed it */
  gboolean watched; /* a thread waits until it is idle */
  gboolean ended;   /* GEGL has ended: no engine is shared any more */
  gint64 last;      /* the time when it was last returned */
  GCond never;      /* is never signalled; used to wait */
  int freeing;      /* threads that free an engine that was idle */
  GCond freed;
} engines;

/* Configures engine from the environment. If that is invalid, uses the defaults. */
static void
configure (FxEngine *engine)
{
  g_auto (FxConfig) config = { 0 };
  g_autoptr (GError) error = NULL;

  if (! fx_config_init (&config, FX_DEVICE_AUTO, &error))
    {
      message_show_once (error->message);
      config.device = FX_DEVICE_AUTO;
      config.memory_limit = G_MAXSIZE;
    }
  fx_engine_set_config (engine, &config);
}

/* Frees the shared engine, except during a call that may continue. Waits for threads that free one:
 * what follows takes CUDA away from them. */
static void
engines_end (gboolean own_call_continues)
{
  FxEngine *shared = NULL;

  g_mutex_lock (&engines.lock);
  engines.ended = TRUE;
  while (engines.freeing > 0)
    g_cond_wait (&engines.freed, &engines.lock);
  if (! engines.lent || (! own_call_continues && engines.user == g_thread_self ()))
    shared = g_steal_pointer (&engines.shared);
  g_mutex_unlock (&engines.lock);
  fx_engine_free (shared);
}

/* gegl_exit drops its configuration last. */
static void
end_gegl (gpointer data, GObject *config)
{
  engines_end (TRUE);
}

static void
end_process (void)
{
  engines_end (FALSE);
}

/* A forked child does not have the engine's threads, so it drops the shared engine without freeing
 * it. fork takes the lock, so that no other thread holds it then. */

static void
lock_for_fork (void)
{
  g_mutex_lock (&engines.lock);
}

static void
unlock_in_parent (void)
{
  g_mutex_unlock (&engines.lock);
}

static void
forget_in_child (void)
{
  engines.shared = NULL;
  engines.lent = engines.watched = FALSE;
  engines.freeing = 0;
  g_mutex_unlock (&engines.lock);
}

/* Creates the shared engine, unless GEGL has ended. */
static void
ensure_shared (void)
{
  static gboolean hooked;

  if (engines.shared || engines.ended)
    return;
  engines.shared = fx_engine_new ();
  fx_engine_enable_warm_up (engines.shared);
  if (! hooked)
    {
      g_object_weak_ref (G_OBJECT (gegl_config ()), end_gegl, NULL);
      fx_exit_set_handler (end_process);
      pthread_atfork (lock_for_fork, unlock_in_parent, forget_in_child);
    }
  hooked = TRUE;
}

FxEngine *
engines_borrow (void)
{
  FxEngine *engine = NULL;

  g_mutex_lock (&engines.lock);
  ensure_shared ();
  fx_exit_note_thread ();
  if (engines.shared && ! engines.lent)
    {
      engines.lent = TRUE;
      engines.user = g_thread_self ();
      engine = engines.shared;
    }
  g_mutex_unlock (&engines.lock);

  if (! engine)
    engine = fx_engine_new ();
  fx_engine_set_waiting (engine, FALSE);
  configure (engine);
  return engine;
}

/* Returns the time when the shared engine will have been idle long enough if nobody borrows it. */
static gint64
get_end (void)
{
  gint64 start = engines.lent ? g_get_monotonic_time () : engines.last;

  return start + fx_config_get_idle_seconds () * G_TIME_SPAN_SECOND;
}

/* Runs on a separate thread, which ends when it has freed the engine. */
static gpointer
watch (gpointer data)
{
  FxEngine *idle;

  g_mutex_lock (&engines.lock);
  while (engines.lent || g_get_monotonic_time () < get_end ())
    g_cond_wait_until (&engines.never, &engines.lock, get_end ());
  idle = g_steal_pointer (&engines.shared);
  engines.watched = FALSE;
  engines.freeing++;
  g_mutex_unlock (&engines.lock);
  fx_engine_free (idle);
  g_mutex_lock (&engines.lock);
  engines.freeing--;
  g_cond_broadcast (&engines.freed);
  g_mutex_unlock (&engines.lock);
  return NULL;
}

/* If the thread cannot be started, the engine stays until the process ends. */
static void
start_watch (void)
{
  GThread *thread = g_thread_try_new ("cuda-blur-idle", watch, NULL, NULL);

  if (! thread)
    return;
  engines.watched = TRUE;
  g_thread_unref (thread);
}

void
engines_return (FxEngine *engine)
{
  gboolean shared;

  g_mutex_lock (&engines.lock);
  shared = engine == engines.shared;
  if (shared)
    {
      engines.lent = FALSE;
      engines.last = g_get_monotonic_time ();
      if (! engines.watched)
        start_watch ();
    }
  g_mutex_unlock (&engines.lock);
  if (! shared)
    fx_engine_free (engine);
}
