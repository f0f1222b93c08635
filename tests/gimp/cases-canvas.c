/* The preview on the canvas: the image shows the result, and afterwards no trace remains. */
#include "cases.h"

#include "stage.h"
#include "wire.h"

static const Args strong = { 20.0, 11.0, 0, FX_ABYSS_CLAMP, FX_LIGHT_LINEAR, 0, 0 };
static const Args growing_more = { 7.0, 5.0, 0, FX_ABYSS_NONE, FX_LIGHT_LINEAR, 1, 0 };
static const Args growing_far = { 50.0, 9.0, 0, FX_ABYSS_NONE, FX_LIGHT_LINEAR, 1, 0 };
static const Args identity = { 0 };

#define FLUSHED 400000 /* microseconds after which the displays have been flushed */

/* Showing */

static char *
shown_problem (Subject subject, const Args *args)
{
  Stage stage;
  char *problem = stage_open (&stage, subject);

  problem = problem ?: stage_differs (&stage, stage.seen, "at first");
  if (! problem && wire_count ("gimp-displays-flush") != 1)
    problem = g_strdup_printf ("%d flushes", wire_count ("gimp-displays-flush"));
  problem = problem ?: stage_show (&stage, args, "blurred");
  return stage_close (&stage, problem);
}

static void
check_formats (void)
{
  for (int p = 0; p < N_PRECISIONS; p++)
    for (int i = 0; i < 2; i++)
      {
        int t = i ? 1 + p % 2 * 2 : p % 4; /* those that grow have alpha */
        g_autofree char *name = g_strdup_printf ("%s, %s", precisions[p].name, type_names[t]);
        Subject subject = stage_scene_of (name, precisions[p].precision, image_types[t]);

        report (shown_problem (subject, i ? &growing : &gentle), "canvas: %s", name);
      }
}

/* Ways to have a layer */

CHANGE (lock_position, gimp_item_set_lock_position (subject.drawable, TRUE))
CHANGE (lock_alpha, gimp_layer_set_lock_alpha (subject.drawable, TRUE))
CHANGE (pass_through,
        gimp_layer_set_mode (gimp_item_get_parent (subject.drawable), GIMP_LAYER_MODE_PASS_THROUGH))

static void
mask_group (Subject subject)
{
  g_autoptr (GRand) rand = case_rand ("group");
  gint32 group = gimp_item_get_parent (subject.drawable);
  gint32 mask = gimp_layer_create_mask (group, GIMP_ADD_MASK_WHITE);

  gimp_layer_add_mask (group, mask);
  subject_fill (mask, rand);
}

CHANGE (disable_mask, gimp_layer_set_apply_mask (subject.drawable, FALSE))

/* At the bottom of the image, where a mode has no layer to combine with. */
CHANGE (move_to_bottom, gimp_image_reorder_item (subject.image, subject.drawable, -1, 2))
CHANGE (activate_channel, gimp_image_set_active_channel (subject.image, add_channel (subject)))
CHANGE (activate_other,
        gimp_image_set_active_layer (subject.image,
                                     gimp_image_get_layer_by_name (subject.image, "other")))
CHANGE (edit_mask, gimp_layer_set_edit_mask (subject.drawable, TRUE))
CHANGE (name_oddly, gimp_item_set_name (subject.drawable, "100% %s #7"))

static void
check_ways (void)
{
  static const Change ways[] = {
    { "whose position is locked", lock_position },
    { "whose alpha is locked", lock_alpha },
    { "in a group that passes through", pass_through },
    { "of which the mask is off", disable_mask },
    { "at the bottom", move_to_bottom },
    { "beside an active channel", activate_channel },
    { "beside an active layer", activate_other },
    { "of which the mask is edited", edit_mask },
    { "with an odd name", name_oddly },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      Subject subject = stage_scene (ways[i].name);

      ways[i].make (subject);
      gimp_image_clean_all (subject.image);
      report (shown_problem (subject, &growing), "canvas: a layer %s", ways[i].name);
    }
}

/* Shows a blur, and compares within the level by which GIMP rounds what a group has nothing on. */
static char *
nearly_problem (Stage *stage, const Args *args)
{
  g_auto (Result) result = result_new (stage, args);
  g_autoptr (Raster) seen = NULL;
  char *problem = stage_set (stage, &result, NULL);

  if (problem)
    return problem;
  stage_write (stage);
  seen = scene_see (stage->subject.image);
  return raster_differs (seen, result.seen, 1);
}

/* The mask of a group is not to be enlarged, for its undo steps would not fit it then. */
static char *
masked_group_problem (void)
{
  Subject subject = stage_scene ("masked");
  gint32 group = gimp_item_get_parent (subject.drawable);
  int width = gimp_drawable_width (group);
  Stage stage;
  char *problem;

  mask_group (subject);
  gimp_image_clean_all (subject.image);
  problem = stage_open (&stage, subject);
  problem = problem ?: nearly_problem (&stage, &growing);
  problem = problem ?: nearly_problem (&stage, &growing_far);
  if (! problem && gimp_drawable_width (gimp_layer_get_mask (group)) != width)
    problem = g_strdup ("the mask of the group is larger");
  return stage_close (&stage, problem);
}

/* A text layer, which GIMP could render again. */
static char *
text_problem (void)
{
  Subject subject = stage_scene ("text");

  subject.drawable = gimp_text_layer_new (subject.image, "Text", "Sans", 90, GIMP_UNIT_PIXEL);
  gimp_image_insert_layer (subject.image, subject.drawable, -1, 0);
  if (gimp_drawable_width (subject.drawable) < 90)
    return g_strdup ("there is no text"); /* without fonts */
  gimp_image_clean_all (subject.image);
  return shown_problem (subject, &growing);
}

/* The canvas of an image with unsaved changes. */
static char *
dirty_problem (void)
{
  Subject subject = stage_scene ("dirty");

  gimp_layer_set_opacity (subject.drawable, 35.0);
  return shown_problem (subject, &gentle);
}

static char *
grown_problem (void)
{
  Stage stage;
  char *problem = stage_open (&stage, stage_scene ("grown"));

  problem = problem ?: stage_show (&stage, &growing, "grown");
  problem = problem ?: stage_show (&stage, &growing_more, "grown by more");
  problem = problem ?: stage_show (&stage, &growing_far, "grown by much more");
  problem = problem ?: stage_show (&stage, &growing, "grown by less");
  problem = problem ?: stage_show (&stage, &strong, "not grown");
  if (! problem && wire_count ("gimp-layer-resize") != 2) /* it grows by whole tiles */
    problem = g_strdup_printf ("%d times resized", wire_count ("gimp-layer-resize"));
  return stage_close (&stage, problem);
}

/* Writing */

/* A result that is replaced while it is written leaves nothing of itself. */
static char *
newest_problem (void)
{
  Stage stage;
  char *problem = stage_open (&stage, stage_scene ("newest"));
  g_auto (Result) first = result_new (&stage, &strong);

  problem = problem ?: stage_set (&stage, &first, NULL);
  for (int i = 0; ! problem && i < 4; i++) /* one of the second row of tiles is the last */
    if (! stage_write_tile (&stage))
      problem = g_strdup ("there was no more to write");
  problem = problem ?: stage_show (&stage, &gentle, "the second");
  return stage_close (&stage, problem);
}

/* Returns the image as it would look with pixels in the subject. */
static Raster *
see_with (const Stage *stage, const Raster *pixels)
{
  Subject copy = scene_copy (stage->original);
  Raster *seen;

  subject_write (copy.drawable, pixels);
  seen = scene_see (copy.image);
  gimp_image_delete (copy.image);
  return seen;
}

/* However fast results come, each tile has its turn, and is shown in time: of six results each has
 * one tile. */
static char *
turns_problem (void)
{
  Stage stage;
  char *problem = stage_open (&stage, stage_scene ("turns"));
  g_auto (Result) first = result_new (&stage, &strong);
  g_auto (Result) second = result_new (&stage, &gentle);
  g_autoptr (Raster) expected = raster_copy (first.pixels);
  g_autoptr (Raster) seen = NULL;

  problem = problem ?: stage_differs (&stage, stage.seen, "at first");
  for (int i = 0; ! problem && i < 6; i++)
    {
      const FxRect tile = { i % 3 * 128, i / 3 * 128, 128, 128 };

      problem = stage_set (&stage, i % 2 ? &second : &first, NULL);
      if (i == 5)
        g_usleep (FLUSHED);
      if (! problem)
        stage_write_tile (&stage);
      if (i % 2)
        raster_paste (expected, second.pixels, &tile);
    }
  seen = see_with (&stage, expected);
  problem = problem ?: stage_differs (&stage, seen, "with a tile of each");
  if (! problem && wire_count ("gimp-displays-flush") < 2) /* one is canvas_new's */
    problem = g_strdup ("the displays were not flushed");
  return stage_close (&stage, problem);
}

/* A result of a smaller part than the one before gives the rest its own pixels back, and the next
 * one writes no more than that part. */
static char *
smaller_problem (void)
{
  const FxRect part = { 140, 20, 60, 90 }; /* within one tile */
  Stage stage;
  char *problem = stage_open (&stage, stage_scene ("smaller"));
  gint32 layer = scene_find_shown (stage.subject.image);
  g_auto (Result) all = result_new (&stage, &strong);
  g_auto (Result) less = result_new (&stage, &gentle);
  g_autoptr (Raster) expected = subject_read (stage.subject.drawable);
  g_autoptr (Raster) shown = NULL;
  int before;

  raster_paste (expected, less.pixels, &part);
  memcpy (less.pixels->pixels, expected->pixels, raster_bytes (expected));
  if (! problem && ! (problem = stage_set (&stage, &all, NULL)))
    stage_write (&stage);
  if (! problem && ! (problem = stage_set (&stage, &less, &part)))
    stage_write (&stage);
  shown = subject_read (layer);
  problem = problem ?: raster_differs (shown, expected, 0);
  before = wire_count_tiles (layer);
  if (! problem && ! (problem = stage_set (&stage, &less, &part)))
    stage_write (&stage);
  if (! problem && wire_count_tiles (layer) != before + 1)
    problem = g_strdup_printf ("%d tiles for one", wire_count_tiles (layer) - before);
  return stage_close (&stage, problem);
}

/* A result that is the layer itself. */
static char *
identity_problem (void)
{
  Stage stage;
  char *problem = stage_open (&stage, stage_scene ("identity"));
  g_auto (Result) result = result_new (&stage, &identity);

  problem = problem ?: stage_show (&stage, &growing, "blurred");
  problem = problem ?: stage_set (&stage, &result, &(FxRect) { 0 });
  if (! problem)
    {
      stage_write (&stage);
      problem = stage_differs (&stage, stage.seen, "and not any more");
    }
  problem = problem ?: stage_set (&stage, &result, &(FxRect) { 0 });
  if (! problem && stage_write_tile (&stage))
    problem = g_strdup ("there is something to write");
  return stage_close (&stage, problem);
}

/* Freed in the middle of a result. */
static char *
cancelled_problem (void)
{
  Stage stage;
  char *problem = stage_open (&stage, stage_scene ("cancelled"));
  g_auto (Result) result = result_new (&stage, &growing);

  problem = problem ?: stage_set (&stage, &result, NULL);
  if (! problem && ! stage_write_tile (&stage))
    problem = g_strdup ("there was no more to write");
  return stage_close (&stage, problem);
}

static char *
large_problem (void)
{
  Stage stage;
  char *problem = stage_open (&stage, stage_scene ("large"));
  g_auto (Result) result = result_new (&stage, &gentle);
  g_autoptr (GError) error = NULL;

  result.job.grow_x = GIMP_MAX_IMAGE_SIZE / 2;
  result.job.image.width += 2 * result.job.grow_x;
  if (! problem && canvas_set (stage.canvas, &result.job, NULL, &(FxRect) { 0 }, &error))
    problem = g_strdup ("it is taken");
  if (! problem && ! strstr (error->message, "must be at most"))
    problem = g_strdup (error->message);
  return stage_close (&stage, problem);
}

static void
check_writing (void)
{
  report (newest_problem (), "canvas: the newest result wins");
  report (turns_problem (), "canvas: results that come fast");
  report (smaller_problem (), "canvas: a result of a part");
  report (identity_problem (), "canvas: a result that is the layer itself");
  report (cancelled_problem (), "canvas: freed in the middle of a result");
  report (large_problem (), "canvas: growth beyond GIMP's limit is an error");
}

void
cases_canvas (void)
{
  check_formats ();
  check_ways ();
  report (masked_group_problem (), "canvas: a layer in a group with a mask");
  report (text_problem (), "canvas: a text layer");
  report (dirty_problem (), "canvas: an image with unsaved changes");
  report (grown_problem (), "canvas: a layer with a mask that grows, more and less");
  check_writing ();
}
