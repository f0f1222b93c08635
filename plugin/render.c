#include "render.h"

#include "trace.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <string.h>

G_DEFINE_QUARK (cuda-blur-render-error-quark, render_error)

/* What crossed between GIMP and this process in one direction, and for how long. */
typedef struct {
  gint64 microseconds;
  gsize bytes;
} Meter;

/* The data of the engine's callbacks. */
typedef struct {
  GeglBuffer *source; /* the drawable */
  GeglBuffer *result; /* its shadow, or the whole grown layer */
  const Babl *babl;
  gsize pixel_size;
  int source_x, source_y; /* the drawable's first pixel, in the image's coordinates */
  double share;           /* of the progress bar that is the engine's */
  Meter read, write;
} Traffic;

/* What can be blurred. */

static gboolean
refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error_literal (error, RENDER_ERROR, RENDER_ERROR_REFUSED, message);
  return FALSE;
}

/* What GIMP said to the call that has just failed. */
static gboolean
fail_gimp (GError **error)
{
  g_set_error_literal (error, RENDER_ERROR, RENDER_ERROR_GIMP, gimp_get_pdb_error ());
  return FALSE;
}

/* A mask is as locked as its layer, a layer as the group around it; asked by itself, each of them
 * reads as unlocked. Returns the item that carries the lock, or -1. */
static gint32
find_lock (gint32 item, gboolean (*is_locked) (gint32 item))
{
  if (gimp_item_is_layer_mask (item))
    item = gimp_layer_from_mask (item);
  while (item != -1 && ! is_locked (item))
    item = gimp_item_get_parent (item);
  return item;
}

static gboolean
check_item (gint32 drawable, GError **error)
{
  g_autofree char *name = NULL;
  g_autofree char *locked = NULL;
  gint32 lock;

  if (! gimp_item_is_valid (drawable) || ! gimp_item_is_drawable (drawable))
    return refuse (error, _("drawable is %d, but must be a layer, a layer mask or a channel"),
                   drawable);
  name = gimp_item_get_name (drawable);
  if (gimp_drawable_is_indexed (drawable))
    return refuse (error, _("drawable is '%s', which is indexed, but must be RGB or grayscale"),
                   name);
  if (gimp_item_is_group (drawable))
    return refuse (error, _("drawable is '%s', which is a layer group, but must be a layer, a "
                            "layer mask or a channel"), name);
  lock = find_lock (drawable, gimp_item_get_lock_content);
  if (lock == -1)
    return TRUE;
  if (lock == drawable)
    return refuse (error, _("drawable is '%s', whose pixels are locked, but must be unlocked"),
                   name);
  locked = gimp_item_get_name (lock);
  return refuse (error, _("drawable is '%s', which is part of '%s', whose pixels are locked, but "
                          "must be unlocked"), name, locked);
}

static gboolean
find_sample (const char *name, BlurSample *sample)
{
  static const char *const names[] = {
    [BLUR_SAMPLE_U8] = "u8",       [BLUR_SAMPLE_U16] = "u16",     [BLUR_SAMPLE_U32] = "u32",
    [BLUR_SAMPLE_HALF] = "half",   [BLUR_SAMPLE_FLOAT] = "float", [BLUR_SAMPLE_DOUBLE] = "double",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0)
      {
        *sample = (BlurSample) i;
        return TRUE;
      }
  return FALSE;
}

/* "R'G'B'A" is four channels with the colour through a curve, which babl writes as ' or, for sRGB's
 * whatever the space, ~. */
static gboolean
find_model (const char *encoding, BlurFormat *format)
{
  static const char *const names[] = { "Y", "YA", "RGB", "RGBA" };
  g_autoptr (GString) plain = g_string_new (NULL);
  const char *p;
  guint i;

  for (p = encoding; *p && *p != ' '; p++)
    if (*p != '\'' && *p != '~')
      g_string_append_c (plain, *p);
  format->gamma = plain->len < (gsize) (p - encoding);
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (plain->str, names[i]) == 0)
      {
        format->channels = (int) i + 1;
        return TRUE;
      }
  return FALSE;
}

static gboolean
find_format (RenderTarget *target, GError **error)
{
  const Babl *babl = gimp_drawable_get_format (target->drawable);
  BlurFormat *format = &target->format;

  target->babl = babl;
  if (babl && find_model (babl_format_get_encoding (babl), format) &&
      find_sample (babl_get_name (babl_format_get_type (babl, 0)), &format->sample) &&
      babl_format_get_n_components (babl) == format->channels &&
      (gsize) babl_format_get_bytes_per_pixel (babl) == blur_format_size (format))
    return TRUE;
  return refuse (error, _("the drawable's pixel format is '%s', but must be RGB or grayscale"),
                 babl ? babl_format_get_encoding (babl) : "");
}

/* GIMP answers this for no other than RGB images. */
static gboolean
is_alpha_active (gint32 image)
{
  return gimp_image_base_type (image) != GIMP_RGB ||
         gimp_image_get_component_active (image, GIMP_CHANNEL_ALPHA);
}

/* Where the result would have nowhere to go, or is not the whole layer, growing does not apply. */
static gboolean
can_grow (gint32 drawable)
{
  gint32 image = gimp_item_get_image (drawable);

  return gimp_item_is_layer (drawable) && gimp_drawable_has_alpha (drawable) &&
         ! gimp_layer_get_lock_alpha (drawable) && is_alpha_active (image) &&
         find_lock (drawable, gimp_item_get_lock_position) == -1 &&
         gimp_image_get_floating_sel (image) == -1 && gimp_selection_is_empty (image);
}

gboolean
render_target_init (RenderTarget *target, gint32 drawable, GError **error)
{
  memset (target, 0, sizeof *target);
  target->drawable = drawable;
  if (! check_item (drawable, error) || ! find_format (target, error))
    return FALSE;
  target->width = gimp_drawable_width (drawable);
  target->height = gimp_drawable_height (drawable);
  target->coverage = gimp_item_is_channel (drawable);
  target->can_grow = can_grow (drawable);
  return TRUE;
}

void
render_plan_init (RenderPlan *plan, const RenderTarget *target, const RenderSettings *settings)
{
  memset (plan, 0, sizeof *plan);
  plan->params = settings->params;
  plan->image.format = target->format;
  if (target->coverage)
    {
      plan->params.light = BLUR_LIGHT_LINEAR;
      plan->image.format.gamma = FALSE;
    }
  if (settings->grow && target->can_grow)
    blur_params_get_growth (&plan->params, &plan->grow_x, &plan->grow_y);
  plan->image.width = target->width + 2 * plan->grow_x;
  plan->image.height = target->height + 2 * plan->grow_y;
}

/* Pixels in and out. */

static void
meter_add (Meter *meter, gint64 since, gsize bytes)
{
  meter->microseconds += g_get_monotonic_time () - since;
  meter->bytes += bytes;
}

static gsize
get_area (const BlurRect *rect)
{
  return (gsize) rect->width * rect->height;
}

/* Outside the drawable GEGL gives zeros, which is what a layer is enlarged by. */
static gboolean
read_pixels (gpointer data, const BlurRect *rect, gpointer pixels, gsize stride, GError **error)
{
  Traffic *traffic = data;
  gint64 start = g_get_monotonic_time ();

  gegl_buffer_get (traffic->source,
                   GEGL_RECTANGLE (rect->x - traffic->source_x, rect->y - traffic->source_y,
                                   rect->width, rect->height),
                   1.0, traffic->babl, pixels, (int) stride, GEGL_ABYSS_NONE);
  meter_add (&traffic->read, start, get_area (rect) * traffic->pixel_size);
  return TRUE;
}

static gboolean
write_pixels (gpointer data, const BlurRect *rect, gconstpointer pixels, gsize stride,
              GError **error)
{
  Traffic *traffic = data;
  gint64 start = g_get_monotonic_time ();

  gegl_buffer_set (traffic->result,
                   GEGL_RECTANGLE (rect->x, rect->y, rect->width, rect->height), 0, traffic->babl,
                   pixels, (int) stride);
  meter_add (&traffic->write, start, get_area (rect) * traffic->pixel_size);
  return TRUE;
}

/* GIMP's own Cancel kills the process, so there is nothing to ask here. */
static gboolean
show_progress (gpointer data, double fraction)
{
  Traffic *traffic = data;

  gimp_progress_update (fraction * traffic->share);
  return TRUE;
}

static void
traffic_init (Traffic *traffic, const RenderTarget *target, const RenderPlan *plan)
{
  memset (traffic, 0, sizeof *traffic);
  traffic->source = gimp_drawable_get_buffer (target->drawable);
  traffic->babl = target->babl;
  traffic->pixel_size = blur_format_size (&target->format);
  traffic->source_x = plan->grow_x;
  traffic->source_y = plan->grow_y;
  traffic->share = 1.0;
}

static void
traffic_clear (Traffic *traffic)
{
  g_clear_object (&traffic->source);
  g_clear_object (&traffic->result);
}

/* merge: when the merging began. */
static void
traffic_trace (const Traffic *traffic, gint64 merge)
{
  gint64 now = g_get_monotonic_time ();

  blur_trace ("read", now - traffic->read.microseconds, traffic->read.bytes, NULL);
  blur_trace ("write", now - traffic->write.microseconds, traffic->write.bytes, NULL);
  blur_trace ("merge", merge, traffic->write.bytes, NULL);
}

static gboolean
run_engine (BlurEngine *engine, const RenderPlan *plan, Traffic *traffic, BlurReport *report,
            GError **error)
{
  BlurImage image = plan->image;

  image.read = read_pixels;
  image.write = write_pixels;
  image.progress = show_progress;
  image.data = traffic;
  return blur_engine_run (engine, &plan->params, &image, report, error);
}

/* Gives a shadow's last tiles to GIMP, and the shadow with them to the drawable. */
static gboolean
merge_shadow (gint32 drawable, GeglBuffer **shadow, const BlurRect *rect, GError **error)
{
  g_clear_object (shadow);
  if (! gimp_drawable_merge_shadow (drawable, TRUE))
    return fail_gimp (error);
  gimp_drawable_update (drawable, rect->x, rect->y, rect->width, rect->height);
  return TRUE;
}

/* A layer in place. */

static gboolean
blur_in_place (BlurEngine *engine, const RenderTarget *target, const RenderPlan *plan,
               BlurReport *report, GError **error)
{
  const BlurRect *region = &plan->image.region;
  Traffic traffic;
  gint64 start;
  gboolean done;

  traffic_init (&traffic, target, plan);
  traffic.result = gimp_drawable_get_shadow_buffer (target->drawable);
  done = run_engine (engine, plan, &traffic, report, error);
  start = g_get_monotonic_time ();
  gegl_buffer_flush (traffic.result);
  meter_add (&traffic.write, start, 0);
  start = g_get_monotonic_time ();
  done = done && merge_shadow (target->drawable, &traffic.result, region, error);
  if (done)
    traffic_trace (&traffic, start);
  traffic_clear (&traffic);
  if (! done)
    gimp_drawable_free_shadow (target->drawable);
  return done;
}

/* A layer that grows. */

static gboolean
is_grown (const RenderPlan *plan)
{
  return plan->grow_x > 0 || plan->grow_y > 0;
}

static gboolean
check_grown_size (const RenderPlan *plan, GError **error)
{
  if (plan->image.width <= GIMP_MAX_IMAGE_SIZE && plan->image.height <= GIMP_MAX_IMAGE_SIZE)
    return TRUE;
  return refuse (error,
                 _("grow would make the layer %d x %d pixels, but it must be at most %d x %d"),
                 plan->image.width, plan->image.height, GIMP_MAX_IMAGE_SIZE, GIMP_MAX_IMAGE_SIZE);
}

/* GIMP enlarges a mask by black, which would hide what the layer has grown by. */
static gboolean
whiten_border (gint32 mask, const RenderTarget *target, const RenderPlan *plan, GError **error)
{
  BlurRect whole = { 0, 0, plan->image.width, plan->image.height };
  GeglRectangle old = { plan->grow_x, plan->grow_y, target->width, target->height };
  GeglBuffer *source = gimp_drawable_get_buffer (mask);
  GeglBuffer *shadow = gimp_drawable_get_shadow_buffer (mask);
  GeglColor *white = gegl_color_new ("white");
  gboolean done;

  gegl_buffer_set_color (shadow, NULL, white);
  gegl_buffer_copy (source, &old, GEGL_ABYSS_NONE, shadow, &old);
  done = merge_shadow (mask, &shadow, &whole, error);
  g_object_unref (white);
  g_object_unref (source);
  return done;
}

static gboolean
put_grown (const RenderTarget *target, const RenderPlan *plan, GeglBuffer *result, GError **error)
{
  BlurRect whole = { 0, 0, plan->image.width, plan->image.height };
  gint32 mask = gimp_layer_get_mask (target->drawable);
  GeglBuffer *shadow;

  if (! gimp_layer_resize (target->drawable, whole.width, whole.height, plan->grow_x,
                           plan->grow_y))
    return fail_gimp (error);
  if (mask == -1 || whiten_border (mask, target, plan, error))
    {
      shadow = gimp_drawable_get_shadow_buffer (target->drawable);
      gegl_buffer_copy (result, NULL, GEGL_ABYSS_NONE, shadow, NULL);
      if (merge_shadow (target->drawable, &shadow, &whole, error))
        return TRUE;
    }
  gimp_layer_resize (target->drawable, target->width, target->height, -plan->grow_x,
                     -plan->grow_y);
  return FALSE;
}

/* The result is complete before the layer is touched; a layer that has been resized is given its
 * pixels at once. In between there is no Cancel to press, and if this process is killed there, GIMP
 * closes the undo group: one step back is the layer as it was. */
static gboolean
blur_grown (BlurEngine *engine, const RenderTarget *target, const RenderPlan *plan,
            BlurReport *report, GError **error)
{
  gint32 image = gimp_item_get_image (target->drawable);
  Traffic traffic;
  gint64 start;
  gboolean done;

  if (! check_grown_size (plan, error))
    return FALSE;
  traffic_init (&traffic, target, plan);
  traffic.share = 0.8;
  traffic.result = gegl_buffer_new (
    GEGL_RECTANGLE (0, 0, plan->image.width, plan->image.height), target->babl);
  done = run_engine (engine, plan, &traffic, report, error);
  start = g_get_monotonic_time ();
  if (done)
    {
      gimp_progress_end ();
      gimp_image_undo_group_start (image);
      done = put_grown (target, plan, traffic.result, error);
      gimp_image_undo_group_end (image);
    }
  if (done)
    traffic_trace (&traffic, start);
  traffic_clear (&traffic);
  return done;
}

/* Sets region to the part of the drawable that a blur changes: that under the selection, or all of
 * it. FALSE if there is none; then with error set if GIMP would not say. */
static gboolean
find_region (gint32 drawable, const RenderPlan *plan, BlurRect *region, GError **error)
{
  if (blur_params_is_identity (&plan->params))
    return FALSE;
  if (! gimp_drawable_mask_intersect (drawable, &region->x, &region->y, &region->width,
                                      &region->height))
    return gimp_get_pdb_status () == GIMP_PDB_SUCCESS ? FALSE : fail_gimp (error);
  if (is_grown (plan))
    *region = (BlurRect) { 0, 0, plan->image.width, plan->image.height };
  return TRUE;
}

gboolean
render_blur (BlurEngine *engine, gint32 drawable, const RenderSettings *settings, gint64 since,
             GError **error)
{
  RenderTarget target;
  RenderPlan plan;
  BlurReport report;
  GError *failure = NULL;
  BlurRect *region = &plan.image.region;
  gboolean done;

  if (! blur_params_check (&settings->params, error) ||
      ! render_target_init (&target, drawable, error))
    return FALSE;
  render_plan_init (&plan, &target, settings);
  if (! find_region (drawable, &plan, region, &failure))
    {
      if (failure)
        g_propagate_error (error, failure);
      return ! failure;
    }
  gimp_progress_init (_("Gaussian Blur (CUDA)"));
  done = (is_grown (&plan) ? blur_grown : blur_in_place) (engine, &target, &plan, &report, error);
  gimp_progress_end ();
  if (done)
    blur_trace ("blur", since, get_area (region) * blur_format_size (&target.format),
                "%dx%d %s %s", region->width, region->height,
                babl_format_get_encoding (target.babl), report.device_name);
  return done;
}
