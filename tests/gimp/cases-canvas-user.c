/* The preview on the canvas: changes by the user while it is shown, and the reasons for which there
 * is none. */
#include "cases.h"

#include "stage.h"
#include "wire.h"

/* The user's changes */

CHANGE (delete_shown, gimp_image_remove_layer (subject.image, scene_find_shown (subject.image)))

static void
delete_before (gpointer subject)
{
  delete_shown (*(Subject *) subject);
}

CHANGE (lock_shown, gimp_item_set_lock_content (scene_find_shown (subject.image), TRUE))
CHANGE (resize_shown, gimp_layer_resize (scene_find_shown (subject.image), 100, 100, 0, 0))
CHANGE (delete_group,
        gimp_image_remove_layer (subject.image, gimp_item_get_parent (subject.drawable)))
CHANGE (flatten, gimp_image_flatten (subject.image))
CHANGE (convert_to_grey, gimp_image_convert_grayscale (subject.image))
CHANGE (convert_precision, gimp_image_convert_precision (subject.image, GIMP_PRECISION_U8_LINEAR))
CHANGE (close_image, gimp_image_delete (subject.image))

/* Whether nothing of the canvas is left and the user's layer, if it is there, is visible. */
static char *
gone_problem (Subject subject)
{
  if (! gimp_image_is_valid (subject.image))
    return NULL;
  if (scene_find_shown (subject.image) != -1)
    return g_strdup ("the preview's layer is left");
  if (gimp_item_is_valid (subject.drawable) && ! gimp_item_get_visible (subject.drawable))
    return g_strdup ("the user's layer is hidden");
  if (! gimp_image_undo_is_enabled (subject.image))
    return g_strdup ("undo is not enabled");
  return NULL;
}

/* Frees a stage's canvas after the user has changed the image. */
static char *
free_problem (Stage *stage)
{
  gint32 image = stage->subject.image;
  gboolean dirty = gimp_image_is_valid (image) && gimp_image_is_dirty (image);
  char *problem;

  canvas_free (stage->canvas);
  problem = gone_problem (stage->subject);
  if (! problem && gimp_image_is_valid (image) && gimp_image_is_dirty (image) != dirty)
    problem = g_strdup ("the unsaved-changes mark has changed");
  return problem;
}

/* The canvas, in the middle of a result, finds that there is nothing to write to. */
static char *
lost_problem (const Change *change)
{
  Stage stage;
  char *problem = stage_open (&stage, stage_scene (change->name));
  g_auto (Result) result = result_new (&stage, &growing);
  g_autoptr (GError) error = NULL;

  if (! problem && ! (problem = stage_set (&stage, &result, NULL)))
    stage_write_tile (&stage);
  if (! problem && canvas_is_lost (stage.canvas))
    problem = g_strdup ("it was lost before");
  change->make (stage.subject);
  if (! problem && (stage_write_tile (&stage) || ! canvas_is_lost (stage.canvas)))
    problem = g_strdup ("it is not lost");
  if (! problem && canvas_set (stage.canvas, &result.job, NULL, &(FxRect) { 0 }, &error))
    problem = g_strdup ("it takes a result");
  if (! problem && ! strstr (error->message, "removed or changed"))
    problem = g_strdup (error->message);
  problem = problem ?: free_problem (&stage);
  stage_clear (&stage);
  return problem;
}

/* The layer is deleted between two tiles. */
static char *
amid_problem (void)
{
  Stage stage;
  char *problem = stage_open (&stage, stage_scene ("amid"));
  g_auto (Result) result = result_new (&stage, &gentle);
  int before;

  problem = problem ?: stage_set (&stage, &result, NULL);
  before = wire_count_tiles (-1);
  wire_call_before ("gimp-item-is-valid", 2, delete_before, &stage.subject);
  if (! problem)
    stage_write (&stage);
  if (! problem && (wire_count_tiles (-1) != before + 1 || ! canvas_is_lost (stage.canvas)))
    problem = g_strdup_printf ("%d tiles were written", wire_count_tiles (-1) - before);
  problem = problem ?: free_problem (&stage);
  stage_clear (&stage);
  return problem;
}

CHANGE (delete_user, gimp_image_remove_layer (subject.image, subject.drawable))

/* The canvas is not lost, but what it is to give back is. */
static char *
deleted_problem (void)
{
  Stage stage;
  char *problem = stage_open (&stage, stage_scene ("deleted"));

  delete_user (stage.subject);
  problem = problem ?: free_problem (&stage);
  stage_clear (&stage);
  return problem;
}

/* Which layer is active is the user's business, but it must not be none. */
static char *
activated_problem (void)
{
  Stage stage;
  char *problem = stage_open (&stage, stage_scene ("activated"));

  gimp_image_set_active_layer (stage.subject.image, scene_find_shown (stage.subject.image));
  return stage_close (&stage, problem);
}

/* The image is saved while it has unsaved changes, with the canvas: it is not the one that
 * is left. */
static char *
saved_problem (void)
{
  Subject subject = stage_scene ("saved");
  Stage stage;
  char *problem;

  gimp_layer_set_opacity (subject.drawable, 35.0);
  problem = stage_open (&stage, subject);
  gimp_image_clean_all (subject.image);
  return stage_close (&stage, problem);
}

/* The contents of a saved file: the user's layer with the old pixels, hidden, and the preview's
 * layer. */
static char *
file_problem (const char *path, const Raster *before, const char *name)
{
  Subject loaded = { gimp_file_load (GIMP_RUN_NONINTERACTIVE, path, path), -1 };
  g_autoptr (Raster) pixels = NULL;
  char *problem = NULL;

  if (loaded.image == -1)
    return g_strdup ("the file cannot be loaded");
  loaded.drawable = gimp_image_get_layer_by_name (loaded.image, name);
  if (loaded.drawable == -1)
    problem = g_strdup ("the user's layer is not in the file");
  else if (gimp_item_get_visible (loaded.drawable) || scene_find_shown (loaded.image) == -1)
    problem = g_strdup ("the file shows no preview");
  else
    {
      pixels = subject_read (loaded.drawable);
      problem = raster_differs (pixels, before, 0);
    }
  gimp_image_delete (loaded.image);
  return problem;
}

static char *
written_problem (void)
{
  Stage stage;
  char *problem = stage_open (&stage, stage_scene ("written"));
  gint32 image = stage.subject.image, layer = stage.subject.drawable;
  g_autoptr (Raster) before = subject_read (layer);
  g_autofree char *name = gimp_item_get_name (layer);
  g_autofree char *folder = g_dir_make_tmp ("cuda-blur-written-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "written.xcf", NULL);

  problem = problem ?: stage_show (&stage, &gentle, "to be written");
  if (! problem && ! gimp_file_save (GIMP_RUN_NONINTERACTIVE, image, layer, path, path))
    problem = g_strdup ("the image cannot be saved");
  problem = problem ?: file_problem (path, before, name);
  g_unlink (path);
  g_rmdir (folder);
  return stage_close (&stage, problem);
}

static void
check_user (void)
{
  static const Change changes[] = {
    { "the preview's layer is deleted", delete_shown },
    { "the preview's layer is locked", lock_shown },
    { "the preview's layer is resized", resize_shown },
    { "the layer's group is deleted", delete_group },
    { "the image is flattened", flatten },
    { "the image is converted to grey", convert_to_grey },
    { "the image is converted to another precision", convert_precision },
    { "the image is closed", close_image },
  };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    report (lost_problem (&changes[i]), "canvas: %s meanwhile", changes[i].name);
  report (amid_problem (), "canvas: the preview's layer is deleted between two tiles");
  report (deleted_problem (), "canvas: the user's layer is deleted meanwhile");
  report (activated_problem (), "canvas: the preview's layer is made the active one meanwhile");
  report (saved_problem (), "canvas: the image is saved meanwhile");
  report (written_problem (), "canvas: the file then has the user's layer as it is");
  canvas_free (NULL);
}

/* Refusals */

/* words: of the refusal; NULL: there must be none. Deletes the image. */
static void
check_refusal (const char *name, Subject subject, const char *words)
{
  RenderTarget target;
  const char *refusal;
  char *problem = NULL;

  render_target_init (&target, subject.drawable, NULL);
  refusal = canvas_get_refusal (&target);
  if (words ? ! refusal || ! strstr (refusal, words) : refusal != NULL)
    problem = g_strdup_printf ("the refusal is: %s", refusal ? refusal : "none");
  report (problem, "canvas: %s is %s", name, words ? "refused" : "shown");
  gimp_image_delete (subject.image);
}

static void
check_refusals (void)
{
  Subject subject = stage_scene ("refusals");
  gint32 floating;

  check_refusal ("a layer", subject, NULL);
  subject = stage_scene ("refusals");
  subject.drawable = gimp_layer_get_mask (subject.drawable);
  check_refusal ("a layer mask", subject, "layer mask");
  subject = stage_scene ("refusals");
  subject.drawable = add_channel (subject);
  check_refusal ("a channel", subject, "a channel");
  subject = stage_scene ("refusals");
  gimp_layer_set_show_mask (subject.drawable, TRUE);
  check_refusal ("a layer of which the mask is shown", subject, "mask is shown");
  subject = stage_scene ("refusals");
  gimp_item_set_visible (subject.drawable, FALSE);
  check_refusal ("an invisible layer", subject, "layer that is not visible");
  subject = stage_scene ("refusals");
  gimp_item_set_visible (gimp_item_get_parent (subject.drawable), FALSE);
  check_refusal ("a layer in an invisible group", subject, "group that is not visible");
  for (int i = 0; i < 2; i++)
    {
      subject = stage_scene ("refusals");
      gimp_selection_all (subject.image);
      floating = gimp_selection_float (subject.image, subject.drawable, 0, 0);
      if (i == 1)
        subject.drawable = floating;
      check_refusal (i ? "a floating selection" : "a layer beside a floating selection", subject,
                     i ? "preview of a floating selection" : "beside a floating selection");
    }
}

void
cases_canvas_user (void)
{
  check_user ();
  check_refusals ();
}
