#include "cases.h"

#include <stdarg.h>
#include <stdio.h>

#include "probe.h"

static FILE *tap;
static int n_cases, n_failed;
static guint32 seed = 20250101;

void
report (char *problem, const char *name, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, name);
  text = g_strdup_vprintf (name, args);
  va_end (args);
  g_strdelimit (text, "#", '.'); /* TAP's mark of a directive */
  n_failed += problem != NULL;
  fprintf (tap, "%s %d - %s\n", problem ? "not ok" : "ok", ++n_cases, text);
  if (problem)
    fprintf (tap, "# seed %u: %s\n", seed, g_strdelimit (problem, "\n", ' '));
  fflush (tap);
  g_free (problem);
}

void
skip (const char *name, const char *reason)
{
  fprintf (tap, "ok %d - %s # SKIP %s\n", ++n_cases, name, reason);
}

void
note (const char *text, ...)
{
  g_autofree char *line = NULL;
  va_list args;

  va_start (args, text);
  line = g_strdup_vprintf (text, args);
  va_end (args);
  fprintf (tap, "# %s\n", line);
  fflush (tap);
}

GRand *
case_rand (const char *name)
{
  return g_rand_new_with_seed (seed + g_str_hash (name));
}

Subject
subject_for (const char *name, GimpPrecision precision, GimpImageType type, int width, int height)
{
  g_autoptr (GRand) rand = case_rand (name);

  return subject_new (precision, type, width, height, rand, TRUE);
}

char *
against_engine (const Raster *after, const Raster *before, gint32 drawable, const Args *args,
                const FxRect *region)
{
  BlurParams params = subject_params (drawable, args);
  g_autoptr (GError) error = NULL;
  g_autoptr (Raster) expected = raster_blur (before, &params, region, &error);

  if (! expected)
    return g_strdup_printf ("the engine itself refuses: %s", error->message);
  return subject_differs (after, expected, args->device, raster_range (before), 2.0);
}

char *
blur_problem (Subject subject, const Args *args, const FxRect *region)
{
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) after = NULL;
  GimpPDBStatusType status;
  char *problem;

  if (! subject_blur (subject, GIMP_RUN_NONINTERACTIVE, args, &status, &problem))
    return problem;
  after = subject_read (subject.drawable);
  if (raster_bytes (after) != raster_bytes (before))
    return raster_differs (after, before);
  return against_engine (after, before, subject.drawable, args, region);
}

char *
script_problem (Subject subject, const char *procedure, const char *arguments)
{
  g_autofree char *script = g_strdup_printf ("(%s RUN-NONINTERACTIVE %d %d %s)", procedure,
                                             subject.image, subject.drawable, arguments);
  gint n_values;
  GimpParam *values = gimp_run_procedure ("plug-in-script-fu-eval", &n_values, GIMP_PDB_INT32,
                                          GIMP_RUN_NONINTERACTIVE, GIMP_PDB_STRING, script,
                                          GIMP_PDB_END);
  gboolean done = values[0].data.d_status == GIMP_PDB_SUCCESS;

  gimp_destroy_params (values, n_values);
  return done ? NULL : g_strdup (gimp_get_pdb_error ());
}

char *
failure_problem (GimpPDBStatusType status, const char *message)
{
  if (status != GIMP_PDB_CALLING_ERROR && status != GIMP_PDB_EXECUTION_ERROR)
    return g_strdup_printf ("no error return but status %d", status);
  if (strstr (message, "returned no return values"))
    return g_strdup_printf ("the plug-in died: %s", message);
  if (strlen (gimp_get_pdb_error ()) < 10 || strcmp (gimp_get_pdb_error (), "success") == 0)
    return g_strdup_printf ("no message: %s", message);
  return NULL;
}

/* Calls that change nothing. */

Attempt
attempt_begin (Subject subject)
{
  gimp_image_clean_all (subject.image);
  return (Attempt) { .subject = subject, .before = subject_read (subject.drawable) };
}

/* Takes problem. */
static char *
attempt_end (Attempt *attempt, char *problem)
{
  g_autoptr (Raster) before = g_steal_pointer (&attempt->before);
  g_autoptr (Raster) after = subject_read (attempt->subject.drawable);

  g_clear_pointer (&attempt->message, g_free);
  problem = problem ?: raster_differs (after, before);
  if (! problem && gimp_image_is_dirty (attempt->subject.image))
    problem = g_strdup ("the image is dirty: an undo step without a change");
  return problem;
}

char *
attempt_unchanged_problem (Attempt *attempt)
{
  return attempt_end (attempt, g_strdup (attempt->message));
}

char *
attempt_refused_problem (Attempt *attempt, const char *words)
{
  g_auto (GStrv) choices = g_strsplit (words, "|", -1);
  char *problem = failure_problem (attempt->status, attempt->message);
  gboolean found = FALSE;

  for (int i = 0; ! problem && choices[i]; i++)
    found = found || strstr (attempt->message, choices[i]);
  if (! problem && ! found)
    problem = g_strdup_printf ("the message does not say '%s': %s", words, attempt->message);
  return attempt_end (attempt, problem);
}

char *
unchanged_problem (Subject subject, const Args *args)
{
  Attempt attempt = attempt_begin (subject);

  subject_blur (subject, GIMP_RUN_NONINTERACTIVE, args, &attempt.status, &attempt.message);
  return attempt_unchanged_problem (&attempt);
}

static void
run_group (const char *group)
{
  static const struct {
    const char *group;
    void (*run) (void);
  } groups[] = {
    { "all", cases_registration },
    { "all", cases_pixels },
    { "all", cases_coverage },
    { "all", cases_grow },
    { "all", cases_calls },
    { "device", cases_device_environment },
    { "canvas", cases_canvas },
    { "canvas", cases_canvas_user },
    { "canvas", cases_canvas_kill },
    { "hand", cases_hand },
    { "cancel", cases_cancel },
    { "canvas", cases_copy },
    { "resident", cases_resident },
    { "kill", cases_kill },
    { "idle", cases_idle },
    { "many", cases_many },
    { "convolve", cases_convolve },
    { "convolve", cases_convolve_refusals },
    { "lens", cases_lens },
    { "profiles", cases_profiles },
    { "soak", cases_soak },
    { "swap", cases_swap },
    { "failing", cases_device_failing },
  };

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    if (g_strcmp0 (group, groups[i].group) == 0)
      groups[i].run ();
  if (n_cases == 0) /* TAP would take that for skipped */
    report (g_strdup ("there is none"), "group %s", group);
}

void
cases_run (void)
{
  const char *output = g_getenv ("CUDA_BLUR_TEST_OUTPUT");
  const char *own_seed = g_getenv ("CUDA_BLUR_TEST_SEED");

  tap = output ? fopen (output, "w") : NULL;
  if (! tap)
    return; /* the runner reports the missing file */
  if (own_seed)
    seed = g_ascii_strtoull (own_seed, NULL, 10);
  fprintf (tap, "# seed %u (CUDA_BLUR_TEST_SEED), %s\n", seed,
           subject_on_gpu (FX_DEVICE_AUTO) ? "on the GPU" : "on the CPU");
  run_group (g_getenv ("CUDA_BLUR_TEST_CASES"));
  fprintf (tap, "1..%d\n", n_cases);
  if (n_failed)
    fprintf (tap, "# %d of %d failed\n", n_failed, n_cases);
  fclose (tap);
}
