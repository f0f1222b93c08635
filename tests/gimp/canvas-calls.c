#include "canvas-calls.h"

#include "canvas.h"
#include "wire.h"

#define SLICE 10000 /* microseconds */

static RenderTarget target;
static Canvas *canvas;

static const FilterDescription *
get_filter (void)
{
  return filters_find ("plug-in-cuda-gaussian-blur");
}

FilterSettings *
canvas_calls_make_settings (double sigma_x, double sigma_y, gboolean grow)
{
  const double values[] = {
    sigma_x, sigma_y, 0, FX_ABYSS_NONE, FX_LIGHT_LINEAR, grow, FX_DEVICE_CPU
  };
  FilterSettings *settings = filter_settings_new (get_filter ());

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    filter_settings_set (settings, i, values[i]);
  return settings;
}

const char *
canvas_calls_show (gint32 drawable)
{
  g_autoptr (GError) error = NULL;

  if (render_target_init (&target, drawable, &error))
    {
      wire_forget ();
      canvas = canvas_new (&target, get_filter (), &error);
    }
  return canvas ? "ok" : g_intern_string (error->message);
}

void
canvas_calls_hide (void)
{
  g_clear_pointer (&canvas, canvas_free);
  gimp_displays_flush (); /* or groups show what was */
}

const char *
canvas_calls_get_refusal (gint32 drawable)
{
  const char *refusal;

  render_target_init (&target, drawable, NULL);
  refusal = canvas_get_refusal (&target);
  return refusal ? refusal : "ok";
}

const char *
canvas_calls_set (double sigma_x, double sigma_y, int grow, int x, int y, int width, int height,
                  const char *pixels, int size)
{
  g_autoptr (FilterSettings) settings = canvas_calls_make_settings (sigma_x, sigma_y, grow > 0);
  g_auto (RenderJob) job = { 0 };
  const FxRect changed = { x, y, width, height };
  g_autoptr (GError) error = NULL;

  render_job_init (&job, &target, settings);
  if (grow > 1)
    {
      job.image.width += 2 * (grow - job.grow_x);
      job.grow_x = grow;
    }
  return canvas_set (canvas, &job, g_memdup2 (pixels, size), &changed, &error)
           ? "ok"
           : g_intern_string (error->message);
}

static void
remove_layer (gpointer data)
{
  const gint32 layer = GPOINTER_TO_INT (data);

  gimp_image_remove_layer (gimp_item_get_image (layer), layer);
}

const char *
canvas_calls_write (gboolean all, gint32 removed)
{
  gboolean more;

  if (removed != -1)
    wire_call_before ("gimp-item-is-valid", 2, remove_layer, GINT_TO_POINTER (removed));
  do
    more = canvas_write (canvas, all ? g_get_monotonic_time () + SLICE : 0);
  while (all && more);
  return canvas_is_lost (canvas) ? "lost" : more ? "more" : "done";
}

/* Sets a result of one value that differs from the layer in all of it, and begins to write it. */
static void
set_plain (gboolean grow)
{
  g_autoptr (FilterSettings) settings = canvas_calls_make_settings (3.0, 3.0, grow);
  g_auto (RenderJob) job = { 0 };
  gsize size;

  render_job_init (&job, &target, settings);
  size = (gsize) job.image.width * job.image.height * fx_format_size (&job.image.format);
  canvas_set (canvas, &job, memset (g_malloc (size), 0x55, size),
              &(FxRect) { 0, 0, job.image.width, job.image.height }, NULL);
}

void
canvas_calls_die (gint32 drawable, int message)
{
  render_target_init (&target, drawable, NULL);
  wire_forget ();
  wire_kill_at (message);
  canvas = canvas_new (&target, get_filter (), NULL);
  set_plain (FALSE);
  canvas_write (canvas, 0);
  set_plain (TRUE);
  while (canvas_write (canvas, 0))
    ;
  canvas_free (canvas);
}
