#include "resident.h"

#include "lock.h"
#include "procedure.h"
#include "trace.h"

#include <glib/gi18n-lib.h>
#include <malloc.h>
#include <stdlib.h>

#define CALL         "plug-in-cuda-gaussian-blur-resident"
#define IDLE_SECONDS 60

/* Turns. */

/* The caller's: -1 if another call is under way. A call within a call would run in the middle of
 * the first one's tile traffic, which GIMP's protocol does not stand. So callers take turns, and
 * the resident process says that it works, for it goes on where its caller is killed. */
static int
take_turn (void)
{
  int turn = lock_take (LOCK_TURN, FALSE);
  int work = turn == -1 ? -1 : lock_take (LOCK_WORK, FALSE);

  if (work != -1)
    {
      lock_free (work);
      return turn;
    }
  lock_free (turn);
  return -1;
}

/* The extension's side. */

/* libgimp calls back without data. */
static struct {
  FxEngine *engine; /* NULL while it is idle */
  gboolean busy;
  gint64 used;   /* when the last call ended */
  GError *error; /* of the last call: lives until the next one, as what it returned must */
} resident;

static gboolean
blur (int n_params, const GimpParam *param, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  RenderSettings settings;
  gint32 drawable;

  if (! procedure_parse (n_params, param, &drawable, &settings, error))
    return FALSE;
  if (! resident.engine)
    {
      resident.engine = fx_engine_new ();
      fx_engine_set_lasting (resident.engine);
    }
  return render_blur (resident.engine, drawable, &settings, start, error);
}

static void
run_call (const gchar *name, gint n_params, const GimpParam *param, gint *n_return_vals,
          GimpParam **return_vals)
{
  static GimpParam values[2];
  static const GimpParam refused = { GIMP_PDB_STATUS, { .d_status = GIMP_PDB_EXECUTION_ERROR } };
  gboolean done;
  int work;

  *return_vals = values;
  if (resident.busy) /* called from within a call: callers take turns, so it is none of ours */
    {
      values[0] = refused;
      *n_return_vals = 1;
      return;
    }
  resident.busy = TRUE;
  work = lock_take (LOCK_WORK, FALSE);
  g_clear_error (&resident.error);
  done = blur (n_params, param, &resident.error);
  lock_free (work);
  resident.busy = FALSE;
  resident.used = g_get_monotonic_time ();
  *n_return_vals = procedure_return (done, resident.error, values);
}

static int
get_idle_seconds (void)
{
  const char *value = g_getenv ("CUDA_BLUR_IDLE_SECONDS");
  char *end = NULL;
  gint64 seconds = value ? g_ascii_strtoll (value, &end, 10) : 0;

  return end && end != value && ! *end && seconds > 0 && seconds <= G_MAXINT / 1000 ? (int) seconds
                                                                                    : IDLE_SECONDS;
}

static void
go_idle (void)
{
  gint64 start = g_get_monotonic_time ();

  g_clear_pointer (&resident.engine, fx_engine_free);
  malloc_trim (0);
  fx_trace ("idle", start, 0, NULL);
}

void
resident_serve (void)
{
  const guint idle = (guint) get_idle_seconds () * 1000;

  mallopt (M_ARENA_MAX, 1); /* of the heaps of other threads malloc_trim keeps the ends */
  gimp_install_temp_proc (CALL, "Gaussian Blur (CUDA), kept warm",
                          "Serves " PROCEDURE_NAME ", which is to be called instead.",
                          "The gimp-cuda-blur authors", "LGPL-3.0-or-later", "2026",
                          PROCEDURE_LABEL, "RGB*, GRAY*", GIMP_TEMPORARY, PROCEDURE_ARGS, 0,
                          procedure_args, NULL, run_call);
  gimp_extension_ack ();
  while (TRUE)
    {
      gimp_extension_process (resident.engine ? idle : 0); /* one message, or none in that time */
      if (resident.engine && g_get_monotonic_time () - resident.used >= idle * (gint64) 1000)
        go_idle ();
    }
}

/* The caller's side. */

static void
set_error (GError **error, GimpPDBStatusType status, const char *message)
{
  if (status == GIMP_PDB_CANCEL)
    g_set_error_literal (error, FX_ERROR, FX_ERROR_CANCELLED, message ? message : "");
  else if (status == GIMP_PDB_CALLING_ERROR && message)
    g_set_error_literal (error, FX_ERROR, FX_ERROR_ARGUMENT, message);
  else if (message)
    g_set_error_literal (error, RENDER_ERROR, RENDER_ERROR_GIMP, message);
  else
    g_set_error_literal (error, RENDER_ERROR, RENDER_ERROR_GIMP,
                         _("The blur's resident process ended before it was done"));
}

static gboolean
call_resident (gint32 drawable, const RenderSettings *settings, GError **error)
{
  GimpParam params[PROCEDURE_ARGS];
  GimpPDBStatusType status;
  GimpParam *values;
  gint n;

  procedure_pack (drawable, settings, params);
  gimp_plugin_set_pdb_error_handler (
    GIMP_PDB_ERROR_HANDLER_PLUGIN); /* or GIMP would show it twice */
  values = gimp_run_procedure2 (CALL, &n, PROCEDURE_ARGS, params);
  status = n > 0 ? values[0].data.d_status : GIMP_PDB_EXECUTION_ERROR;
  if (status != GIMP_PDB_SUCCESS && status != GIMP_PDB_CANCEL &&
      ! gimp_procedural_db_proc_exists (CALL)) /* GIMP only says that nothing was returned */
    set_error (error, GIMP_PDB_EXECUTION_ERROR, NULL);
  else if (status != GIMP_PDB_SUCCESS)
    set_error (error, status, n > 1 ? values[1].data.d_string : NULL);
  gimp_destroy_params (values, n);
  return status == GIMP_PDB_SUCCESS;
}

gboolean
resident_forward (gint32 drawable, const RenderSettings *settings, gboolean *forwarded,
                  GError **error)
{
  gint64 start = g_get_monotonic_time ();
  int turn = take_turn (), width = 0, height = 0;
  gboolean done = FALSE;

  *forwarded = turn != -1 && gimp_procedural_db_proc_exists (CALL);
  if (*forwarded && settings->grow && gimp_item_is_valid (drawable))
    {
      width = gimp_drawable_width (drawable);
      height = gimp_drawable_height (drawable);
    }
  if (*forwarded)
    done = call_resident (drawable, settings, error);
  if (width > 0 && ! done && ! gimp_procedural_db_proc_exists (CALL))
    render_repair (drawable, settings, width, height);
  fx_trace ("forward", start, 0, "%s",
            *forwarded   ? ""
            : turn == -1 ? "the resident process is busy"
                         : "no resident process");
  lock_free (turn);
  return done;
}
