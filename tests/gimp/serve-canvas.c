#include "serve-canvas.h"

#include <stdio.h>

#include "canvas.h"
#include "probe.h"
#include "scene.h"

static Canvas *canvas;

static char *
show (Subject subject)
{
  g_autoptr (GError) error = NULL;
  RenderTarget target;

  if (render_target_init (&target, subject.drawable, &error))
    canvas = canvas_new (&target, filters_find (PROCEDURE), &error);
  return g_strdup (canvas ? "ok" : error->message);
}

/* blur SIGMA GROW */
static char *
blur (Subject subject, const char *text)
{
  g_autoptr (FilterSettings) settings = NULL;
  g_autoptr (Raster) before = subject_read (subject.drawable);
  g_autoptr (Raster) large = NULL;
  g_autoptr (Raster) after = NULL;
  g_auto (RenderJob) job = { 0 };
  RenderTarget target;
  BlurParams params;
  Args args = { 0 };

  if (sscanf (text, "blur %lf %d", &args.sigma_x, &args.grow) != 2)
    return g_strdup ("what blur?");
  args.sigma_y = args.sigma_x;
  settings = subject_settings (&args);
  params = subject_params (subject.drawable, &args);
  render_target_init (&target, subject.drawable, NULL);
  render_job_init (&job, &target, settings);
  if (render_job_grows (&job))
    params.abyss = FX_ABYSS_NONE;
  large = raster_enlarge (before, job.grow_x, job.grow_y, FALSE);
  after = raster_blur (large, &params, NULL, NULL);
  canvas_set (canvas, &job, g_memdup2 (after->pixels, raster_bytes (after)),
              &(FxRect) { 0, 0, after->width, after->height }, NULL);
  while (canvas_write (canvas, g_get_monotonic_time () + 10000))
    ;
  return g_strdup (canvas_is_lost (canvas) ? "lost" : "ok");
}

static char *
hide (void)
{
  g_clear_pointer (&canvas, canvas_free);
  gimp_displays_flush ();
  return g_strdup ("ok");
}

/* kill MESSAGE: a process with a canvas of its own. */
static char *
kill_victim (Subject subject, const char *text)
{
  gint message = 0, n;
  GimpParam *values;
  gboolean done;

  sscanf (text, "kill %d", &message);
  values = gimp_run_procedure (VICTIM, &n, GIMP_PDB_INT32, GIMP_RUN_NONINTERACTIVE, GIMP_PDB_IMAGE,
                               subject.image, GIMP_PDB_DRAWABLE, subject.drawable, GIMP_PDB_INT32,
                               message, GIMP_PDB_END);
  done = values[0].data.d_status == GIMP_PDB_SUCCESS;
  gimp_destroy_params (values, n);
  return g_strdup (done ? "it lives" : "ok");
}

static char *
clean (Subject subject)
{
  gimp_image_clean_all (subject.image);
  return g_strdup ("ok");
}

char *
serve_canvas (Subject subject, const char *text)
{
  if (strcmp (text, "show") == 0)
    return show (subject);
  if (g_str_has_prefix (text, "blur "))
    return blur (subject, text);
  if (strcmp (text, "hide") == 0)
    return hide ();
  if (g_str_has_prefix (text, "kill "))
    return kill_victim (subject, text);
  if (strcmp (text, "clean") == 0)
    return clean (subject);
  if (strcmp (text, "dirty") == 0)
    return g_strdup (gimp_image_is_dirty (subject.image) ? "yes" : "no");
  if (strcmp (text, "describe") == 0)
    return scene_describe (subject.image);
  return g_strdup ("what?");
}
