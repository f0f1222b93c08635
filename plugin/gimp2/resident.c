#include "resident.h"

#include "apply.h"
#include "apply-grow.h"
#include "apply-target.h"
#include "config.h"
#include "error.h"
#include "filter-words.h"
#include "filters.h"
#include "lock.h"
#include "procedure.h"
#include "trace.h"

#include <glib/gi18n-lib.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/* The end of the names of the procedures that the process serves. Raise the number when you change
 * their arguments: after an update, a process of the older version may still run. */
#define SUFFIX "-resident-4"

/* Their arguments. The settings are bytes, as the last values are. GIMP does not check the map, so
 * that it is refused in the same words as in a call without the process. */
enum { ARG_DRAWABLE, ARG_MAP, ARG_LENGTH, ARG_SETTINGS, ARGS };

/* Returns the name of the resident process's procedure for filter; free it. */
static char *
get_call (const FilterDescription *filter)
{
  return g_strconcat (filter->procedure, SUFFIX, NULL);
}

/* Turns. */

/* Returns the caller's lock, or -1 if another call is under way. A call within a call would run in
 * the middle of the first one's tile transfer, which GIMP's protocol does not allow. So callers
 * take turns. The resident process holds another lock while it works, because it continues if its
 * caller is killed. */
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

/* libgimp calls back without a data pointer. */
static struct {
  FxEngine *engine; /* NULL while idle */
  gboolean busy;
  gint64 used;   /* the time when the last call ended */
  GError *error; /* of the last call; lives until the next one, for the values returned */
} resident;

/* call is the name of a procedure that the process serves. */
static gboolean
resident_apply (const char *call, const GimpParam *param, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  g_autofree char *procedure = g_strndup (call, strlen (call) - strlen (SUFFIX));
  const char *bytes = (const char *) param[ARG_SETTINGS].data.d_int8array;
  g_autoptr (FilterSettings) settings = NULL;

  settings = filter_settings_from_bytes (filters_find (procedure), bytes,
                                         param[ARG_LENGTH].data.d_int32, error);
  if (! settings)
    return FALSE;
  if (! resident.engine)
    {
      resident.engine = fx_engine_new ();
      fx_engine_enable_warm_up (resident.engine);
    }
  return apply_filter (resident.engine, param[ARG_DRAWABLE].data.d_drawable,
                       param[ARG_MAP].data.d_int32, settings, start, error);
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
  /* Called from within a call, or by someone else: our own callers take turns. */
  if (resident.busy || n_params != ARGS || ! param[ARG_SETTINGS].data.d_int8array)
    {
      values[0] = refused;
      *n_return_vals = 1;
      return;
    }
  resident.busy = TRUE;
  work = lock_take (LOCK_WORK, FALSE);
  g_clear_error (&resident.error);
  done = resident_apply (name, param, &resident.error);
  lock_free (work);
  resident.busy = FALSE;
  resident.used = g_get_monotonic_time ();
  *n_return_vals = procedure_return (done, resident.error, values);
}

gboolean
resident_end (void)
{
  if (! resident.busy)
    g_clear_pointer (&resident.engine, fx_engine_free);
  return ! resident.busy;
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
resident_install (void)
{
  gimp_install_procedure (RESIDENT_EXTENSION, "Keeps the CUDA filters warm",
                          "Starts with GIMP and serves the calls of the filters that work through "
                          "CUDA.",
                          FILTERS_AUTHORS, FILTERS_LICENSE, FILTERS_YEAR, NULL, NULL,
                          GIMP_EXTENSION, 0, 0, NULL, NULL);
}

static void
install_call (const FilterDescription *filter)
{
  static const GimpParamDef args[ARGS] = {
    { GIMP_PDB_DRAWABLE, (char *) "drawable", (char *) "What to filter" },
    { GIMP_PDB_INT32, (char *) "map", (char *) "The map's drawable, for a filter that takes one" },
    { GIMP_PDB_INT32, (char *) "num-bytes", (char *) "Number of the settings' bytes" },
    { GIMP_PDB_INT8ARRAY, (char *) "settings", (char *) "NAME=VALUE lines, and a matrix" },
  };
  g_autofree char *call = get_call (filter);
  g_autofree char *blurb = g_strdup_printf ("%s, kept warm", filter->title);
  g_autofree char *help = g_strdup_printf ("Serves %s, which is to be called instead.",
                                           filter->procedure);

  gimp_install_temp_proc (call, blurb, help, FILTERS_AUTHORS, FILTERS_LICENSE, FILTERS_YEAR,
                          filter->menu_label, FILTERS_TYPES, GIMP_TEMPORARY, ARGS, 0, args, NULL,
                          run_call);
}

void
resident_serve (void)
{
  const guint idle = (guint) fx_config_get_idle_seconds () * 1000;

  mallopt (M_ARENA_MAX, 1); /* malloc_trim does not return the ends of other threads' heaps */
  for (int i = 0; filters[i]; i++)
    install_call (filters[i]);
  gimp_extension_ack ();
  while (TRUE)
    {
      gimp_extension_process (resident.engine ? idle : 0); /* handles at most one message */
      if (resident.engine && fx_engine_has_lost_gpu (resident.engine))
        gimp_quit (); /* each later call has a new process, in which CUDA works */
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
    g_set_error_literal (error, APPLY_ERROR, APPLY_ERROR_GIMP, message);
  else
    g_set_error_literal (error, APPLY_ERROR, APPLY_ERROR_GIMP,
                         _ ("The filter's resident process ended before it was done"));
}

static gboolean
call_resident (const char *call, gint32 drawable, gint32 map, const FilterSettings *settings,
               GError **error)
{
  gsize length;
  g_autofree char *bytes = filter_settings_to_bytes (settings, &length);
  GimpPDBStatusType status;
  GimpParam *values;
  gint n;

  if (! bytes)
    return fx_set_no_memory (error);
  /* Otherwise GIMP would show the error twice. */
  gimp_plugin_set_pdb_error_handler (GIMP_PDB_ERROR_HANDLER_PLUGIN);
  values = gimp_run_procedure (call, &n, GIMP_PDB_DRAWABLE, drawable, GIMP_PDB_INT32, map,
                               GIMP_PDB_INT32, (gint) length, GIMP_PDB_INT8ARRAY, bytes,
                               GIMP_PDB_END);
  status = n > 0 ? values[0].data.d_status : GIMP_PDB_EXECUTION_ERROR;
  if (status != GIMP_PDB_SUCCESS && status != GIMP_PDB_CANCEL &&
      ! gimp_procedural_db_proc_exists (call)) /* GIMP reports only that nothing was returned */
    set_error (error, GIMP_PDB_EXECUTION_ERROR, NULL);
  else if (status != GIMP_PDB_SUCCESS)
    set_error (error, status, n > 1 ? values[1].data.d_string : NULL);
  gimp_destroy_params (values, n);
  return status == GIMP_PDB_SUCCESS;
}

gboolean
resident_forward (gint32 drawable, gint32 map, const FilterSettings *settings, gboolean *forwarded,
                  GError **error)
{
  g_autofree char *call = get_call (filter_settings_get_filter (settings));
  gint64 start = g_get_monotonic_time ();
  int turn = take_turn (), width = 0, height = 0;
  gboolean done = FALSE;

  *forwarded = turn != -1 && gimp_procedural_db_proc_exists (call);
  if (*forwarded && gimp_item_is_valid (drawable))
    {
      width = gimp_drawable_width (drawable);
      height = gimp_drawable_height (drawable);
    }
  if (*forwarded)
    done = call_resident (call, drawable, map, settings, error);
  if (width > 0 && ! done && ! gimp_procedural_db_proc_exists (call))
    apply_repair (drawable, settings, width, height);
  fx_trace ("forward", start, 0, "%s",
            *forwarded   ? ""
            : turn == -1 ? "the resident process is busy"
                         : "no resident process");
  lock_free (turn);
  return done;
}
