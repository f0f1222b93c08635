#include "canvas-calls.h"

#include "canvas.h"
#include "subject.h"

static Canvas *canvas;

char *
canvas_calls_show (gint32 drawable)
{
  g_autoptr (GError) error = NULL;
  RenderTarget target;

  if (render_target_init (&target, drawable, &error))
    canvas = canvas_new (&target, filters_find (PROCEDURE), &error);
  return g_strdup (canvas ? "ok" : error->message);
}

char *
canvas_calls_hide (void)
{
  g_clear_pointer (&canvas, canvas_free);
  gimp_displays_flush ();
  return g_strdup ("ok");
}

char *
canvas_calls_set (gint32 drawable, double sigma, gboolean grow, gpointer pixels)
{
  const Args args = { .sigma_x = sigma, .sigma_y = sigma, .grow = grow };
  g_autoptr (FilterSettings) settings = subject_settings (&args);
  g_auto (RenderJob) job = { 0 };
  RenderTarget target;

  render_target_init (&target, drawable, NULL);
  render_job_init (&job, &target, settings);
  canvas_set (canvas, &job, pixels, &(FxRect) { 0, 0, job.image.width, job.image.height }, NULL);
  while (canvas_write (canvas, g_get_monotonic_time () + 10000))
    ;
  return g_strdup (canvas_is_lost (canvas) ? "lost" : "ok");
}
