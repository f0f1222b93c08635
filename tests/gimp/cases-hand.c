/* Someone else changes something before each message of a call in turn: the result is the blur of
 * the pixels before or after the change, or an error and no blur. The layer is never in between. */
#include "cases.h"

#include "clock.h"
#include "probe.h"
#include "render.h"
#include "render-target.h"
#include "scene.h"
#include "wire.h"

/* The changes by someone else. */

typedef enum {
  UNSEEN = 1 << 0, /* may come between the last question and the merge, unseen */
  HOLDS = 1 << 1,  /* a layer that has just grown may stay so, with an error */
} ChangeFlags;

typedef struct {
  const char *name;
  void (*make) (Subject subject);
  ChangeFlags flags;
} Change;

CHANGE (select_all, gimp_selection_all (subject.image))
CHANGE (select_none, gimp_selection_none (subject.image))
CHANGE (select_beside,
        gimp_image_select_rectangle (subject.image, GIMP_CHANNEL_OP_REPLACE, 70, 30, 90, 70))
CHANGE (select_less,
        gimp_image_select_ellipse (subject.image, GIMP_CHANNEL_OP_REPLACE, 40, 30, 60, 40))
CHANGE (move, gimp_item_transform_translate (subject.drawable, 17, -5))
CHANGE (enlarge, gimp_layer_resize (subject.drawable, 190, 170, 20, 10))
CHANGE (reduce, gimp_layer_resize (subject.drawable, 120, 70, -10, -20))
CHANGE (scale, gimp_layer_scale (subject.drawable, 170, 60, FALSE))
CHANGE (scale_image, gimp_image_scale (subject.image, 300, 110))
CHANGE (rotate, gimp_item_transform_rotate_simple (subject.drawable, GIMP_ROTATE_90, TRUE, 0, 0))
CHANGE (rotate_image, gimp_image_rotate (subject.image, GIMP_ROTATE_270))
CHANGE (lock, gimp_item_set_lock_content (subject.drawable, TRUE))
CHANGE (lock_group, gimp_item_set_lock_content (gimp_item_get_parent (subject.drawable), TRUE))
CHANGE (lock_alpha, gimp_layer_set_lock_alpha (subject.drawable, TRUE))
CHANGE (lock_position, gimp_item_set_lock_position (subject.drawable, TRUE))

static void
change_mask (Subject subject)
{
  gint32 mask = gimp_layer_get_mask (subject.drawable);

  if (mask != -1)
    gimp_layer_remove_mask (subject.drawable, GIMP_MASK_DISCARD);
  else
    gimp_layer_add_mask (subject.drawable,
                         gimp_layer_create_mask (subject.drawable, GIMP_ADD_MASK_WHITE));
}

CHANGE (make_grey, gimp_image_convert_grayscale (subject.image))

/* GIMP does so of no image that has groups. */
static void
make_indexed (Subject subject)
{
  gint32 group = gimp_item_get_parent (subject.drawable);

  gimp_image_reorder_item (subject.image, subject.drawable, -1, 0);
  gimp_image_remove_layer (subject.image, group);
  gimp_image_convert_indexed (subject.image, GIMP_CONVERT_DITHER_NONE,
                              GIMP_CONVERT_PALETTE_GENERATE, 16, FALSE, FALSE, "");
}

CHANGE (make_deep, gimp_image_convert_precision (subject.image, GIMP_PRECISION_FLOAT_LINEAR))
CHANGE (remove_layer, gimp_image_remove_layer (subject.image, subject.drawable))
CHANGE (remove_image, gimp_image_delete (subject.image))

/* GIMP frees the shadow when another plug-in that has written to the layer ends, and in some of its
 * own commands. The layer's pixels stay the same. */
CHANGE (free_shadow, gimp_drawable_free_shadow (subject.drawable))

static void
enlarge_and_reduce (Subject subject)
{
  gimp_layer_resize (subject.drawable, 190, 170, 20, 10);
  gimp_layer_resize (subject.drawable, 140, 100, -20, -10);
}

static const Change changes[] = {
  { "select all", select_all },
  { "select none", select_none },
  { "select beside", select_beside },
  { "select less", select_less },
  { "move the layer", move },
  { "enlarge the layer", enlarge, UNSEEN | HOLDS },
  { "reduce the layer", reduce, UNSEEN | HOLDS },
  { "enlarge it and reduce it", enlarge_and_reduce, UNSEEN | HOLDS },
  { "scale the layer", scale, UNSEEN | HOLDS },
  { "scale the image", scale_image, UNSEEN | HOLDS },
  { "rotate the layer", rotate, UNSEEN | HOLDS },
  { "rotate the image", rotate_image, UNSEEN | HOLDS },
  { "lock it", lock, HOLDS },
  { "lock its group", lock_group, HOLDS },
  { "lock its alpha", lock_alpha, UNSEEN },
  { "lock its position", lock_position, HOLDS },
  { "add or remove its mask", change_mask, HOLDS },
  { "convert the image to grey", make_grey, UNSEEN | HOLDS },
  { "convert the image to indexed colours", make_indexed, UNSEEN | HOLDS },
  { "convert the image to float", make_deep, UNSEEN | HOLDS },
  { "remove the layer", remove_layer },
  { "delete the image", remove_image },
  { "free the shadow", free_shadow, UNSEEN },
};

/* A process that blurs, and makes the change at the chosen message. */

typedef struct {
  Subject subject;
  const Change *change;
  gboolean made;
} Hand;

static void
make (gpointer data)
{
  Hand *hand = data;

  hand->change->make (hand->subject);
  hand->made = TRUE;
}

/* Microseconds: a blur that asks how things are every 20 ms then does so at each tile. */
#define STEP 25000

static Args
get_args (gboolean grow)
{
  return (Args) { 2.0, 2.0, 0, FX_ABYSS_NONE, FX_LIGHT_LINEAR, grow, FX_DEVICE_CPU };
}

int
hand_run (gint32 drawable, int change, int message, gboolean grow, GimpParam *values)
{
  static char *words;
  const Args args = get_args (grow);
  g_autoptr (FilterSettings) settings = subject_settings (&args);
  Hand hand = { { gimp_item_get_image (drawable), drawable }, NULL, FALSE };
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (GError) error = NULL;
  gboolean done;

  clock_step (STEP);
  wire_forget ();
  if (change == HAND_CANCELS)
    wire_kill_at (message);
  else
    {
      hand.change = &changes[change];
      wire_call_between (message, make, &hand);
    }
  done = render_apply (engine, drawable, settings, 0, &error);
  words = g_strdup (done ? "" : error->message);
  values[1] = (GimpParam) { GIMP_PDB_STRING, { .d_string = words } };
  values[2] = (GimpParam) { GIMP_PDB_INT32, { .d_int32 = hand.made } };
  return 3;
}

/* Its caller. */

static char *
describe_pixels (gint32 drawable)
{
  g_autoptr (Raster) raster = subject_read (drawable);
  g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_MD5, raster->pixels,
                                                      raster_bytes (raster));
  gint x, y;

  gimp_drawable_offsets (drawable, &x, &y);
  return g_strdup_printf ("%dx%d%+d%+d of %d bytes, %s", raster->width, raster->height, x, y,
                          (int) raster_bytes (raster), sum);
}

/* The layer with its mask. */
static char *
describe (Subject subject)
{
  g_autofree char *layer = NULL, *mask = NULL;
  gint32 id;

  if (! gimp_item_is_valid (subject.drawable))
    return g_strdup ("gone");
  id = gimp_layer_get_mask (subject.drawable);
  layer = describe_pixels (subject.drawable);
  mask = id == -1 ? g_strdup ("none") : describe_pixels (id);
  return g_strdup_printf ("%s; mask %s", layer, mask);
}

static void delete (Subject subject)
{
  if (gimp_image_is_valid (subject.image))
    gimp_image_delete (subject.image);
}

/* Returns the layer after a change and a blur that do not disturb each other. */
static char *
describe_after (Subject scene, const Change *change, gboolean blur, gboolean blur_first,
                gboolean grow)
{
  const Args args = get_args (grow);
  Subject subject = scene_copy (scene);
  g_autofree char *message = NULL;
  char *text;

  if (blur && blur_first)
    subject_blur (subject, &args, &message);
  change->make (subject);
  if (blur && ! blur_first && gimp_item_is_valid (subject.drawable))
    subject_blur (subject, &args, &message); /* or it is refused */
  text = describe (subject);
  delete (subject);
  return text;
}

/* The permitted outcomes. */
typedef struct {
  char *unblurred, *blurred_before, *blurred_after;
  int n_done, n_failed, n_died, n_late, n_unseen, n_held;
} Outcomes;

static void
outcomes_clear (Outcomes *outcomes)
{
  g_free (outcomes->unblurred);
  g_free (outcomes->blurred_before);
  g_free (outcomes->blurred_after);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcomes, outcomes_clear)

/* Only a change between the last question and the answer to the merge may leave the layer wrong,
 * and then there is a sentence that says so. */
#define LATE       "undo this step"
#define LATE_MAX   2 /* messages */
#define UNSEEN_MAX 3 /* from the question of the alpha to the merge */

static char *
judge (Outcomes *outcomes, ChangeFlags flags, gboolean done, const char *words, const char *layer)
{
  gboolean blurred = strcmp (layer, outcomes->blurred_before) == 0 ||
                     strcmp (layer, outcomes->blurred_after) == 0;

  if (words && strstr (words, LATE))
    return ++outcomes->n_late > LATE_MAX ? g_strdup ("that is too early") : NULL;
  if (done && ! blurred && (flags & UNSEEN) && outcomes->n_unseen < UNSEEN_MAX)
    return ++outcomes->n_unseen, NULL;
  if (done && ! blurred)
    return g_strdup_printf ("success, but the layer is %s: neither %s nor %s", layer,
                            outcomes->blurred_before, outcomes->blurred_after);
  if (! done && strcmp (layer, outcomes->unblurred) != 0 && (flags & HOLDS))
    outcomes->n_held++;
  else if (! done && strcmp (layer, outcomes->unblurred) != 0)
    return g_strdup_printf ("no success (%s), but the layer is %s: not %s", words ? words : "died",
                            layer, outcomes->unblurred);
  if (! done && words && strlen (words) < 20)
    return g_strdup_printf ("the error says '%s'", words);
  outcomes->n_done += done;
  outcomes->n_failed += ! done && words;
  outcomes->n_died += ! done && ! words;
  return NULL;
}

/* Calls with the change before that message. made: whether there was such a message. */
static char *
call (Subject subject, int change, int message, gboolean grow, Outcomes *outcomes, gboolean *made)
{
  gint n;
  GimpParam *values = gimp_run_procedure (HAND, &n, GIMP_PDB_INT32, GIMP_RUN_NONINTERACTIVE,
                                          GIMP_PDB_IMAGE, subject.image, GIMP_PDB_DRAWABLE,
                                          subject.drawable, GIMP_PDB_INT32, change, GIMP_PDB_INT32,
                                          message, GIMP_PDB_INT32, grow, GIMP_PDB_END);
  const char *words = n > 2 ? values[1].data.d_string : NULL;
  g_autofree char *layer = describe (subject);
  char *problem;

  *made = n <= 2 || values[2].data.d_int32;
  problem = *made ? judge (outcomes, changes[change].flags & (grow ? ~0u : ~(guint) HOLDS),
                           words && ! *words, words, layer)
                  : NULL;
  if (problem)
    problem = g_strdup_printf ("before message %d: %s", message, problem);
  gimp_destroy_params (values, n);
  return problem;
}

#define FIRST_TO_GROW 30 /* message: what comes before is as without growing */

static void
check_change (Subject scene, int number, gboolean grow)
{
  const Change *change = &changes[number];
  g_auto (Outcomes) outcomes = {
    .unblurred = describe_after (scene, change, FALSE, FALSE, grow),
    .blurred_before = describe_after (scene, change, TRUE, TRUE, grow),
    .blurred_after = describe_after (scene, change, TRUE, FALSE, grow),
  };
  char *problem = NULL;
  gboolean made = TRUE;

  for (int message = grow ? FIRST_TO_GROW : 1; ! problem && made; message++)
    {
      Subject subject = scene_copy (scene);

      problem = call (subject, number, message, grow, &outcomes, &made);
      delete (subject);
    }
  note ("%s: %d right, %d refused, %d killed; %d late, %d unseen, %d left enlarged", change->name,
        outcomes.n_done, outcomes.n_failed, outcomes.n_died, outcomes.n_late, outcomes.n_unseen,
        outcomes.n_held);
  report (problem, "another hand during a call%s: %s", grow ? " that grows" : "", change->name);
}

/* A layer in a group, of two tiles. To grow, it is of one tile and has a mask, but no selection. It
 * is no square, for nothing tells one that was rotated from what it was. */
static Subject
make_scene (gboolean grow)
{
  Subject scene = subject_for ("hand", GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, grow ? 100 : 140,
                               grow ? 90 : 100);
  gint32 group = gimp_layer_group_new (scene.image);

  gimp_image_resize (scene.image, 200, 150, 10, 5);
  gimp_image_insert_layer (scene.image, group, -1, 0);
  gimp_image_reorder_item (scene.image, scene.drawable, group, 0);
  if (grow)
    add_mask (scene);
  else
    gimp_image_select_rectangle (scene.image, GIMP_CHANNEL_OP_REPLACE, 30, 20, 100, 60);
  return scene;
}

void
cases_hand (void)
{
  for (int grow = 0; grow < 2; grow++)
    {
      Subject scene = make_scene (grow);

      for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
        check_change (scene, i, grow);
      gimp_image_delete (scene.image);
    }
}
