/* A process with a canvas, killed between any two messages that it sends to GIMP. */
#include "cases.h"

#include "canvas.h"
#include "probe.h"
#include "scene.h"
#include "wire.h"

#define FROZEN_LEAST 8 /* messages at which undo is left frozen, of some 200 */

/* The process that is killed */

/* A result of one value that differs from the layer in all of it. */
static void
set (Canvas *canvas, const RenderTarget *target, gboolean grow)
{
  const Args args = { .sigma_x = 3.0, .sigma_y = 3.0, .grow = grow };
  g_autoptr (FilterSettings) settings = subject_settings (&args);
  g_auto (RenderJob) job = { 0 };
  gsize size;

  render_job_init (&job, target, settings);
  size = (gsize) job.image.width * job.image.height * fx_format_size (&job.image.format);
  canvas_set (canvas, &job, memset (g_malloc (size), 0x55, size),
              &(FxRect) { 0, 0, job.image.width, job.image.height }, NULL);
}

void
victim_run (gint32 drawable, int message)
{
  RenderTarget target;
  Canvas *canvas;

  render_target_init (&target, drawable, NULL);
  wire_forget ();
  wire_kill_at (message);
  canvas = canvas_new (&target, filters_find (PROCEDURE), NULL);
  set (canvas, &target, FALSE);
  canvas_write (canvas, 0);
  set (canvas, &target, TRUE);
  while (canvas_write (canvas, 0))
    ;
  canvas_free (canvas);
}

/* Its caller */

/* Runs it. FALSE: it was killed. */
static gboolean
run_victim (Subject subject, int message)
{
  gint n;
  GimpParam *values = gimp_run_procedure (VICTIM, &n, GIMP_PDB_INT32, GIMP_RUN_NONINTERACTIVE,
                                          GIMP_PDB_IMAGE, subject.image, GIMP_PDB_DRAWABLE,
                                          subject.drawable, GIMP_PDB_INT32, message, GIMP_PDB_END);
  gboolean done = values[0].data.d_status == GIMP_PDB_SUCCESS;

  gimp_destroy_params (values, n);
  return done;
}

/* Undo that was left frozen is thawed by the next call, even by one that changes nothing. Those are
 * counted. */
static char *
thaw_problem (Subject subject, int *frozen)
{
  const Args nothing = { .sigma_x = 0.0 };
  g_autofree char *message = NULL;

  if (gimp_image_undo_is_enabled (subject.image))
    return NULL;
  ++*frozen;
  if (! subject_blur (subject, &nothing, &message))
    return g_strdup_printf ("the next call failed: %s", message);
  return gimp_image_undo_is_enabled (subject.image) ? NULL : g_strdup ("undo stays frozen");
}

/* The most that the user must do to restore the image: delete the layer whose name says what it is,
 * and make theirs visible. */
static char *
repair_problem (Subject subject, int *frozen)
{
  gint32 shown = scene_find_shown (subject.image);
  char *problem = thaw_problem (subject, frozen);

  if (problem)
    return problem;
  if (shown == -1 && ! gimp_item_get_visible (subject.drawable))
    return g_strdup ("the layer is hidden with nothing beside it");
  if (shown != -1)
    gimp_image_remove_layer (subject.image, shown);
  gimp_item_set_visible (subject.drawable, TRUE);
  gimp_image_set_active_layer (subject.image, subject.drawable);
  return NULL;
}

static char *
killed_problem (Subject subject, const char *before, int *frozen)
{
  char *problem = repair_problem (subject, frozen);
  g_autofree char *after = scene_describe (subject.image);

  if (! problem && strcmp (after, before) != 0)
    problem = g_strdup_printf ("was %s; is %s", before, after);
  return problem;
}

static char *
kills_problem (void)
{
  g_autoptr (GRand) rand = case_rand ("kills");
  Subject subject = scene_new (GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, rand);
  g_autofree char *before = scene_describe (subject.image);
  char *problem = NULL;
  gboolean done = FALSE;
  int message, frozen = 0;

  for (message = 1; ! problem && ! done; message++)
    {
      done = run_victim (subject, message);
      problem = killed_problem (subject, before, &frozen);
      if (problem)
        problem = g_strdup_printf ("killed at message %d: %s", message, problem);
    }
  note ("%d messages, undo was left frozen at %d and thawed by the next call", message - 2, frozen);
  if (! problem && (message < 100 || frozen < FROZEN_LEAST))
    problem = g_strdup ("these are other numbers");
  gimp_image_delete (subject.image);
  return problem;
}

void
cases_canvas_kill (void)
{
  report (kills_problem (), "canvas: its process killed between any two messages");
}
