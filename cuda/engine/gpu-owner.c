#include "gpu-owner.h"

#include "error.h"
#include "trace.h"

#include <glib/gi18n-lib.h>

/* Requests are skipped before a retry, but at most so many, and not for longer. */
#define PAUSE_MAX     64
#define PAUSE_SECONDS 120

/* A warm-up of the GPU. */
typedef struct {
  GThread *thread;
  FxUse use;
  FxConfig config;
  FxGpu *gpu;    /* NULL: the warm-up opens it */
  GError *error; /* the reason for a failure */
  gint done;     /* atomic */
} Warming;

struct FxGpuOwner {
  FxConfig config;
  FxGpu *gpu;       /* NULL until it is first needed, during a warm-up, and after it failed */
  Warming *warming; /* or NULL */
  GError *failure;  /* why the last warm-up failed, or NULL */
  int pause;        /* requests to skip after the next failure; doubles each time */
  int left;         /* left to skip now */
  gint64 end;       /* the time when none is skipped any more */
  gboolean lost;    /* the GPU stopped responding, or CUDA failed to open it */
};

FxGpuOwner *
fx_gpu_owner_new (void)
{
  FxGpuOwner *owner = g_new0 (FxGpuOwner, 1);

  owner->pause = 1;
  return owner;
}

void
fx_gpu_owner_set_config (FxGpuOwner *owner, const FxConfig *config)
{
  fx_config_clear (&owner->config);
  fx_config_copy (&owner->config, config);
}

/* Closes the GPU if it no longer responds, and says so in error. */
static void
close_if_lost (FxGpu **gpu, GError **error)
{
  if (! *gpu || fx_gpu_is_alive (*gpu))
    return;
  g_clear_pointer (gpu, fx_gpu_close);
  g_prefix_error (error, "%s ", _ ("The GPU was lost, and a later call tries it again:"));
}

/* On the warm-up's thread. */

static gpointer
warm (gpointer data)
{
  Warming *warming = data;

  if (! warming->gpu)
    warming->gpu = fx_gpu_open (&warming->config, &warming->error);
  if (warming->gpu && ! (fx_gpu_use (warming->gpu, &warming->error) &&
                         fx_gpu_make_ready (warming->gpu, &warming->use, &warming->error)))
    close_if_lost (&warming->gpu, &warming->error);
  g_atomic_int_set (&warming->done, TRUE);
  return NULL;
}

/* On the caller's thread. */

/* Records why no GPU is ready, or NULL if there may be one. */
static void
set_failure (FxGpuOwner *owner, GError *reason)
{
  if (reason)
    fx_warn_of_failure (reason);
  g_clear_error (&owner->failure);
  owner->failure = reason;
  owner->left = owner->pause;
  owner->pause = reason ? MIN (2 * owner->pause, PAUSE_MAX) : 1;
  owner->end = g_get_monotonic_time () + PAUSE_SECONDS * G_TIME_SPAN_SECOND;
}

/* Records whether the GPU is lost. failure is why it is not open. */
static void
note_loss (FxGpuOwner *owner, const GError *failure)
{
  if (owner->gpu)
    owner->lost = FALSE;
  else if (g_error_matches (failure, FX_ERROR, FX_ERROR_DEVICE))
    owner->lost = TRUE;
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
end_warming (FxGpuOwner *owner, gboolean wait)
{
  Warming *warming = owner->warming;

  if (! warming || ! (wait || g_atomic_int_get (&warming->done)))
    return;
  g_thread_join (warming->thread);
  owner->gpu = warming->gpu;
  note_loss (owner, warming->error);
  set_failure (owner, warming->error);
  owner->warming = NULL;
  free_warming (warming);
}

static void
start_warming (FxGpuOwner *owner, const FxUse *use)
{
  Warming *warming = g_new0 (Warming, 1);

  warming->use = *use;
  fx_config_copy (&warming->config, &owner->config);
  fx_plan_ref (use->plan);
  if (owner->gpu)
    fx_gpu_pin (owner->gpu, NULL, 0); /* the memory may be freed before the GPU is back */
  warming->gpu = owner->gpu;
  warming->thread = g_thread_try_new ("cuda-blur-warm", warm, warming, &warming->error);
  if (! warming->thread)
    {
      set_failure (owner, warming->error);
      free_warming (warming);
      return;
    }
  owner->gpu = NULL;
  owner->warming = warming;
}

void
fx_gpu_owner_warm_up (FxGpuOwner *owner, const FxUse *use)
{
  end_warming (owner, FALSE);
  if (owner->failure && owner->left > 0 && g_get_monotonic_time () < owner->end)
    {
      owner->left--;
      return;
    }
  if (! owner->warming)
    start_warming (owner, use);
}

FxGpu *
fx_gpu_owner_get_gpu (FxGpuOwner *owner, GError **error)
{
  g_autoptr (GError) failure = NULL;

  end_warming (owner, TRUE);
  if (! owner->gpu)
    owner->gpu = fx_gpu_open (&owner->config, &failure);
  note_loss (owner, failure);
  if (failure)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return NULL;
    }
  set_failure (owner, NULL);
  return fx_gpu_use (owner->gpu, error) ? owner->gpu : NULL;
}

FxGpu *
fx_gpu_owner_peek_gpu (FxGpuOwner *owner)
{
  return owner->gpu;
}

FxGpu *
fx_gpu_owner_find_gpu (FxGpuOwner *owner, const FxUse *use)
{
  FxGpu *gpu;

  end_warming (owner, FALSE);
  gpu = owner->gpu;
  return gpu && fx_gpu_is_ready (gpu, use) ? gpu : NULL;
}

gboolean
fx_gpu_owner_is_warming_up (const FxGpuOwner *owner)
{
  const Warming *warming = owner->warming;

  return warming && ! (g_atomic_int_get (&warming->done) && warming->error);
}

FxGpu *
fx_gpu_owner_wait (FxGpuOwner *owner)
{
  end_warming (owner, TRUE);
  return owner->gpu;
}

const char *
fx_gpu_owner_get_reason (FxGpuOwner *owner)
{
  end_warming (owner, FALSE);
  return owner->failure ? owner->failure->message
                        : _ ("The CPU finishes before the GPU would be ready");
}

void
fx_gpu_owner_check_gpu (FxGpuOwner *owner, GError **failure)
{
  gboolean open = owner->gpu != NULL;

  close_if_lost (&owner->gpu, failure);
  owner->lost |= open && ! owner->gpu;
}

gboolean
fx_gpu_owner_has_lost_gpu (const FxGpuOwner *owner)
{
  return owner->lost;
}

void
fx_gpu_owner_free (FxGpuOwner *owner)
{
  if (! owner)
    return;
  end_warming (owner, TRUE);
  fx_gpu_close (owner->gpu);
  g_clear_error (&owner->failure);
  fx_config_clear (&owner->config);
  g_free (owner);
}
