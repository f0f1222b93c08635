#include "stage.h"

#include "cases.h"
#include "wire.h"

#define SLICE 10000 /* microseconds */

Subject
stage_scene_of (const char *name, GimpPrecision precision, GimpImageType type)
{
  g_autoptr (GRand) rand = case_rand (name);

  return scene_new (precision, type, rand);
}

Subject
stage_scene (const char *name)
{
  return stage_scene_of (name, GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE);
}

char *
stage_open (Stage *stage, Subject subject)
{
  gint32 layer = gimp_image_get_active_layer (subject.image);
  gint32 channel = gimp_image_get_active_channel (subject.image);
  g_autoptr (GError) error = NULL;

  *stage = (Stage) { .subject = subject,
                     .original = scene_copy (subject),
                     .seen = scene_see (subject.image),
                     .described = scene_describe (subject.image),
                     .dirty = gimp_image_is_dirty (subject.image) };
  render_target_init (&stage->target, subject.drawable, NULL);
  wire_forget ();
  stage->canvas = canvas_new (&stage->target, filters_find (PROCEDURE), &error);
  if (! stage->canvas)
    return g_strdup_printf ("there is no canvas: %s", error->message);
  if (gimp_image_get_active_layer (subject.image) != layer ||
      gimp_image_get_active_channel (subject.image) != channel)
    return g_strdup ("something else is active");
  return NULL;
}

char *
stage_differs (const Stage *stage, const Raster *expected, const char *when)
{
  g_autoptr (Raster) seen = scene_see (stage->subject.image);
  g_autofree char *problem = raster_differs (seen, expected, 0);

  if (! problem && gimp_image_is_dirty (stage->subject.image) != stage->dirty)
    problem = g_strdup ("the unsaved-changes mark has changed");
  return problem ? g_strdup_printf ("%s: %s", when, problem) : NULL;
}

/* Whether all is as it was, and the user's layer was never written. */
static char *
restored_problem (const Stage *stage)
{
  g_autofree char *described = scene_describe (stage->subject.image);
  gint32 mask = gimp_layer_get_mask (stage->subject.drawable);

  if (strcmp (described, stage->described) != 0)
    return g_strdup_printf ("was %s; is %s", stage->described, described);
  if (wire_count_tiles (stage->subject.drawable) > 0 || (mask != -1 && wire_count_tiles (mask) > 0))
    return g_strdup ("the user's layer was written");
  if (wire_count ("gimp-image-undo-disable") > 0)
    return g_strdup ("undo was disabled");
  return stage_differs (stage, stage->seen, "in the end");
}

void
stage_clear (Stage *stage)
{
  if (gimp_image_is_valid (stage->subject.image))
    gimp_image_delete (stage->subject.image);
  gimp_image_delete (stage->original.image);
  raster_free (stage->seen);
  g_free (stage->described);
}

char *
stage_close (Stage *stage, char *problem)
{
  canvas_free (stage->canvas);
  gimp_displays_flush (); /* or groups show what was */
  problem = problem ?: restored_problem (stage);
  stage_clear (stage);
  return problem;
}

/* Results */

void
result_clear (Result *result)
{
  render_job_clear (&result->job);
  raster_free (result->pixels);
  raster_free (result->seen);
}

Result
result_new (const Stage *stage, const Args *args)
{
  g_autoptr (FilterSettings) settings = subject_settings (args);
  Subject copy = scene_copy (stage->original);
  g_autofree char *message = NULL;
  Result result;

  if (! subject_blur (copy, args, &message))
    g_error ("%s", message); /* which the runner reports */
  render_job_init (&result.job, &stage->target, settings);
  result.pixels = subject_read (copy.drawable);
  result.seen = scene_see (copy.image);
  gimp_image_delete (copy.image);
  return result;
}

char *
stage_set (Stage *stage, const Result *result, const FxRect *changed)
{
  const FxRect all = { 0, 0, result->job.image.width, result->job.image.height };
  g_autoptr (GError) error = NULL;

  if (canvas_set (stage->canvas, &result->job,
                  g_memdup2 (result->pixels->pixels, raster_bytes (result->pixels)),
                  changed ? changed : &all, &error))
    return NULL;
  return g_strdup_printf ("the result is not taken: %s", error->message);
}

void
stage_write (Stage *stage)
{
  while (canvas_write (stage->canvas, g_get_monotonic_time () + SLICE))
    ;
}

gboolean
stage_write_tile (Stage *stage)
{
  return canvas_write (stage->canvas, 0);
}

char *
stage_show (Stage *stage, const Args *args, const char *when)
{
  g_auto (Result) result = result_new (stage, args);
  char *problem = stage_set (stage, &result, NULL);

  if (problem)
    return problem;
  stage_write (stage);
  return stage_differs (stage, result.seen, when);
}
