/* Cancel, by which GIMP kills the process: instead of each message of a call in turn, from the
 * first question over the tiles that are read and those that are written back to the last one. */
#include "cases.h"

#include "probe.h"
#include "scene.h"

#define MESSAGES_LEAST 30 /* of a call */

/* The permitted states of the layer afterwards. If it grows, there is an undo step, which may still
 * be empty. */
typedef enum { AS_IT_WAS, EMPTY_STEP, ENLARGED, BLURRED, N_OUTCOMES } Outcome;

typedef struct {
  Raster *layer, *mask; /* of the mask, or NULL */
} Look;

static void
look_clear (Look *look)
{
  raster_free (look->layer);
  raster_free (look->mask);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Look, look_clear)

static Look
look_at (Subject subject)
{
  gint32 mask = gimp_layer_get_mask (subject.drawable);

  return (Look) { subject_read (subject.drawable), mask == -1 ? NULL : subject_read (mask) };
}

static gboolean
looks_alike (const Look *a, const Look *b)
{
  return raster_equal (a->layer, b->layer) && (! a->mask || raster_equal (a->mask, b->mask));
}

/* Returns whether the layer has grown and has its old pixels: one undo step leads back. */
static gboolean
is_enlarged (const Look *now, const Look *before)
{
  int x = (now->layer->width - before->layer->width) / 2;
  int y = (now->layer->height - before->layer->height) / 2;
  g_autoptr (Raster) expected = NULL;

  if (x <= 0 || y <= 0)
    return FALSE;
  expected = raster_enlarge (before->layer, x, y);
  return raster_equal (now->layer, expected);
}

/* Returns whether it was not killed. */
static gboolean
call (Subject subject, int message, gboolean grow)
{
  gint n;
  GimpParam *values = gimp_run_procedure (HAND, &n, GIMP_PDB_INT32, GIMP_RUN_NONINTERACTIVE,
                                          GIMP_PDB_IMAGE, subject.image, GIMP_PDB_DRAWABLE,
                                          subject.drawable, GIMP_PDB_INT32, HAND_CANCELS,
                                          GIMP_PDB_INT32, message, GIMP_PDB_INT32, grow,
                                          GIMP_PDB_END);
  gboolean done = values[0].data.d_status == GIMP_PDB_SUCCESS;

  gimp_destroy_params (values, n);
  return done;
}

/* before, after: the layer without a blur and with one. */
static char *
judge (Subject subject, const Look *before, const Look *after, Outcome *outcome)
{
  g_auto (Look) now = look_at (subject);
  gboolean dirty = gimp_image_is_dirty (subject.image);

  if (! gimp_image_undo_is_enabled (subject.image))
    return g_strdup ("undo is not enabled");
  if (looks_alike (&now, before))
    *outcome = dirty ? EMPTY_STEP : AS_IT_WAS;
  else if (looks_alike (&now, after))
    *outcome = BLURRED;
  else if (is_enlarged (&now, before))
    *outcome = ENLARGED;
  else
    return g_strdup ("the layer is neither as it was nor blurred");
  if (! dirty && *outcome != AS_IT_WAS)
    return g_strdup ("there is no undo step");
  return NULL;
}

/* The layer after a call that nobody kills. */
static Look
look_after (Subject scene, gboolean grow)
{
  Subject subject = scene_copy (scene);
  Look look;

  call (subject, 0, grow);
  look = look_at (subject);
  gimp_image_delete (subject.image);
  return look;
}

/* Another call does all that it should. */
static char *
next_problem (Subject scene, const Look *after)
{
  g_auto (Look) next = look_after (scene, gimp_layer_get_mask (scene.drawable) != -1);

  return looks_alike (&next, after) ? NULL : g_strdup ("the next call is wrong");
}

/* The message at which a call was killed; done: none. And then another call. */
static char *
cancelled_problem (Subject scene, int message, const Look *before, const Look *after,
                   gboolean *done, Outcome *outcome)
{
  Subject subject = scene_copy (scene);
  char *problem;

  gimp_image_clean_all (subject.image);
  *done = call (subject, message, gimp_layer_get_mask (subject.drawable) != -1);
  problem = judge (subject, before, after, outcome);
  if (! problem && *done && *outcome != BLURRED)
    problem = g_strdup ("it was done, but the layer is not blurred");
  problem = problem ?: next_problem (scene, after);
  gimp_image_delete (subject.image);
  return problem ? g_strdup_printf ("killed at message %d: %s", message, problem) : NULL;
}

/* A layer of six tiles; to grow, of two, and with a mask. */
static void
check_cancel (gboolean grow)
{
  Subject scene = subject_for ("cancel", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, grow ? 140 : 290,
                               grow ? 100 : 200);
  int counts[N_OUTCOMES] = { 0 }, message;
  g_auto (Look) before = { 0 }, after = { 0 };
  gboolean done = FALSE;
  char *problem = NULL;

  if (grow)
    add_mask (scene);
  before = look_at (scene);
  after = look_after (scene, grow);
  for (message = 1; ! problem && ! done; message++)
    {
      Outcome outcome = AS_IT_WAS;

      problem = cancelled_problem (scene, message, &before, &after, &done, &outcome);
      counts[outcome]++;
    }
  note ("%d messages: at %d the layer was as it was, at %d with an empty step, at %d enlarged, "
        "at %d blurred",
        message - 2, counts[AS_IT_WAS], counts[EMPTY_STEP], counts[ENLARGED], counts[BLURRED] - 1);
  if (! problem && (message < MESSAGES_LEAST || (counts[ENLARGED] > 0) != grow ||
                    (counts[EMPTY_STEP] > 0 && ! grow)))
    problem = g_strdup ("these are other numbers");
  gimp_image_delete (scene.image);
  report (problem, "cancelled at any message of a call%s", grow ? " that grows" : "");
}

void
cases_cancel (void)
{
  check_cancel (FALSE);
  check_cancel (TRUE);
}
