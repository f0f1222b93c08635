#include "keeper.h"

#include "show.h"
#include "trace.h"

#define PAUSE_MAX 64 /* the most requests that are skipped before a retry */

/* A warm-up of the GPU. */
typedef struct {
  GThread *thread;
  FxUse use;
  FxConfig config;
  FxGpu *gpu;    /* NULL: the warm-up opens it */
  GError *error; /* the reason for a failure */
  gint done;     /* atomic */
} Warming;

struct FxKeeper {
  FxConfig config;
  FxGpu *gpu;       /* NULL until it is first needed, during a warm-up, and after it failed */
  Warming *warming; /* or NULL */
  GError *cold;     /* why the last warm-up failed, or NULL */
  int pause;        /* requests to skip after the next failure; doubles each time */
  int left;         /* left to skip now */
};

FxKeeper *
fx_keeper_new (void)
{
  FxKeeper *keeper = g_new0 (FxKeeper, 1);

  keeper->pause = 1;
  return keeper;
}

void
fx_keeper_set_config (FxKeeper *keeper, const FxConfig *config)
{
  fx_config_clear (&keeper->config);
  fx_config_copy (&keeper->config, config);
}

/* On the warm-up's thread. */

static gboolean
get_ready (Warming *warming)
{
  const FxUse *use = &warming->use;

  if (! fx_gpu_use (warming->gpu, &warming->error))
    return FALSE;
  if (use->shows)
    return fx_gpu_make_ready_to_show (warming->gpu, use->plan, &use->format, use->grown,
                                      &warming->error);
  return fx_gpu_make_ready (warming->gpu, use->plan, use->grown, &warming->error);
}

static gpointer
warm (gpointer data)
{
  Warming *warming = data;

  if (! warming->gpu)
    warming->gpu = fx_gpu_open (&warming->config, &warming->error);
  if (warming->gpu && ! get_ready (warming) && ! fx_gpu_is_alive (warming->gpu))
    g_clear_pointer (&warming->gpu, fx_gpu_close);
  g_atomic_int_set (&warming->done, TRUE);
  return NULL;
}

/* On the caller's thread. */

/* Records why no GPU is ready, or NULL if there may be one. */
static void
set_cold (FxKeeper *keeper, GError *reason)
{
  if (reason)
    fx_warn_of_failure (reason);
  g_clear_error (&keeper->cold);
  keeper->cold = reason;
  keeper->left = keeper->pause;
  keeper->pause = reason ? MIN (2 * keeper->pause, PAUSE_MAX) : 1;
}

static void
free_warming (Warming *warming)
{
  fx_plan_free (warming->use.plan);
  fx_config_clear (&warming->config);
  g_free (warming);
}

/* Takes the GPU back from a warm-up that is done; if wait is set, from any warm-up. */
static void
end_warming (FxKeeper *keeper, gboolean wait)
{
  Warming *warming = keeper->warming;

  if (! warming || ! (wait || g_atomic_int_get (&warming->done)))
    return;
  g_thread_join (warming->thread);
  keeper->gpu = warming->gpu;
  set_cold (keeper, warming->error);
  keeper->warming = NULL;
  free_warming (warming);
}

static void
start_warming (FxKeeper *keeper, const FxUse *use)
{
  Warming *warming = g_new0 (Warming, 1);

  warming->use = *use;
  fx_config_copy (&warming->config, &keeper->config);
  fx_plan_ref (use->plan);
  if (keeper->gpu)
    fx_gpu_pin (keeper->gpu, NULL, 0); /* the memory may be freed before the GPU is back */
  warming->gpu = keeper->gpu;
  warming->thread = g_thread_try_new ("cuda-blur-warm", warm, warming, &warming->error);
  if (! warming->thread)
    {
      set_cold (keeper, warming->error);
      free_warming (warming);
      return;
    }
  keeper->gpu = NULL;
  keeper->warming = warming;
}

void
fx_keeper_warm (FxKeeper *keeper, const FxUse *use)
{
  end_warming (keeper, FALSE);
  if (keeper->cold && keeper->left > 0)
    {
      keeper->left--;
      return;
    }
  if (! keeper->warming)
    start_warming (keeper, use);
}

FxGpu *
fx_keeper_get (FxKeeper *keeper, GError **error)
{
  end_warming (keeper, TRUE);
  if (! keeper->gpu && ! (keeper->gpu = fx_gpu_open (&keeper->config, error)))
    return NULL;
  set_cold (keeper, NULL);
  return fx_gpu_use (keeper->gpu, error) ? keeper->gpu : NULL;
}

FxGpu *
fx_keeper_peek (FxKeeper *keeper)
{
  return keeper->gpu;
}

FxGpu *
fx_keeper_find (FxKeeper *keeper, const FxUse *use)
{
  FxGpu *gpu;

  end_warming (keeper, FALSE);
  gpu = keeper->gpu;
  if (! gpu)
    return NULL;
  if (use->shows)
    return fx_gpu_is_ready_to_show (gpu, use->plan, &use->format, use->grown) ? gpu : NULL;
  return fx_gpu_is_ready (gpu, use->plan, use->grown) ? gpu : NULL;
}

gboolean
fx_keeper_is_warming (const FxKeeper *keeper)
{
  const Warming *warming = keeper->warming;

  return warming && ! (g_atomic_int_get (&warming->done) && warming->error);
}

FxGpu *
fx_keeper_wait (FxKeeper *keeper)
{
  end_warming (keeper, TRUE);
  return keeper->gpu;
}

const GError *
fx_keeper_get_reason (FxKeeper *keeper)
{
  end_warming (keeper, FALSE);
  return keeper->cold;
}

void
fx_keeper_check (FxKeeper *keeper)
{
  if (keeper->gpu && ! fx_gpu_is_alive (keeper->gpu))
    g_clear_pointer (&keeper->gpu, fx_gpu_close);
}

void
fx_keeper_free (FxKeeper *keeper)
{
  if (! keeper)
    return;
  end_warming (keeper, TRUE);
  fx_gpu_close (keeper->gpu);
  g_clear_error (&keeper->cold);
  fx_config_clear (&keeper->config);
  g_free (keeper);
}
