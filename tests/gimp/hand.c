/* A blur with another hand in it, for test_hand.py. */
#include "clock.h"
#include "probe.h"
#include "render.h"
#include "render-target.h"
#include "subject.h"
#include "wire.h"

/* The changes by someone else. */

#define CHANGE(name, change)         \
  static void name (Subject subject) \
  {                                  \
    change;                          \
  }

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

static const struct {
  const char *name;
  void (*make) (Subject subject);
} changes[] = {
  { "select all", select_all },
  { "select none", select_none },
  { "select beside", select_beside },
  { "select less", select_less },
  { "move the layer", move },
  { "enlarge the layer", enlarge },
  { "reduce the layer", reduce },
  { "enlarge it and reduce it", enlarge_and_reduce },
  { "scale the layer", scale },
  { "scale the image", scale_image },
  { "rotate the layer", rotate },
  { "rotate the image", rotate_image },
  { "lock it", lock },
  { "lock its group", lock_group },
  { "lock its alpha", lock_alpha },
  { "lock its position", lock_position },
  { "add or remove its mask", change_mask },
  { "convert the image to grey", make_grey },
  { "convert the image to indexed colours", make_indexed },
  { "convert the image to float", make_deep },
  { "remove the layer", remove_layer },
  { "delete the image", remove_image },
  { "free the shadow", free_shadow },
};

/* Makes it once. */
typedef struct {
  Subject subject;
  const char *change;
  gboolean made;
} Hand;

static void
make (gpointer data)
{
  Hand *hand = data;

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    if (g_str_equal (changes[i].name, hand->change))
      {
        changes[i].make (hand->subject);
        hand->made = TRUE;
      }
}

/* Microseconds: a blur that asks how things are every 20 ms then does so at each tile. */
#define STEP 25000

static gboolean
blur (gint32 drawable, gboolean grow, GError **error)
{
  g_autoptr (FilterSettings) settings = subject_settings (2.0, 2.0, grow);
  g_autoptr (FxEngine) engine = fx_engine_new ();

  return render_apply (engine, drawable, settings, 0, error);
}

int
hand_run (gint32 drawable, const char *change, int message, gboolean grow, GimpParam *values)
{
  static char *words;
  Hand hand = { { gimp_item_get_image (drawable), drawable }, change, FALSE };
  g_autoptr (GError) error = NULL;

  clock_step (STEP);
  wire_forget ();
  if (*change == '\0')
    wire_kill_at (message);
  else if (message > 0)
    wire_call_between (message, make, &hand);
  else
    make (&hand);
  if (*change == '\0' || message > 0)
    blur (drawable, grow, &error);
  words = g_strdup (error ? error->message : "");
  values[1] = (GimpParam) { GIMP_PDB_STRING, { .d_string = words } };
  values[2] = (GimpParam) { GIMP_PDB_INT32, { .d_int32 = hand.made } };
  return 3;
}
