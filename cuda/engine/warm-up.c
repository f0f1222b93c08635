#include "warm-up.h"

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

struct FxWarmUp {
  FxConfig config;
  FxGpu *gpu;       /* NULL until it is first needed, during a warm-up, and after it failed */
  Warming *warming; /* or NULL */
  GError *failure;  /* why the last warm-up failed, or NULL */
  int pause;        /* requests to skip after the next failure; doubles each time */
  int left;         /* left to skip now */
  gint64 end;       /* the time when none is skipped any more */
  gboolean lost;    /* the GPU stopped responding, or CUDA failed to open it */
};

FxWarmUp *
fx_warm_up_new (void)
{
  FxWarmUp *warm_up = g_new0 (FxWarmUp, 1);

  warm_up->pause = 1;
  return warm_up;
}

void
fx_warm_up_set_config (FxWarmUp *warm_up, const FxConfig *config)
{
  fx_config_clear (&warm_up->config);
  fx_config_copy (&warm_up->config, config);
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
set_failure (FxWarmUp *warm_up, GError *reason)
{
  if (reason)
    fx_warn_of_failure (reason);
  g_clear_error (&warm_up->failure);
  warm_up->failure = reason;
  warm_up->left = warm_up->pause;
  warm_up->pause = reason ? MIN (2 * warm_up->pause, PAUSE_MAX) : 1;
  warm_up->end = g_get_monotonic_time () + PAUSE_SECONDS * G_TIME_SPAN_SECOND;
}

/* Records whether the GPU is lost. failure is why it is not open. */
static void
note_loss (FxWarmUp *warm_up, const GError *failure)
{
  if (warm_up->gpu)
    warm_up->lost = FALSE;
  else if (g_error_matches (failure, FX_ERROR, FX_ERROR_DEVICE))
    warm_up->lost = TRUE;
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
end_warming (FxWarmUp *warm_up, gboolean wait)
{
  Warming *warming = warm_up->warming;

  if (! warming || ! (wait || g_atomic_int_get (&warming->done)))
    return;
  g_thread_join (warming->thread);
  warm_up->gpu = warming->gpu;
  note_loss (warm_up, warming->error);
  set_failure (warm_up, warming->error);
  warm_up->warming = NULL;
  free_warming (warming);
}

static void
start_warming (FxWarmUp *warm_up, const FxUse *use)
{
  Warming *warming = g_new0 (Warming, 1);

  warming->use = *use;
  fx_config_copy (&warming->config, &warm_up->config);
  fx_plan_ref (use->plan);
  if (warm_up->gpu)
    fx_gpu_pin (warm_up->gpu, NULL, 0); /* the memory may be freed before the GPU is back */
  warming->gpu = warm_up->gpu;
  warming->thread = g_thread_try_new ("cuda-blur-warm", warm, warming, &warming->error);
  if (! warming->thread)
    {
      set_failure (warm_up, warming->error);
      free_warming (warming);
      return;
    }
  warm_up->gpu = NULL;
  warm_up->warming = warming;
}

void
fx_warm_up_start (FxWarmUp *warm_up, const FxUse *use)
{
  end_warming (warm_up, FALSE);
  if (warm_up->failure && warm_up->left > 0 && g_get_monotonic_time () < warm_up->end)
    {
      warm_up->left--;
      return;
    }
  if (! warm_up->warming)
    start_warming (warm_up, use);
}

FxGpu *
fx_warm_up_get_gpu (FxWarmUp *warm_up, GError **error)
{
  g_autoptr (GError) failure = NULL;

  end_warming (warm_up, TRUE);
  if (! warm_up->gpu)
    warm_up->gpu = fx_gpu_open (&warm_up->config, &failure);
  note_loss (warm_up, failure);
  if (failure)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return NULL;
    }
  set_failure (warm_up, NULL);
  return fx_gpu_use (warm_up->gpu, error) ? warm_up->gpu : NULL;
}

FxGpu *
fx_warm_up_peek_gpu (FxWarmUp *warm_up)
{
  return warm_up->gpu;
}

FxGpu *
fx_warm_up_find_gpu (FxWarmUp *warm_up, const FxUse *use)
{
  FxGpu *gpu;

  end_warming (warm_up, FALSE);
  gpu = warm_up->gpu;
  return gpu && fx_gpu_is_ready (gpu, use) ? gpu : NULL;
}

gboolean
fx_warm_up_is_running (const FxWarmUp *warm_up)
{
  const Warming *warming = warm_up->warming;

  return warming && ! (g_atomic_int_get (&warming->done) && warming->error);
}

FxGpu *
fx_warm_up_wait (FxWarmUp *warm_up)
{
  end_warming (warm_up, TRUE);
  return warm_up->gpu;
}

const char *
fx_warm_up_get_reason (FxWarmUp *warm_up)
{
  end_warming (warm_up, FALSE);
  return warm_up->failure ? warm_up->failure->message
                          : _ ("The CPU finishes before the GPU would be ready");
}

void
fx_warm_up_check_gpu (FxWarmUp *warm_up, GError **failure)
{
  gboolean open = warm_up->gpu != NULL;

  close_if_lost (&warm_up->gpu, failure);
  warm_up->lost |= open && ! warm_up->gpu;
}

gboolean
fx_warm_up_has_lost_gpu (const FxWarmUp *warm_up)
{
  return warm_up->lost;
}

void
fx_warm_up_free (FxWarmUp *warm_up)
{
  if (! warm_up)
    return;
  end_warming (warm_up, TRUE);
  fx_gpu_close (warm_up->gpu);
  g_clear_error (&warm_up->failure);
  fx_config_clear (&warm_up->config);
  g_free (warm_up);
}
