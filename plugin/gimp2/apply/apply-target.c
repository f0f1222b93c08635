#include "apply-target.h"

#include "profile.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <string.h>

G_DEFINE_QUARK (cuda_blur_apply_error_quark, apply_error)

/* Checks. */

#define refuse(error, ...) fx_set_error (error, APPLY_ERROR, APPLY_ERROR_REFUSED, __VA_ARGS__)

/* Returns the item that carries the lock, or -1. A mask is locked with its layer, and a layer with
 * the group around it, but each of them itself reads as unlocked. */
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
  gboolean indexed, group;
  gint32 lock;

  if (! gimp_item_is_valid (drawable) || ! gimp_item_is_drawable (drawable))
    return refuse (error, _ ("drawable is %d, but must be a layer, a layer mask or a channel"),
                   drawable);
  indexed = gimp_drawable_is_indexed (drawable);
  group = gimp_item_is_group (drawable);
  lock = find_lock (drawable, gimp_item_get_lock_content);
  if (! indexed && ! group && lock == -1)
    return TRUE;
  name = gimp_item_get_name (drawable);
  if (indexed)
    return refuse (error, _ ("drawable is '%s', which is indexed, but must be RGB or grayscale"),
                   name);
  if (group)
    return refuse (error,
                   _ ("drawable is '%s', which is a layer group, but must be a layer, a "
                      "layer mask or a channel"),
                   name);
  if (lock == drawable)
    return refuse (error, _ ("drawable is '%s', whose pixels are locked, but must be unlocked"),
                   name);
  locked = gimp_item_get_name (lock);
  return refuse (error,
                 _ ("drawable is '%s', which is part of '%s', whose pixels are locked, but "
                    "must be unlocked"),
                 name, locked);
}

static gboolean
find_sample (const char *name, FxSample *sample)
{
  static const char *const names[] = {
    [FX_SAMPLE_U8] = "u8",     [FX_SAMPLE_U16] = "u16",     [FX_SAMPLE_U32] = "u32",
    [FX_SAMPLE_HALF] = "half", [FX_SAMPLE_FLOAT] = "float", [FX_SAMPLE_DOUBLE] = "double",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0)
      {
        *sample = (FxSample) i;
        return TRUE;
      }
  return FALSE;
}

/* "R'G'B'A" means four channels, with the colour through a curve. babl writes ' for the space's
 * curve, and ~ for sRGB's whatever the space is. */
static gboolean
apply_target_find_model (const char *encoding, FxFormat *format)
{
  static const char *const names[] = { "Y", "YA", "RGB", "RGBA" };
  g_autoptr (GString) plain = g_string_new (NULL);
  const char *p;

  for (p = encoding; *p && *p != ' '; p++)
    if (*p != '\'' && *p != '~')
      g_string_append_c (plain, *p);
  format->gamma = plain->len < (gsize) (p - encoding);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (plain->str, names[i]) == 0)
      {
        format->channels = (int) i + 1;
        return TRUE;
      }
  return FALSE;
}

/* Gets the name of the drawable's pixel format. libgimp's own call for it would load babl. */
static void
get_encoding (gint32 drawable, char *encoding, gsize size)
{
  GimpParam *values;
  gint n;

  values = gimp_run_procedure ("gimp-drawable-get-format", &n, GIMP_PDB_DRAWABLE, drawable,
                               GIMP_PDB_END);
  *encoding = '\0';
  if (n > 1 && values[0].data.d_status == GIMP_PDB_SUCCESS)
    g_strlcpy (encoding, values[1].data.d_string, size);
  gimp_destroy_params (values, n);
}

static gboolean
find_format (ApplyTarget *target, GError **error)
{
  const char *sample;

  get_encoding (target->drawable, target->encoding, sizeof target->encoding);
  sample = strchr (target->encoding, ' ');
  if (sample && find_sample (sample + 1, &target->format.sample) &&
      apply_target_find_model (target->encoding, &target->format))
    return TRUE;
  return refuse (error, _ ("the drawable's pixel format is '%s', but must be RGB or grayscale"),
                 target->encoding);
}

/* As GIMP does, except for profiles that have no such curve. */
static void
set_curve (ApplyTarget *target)
{
  gint32 image = gimp_item_get_image (target->drawable);
  GimpParam *values;
  gint n;

  values = gimp_run_procedure ("gimp-image-get-effective-color-profile", &n, GIMP_PDB_IMAGE, image,
                               GIMP_PDB_END);
  if (n > 2 && values[0].data.d_status == GIMP_PDB_SUCCESS)
    target->no_curve = ! profile_set_trc (&target->format, values[2].data.d_int8array,
                                          values[1].data.d_int32);
  gimp_destroy_params (values, n);
}

/* GIMP answers this for RGB images only. */
static gboolean
is_alpha_active (gint32 image)
{
  return gimp_image_base_type (image) != GIMP_RGB ||
         gimp_image_get_component_active (image, GIMP_CHANNEL_ALPHA);
}

gboolean
apply_target_can_change_alpha (const ApplyTarget *target)
{
  gint32 drawable = target->drawable;

  return gimp_drawable_has_alpha (drawable) && is_alpha_active (gimp_item_get_image (drawable)) &&
         ! gimp_layer_get_lock_alpha (drawable);
}

/* A layer does not grow if the result would have no place to go, or is not the whole layer. */
const char *
apply_target_get_grow_refusal (const ApplyTarget *target)
{
  gint32 drawable = target->drawable;
  gint32 image = gimp_item_is_valid (drawable) ? gimp_item_get_image (drawable) : -1;

  if (image == -1)
    return _ ("The layer is no longer there");
  if (! gimp_item_is_layer (drawable))
    return _ ("Only layers can grow, not layer masks or channels");
  if (! gimp_drawable_has_alpha (drawable))
    return _ ("The layer cannot grow because it has no alpha channel");
  if (gimp_layer_get_lock_alpha (drawable))
    return _ ("The layer cannot grow because its alpha channel is locked");
  if (! is_alpha_active (image))
    return _ ("The layer cannot grow because the alpha channel is not active in the Channels "
              "dialog");
  if (find_lock (drawable, gimp_item_get_lock_position) != -1)
    return _ ("The layer cannot grow because its position is locked");
  if (gimp_image_get_floating_sel (image) != -1 || ! gimp_selection_is_empty (image))
    return _ ("The layer cannot grow because there is a selection");
  return NULL;
}

gboolean
apply_target_can_grow (const ApplyTarget *target)
{
  return ! apply_target_get_grow_refusal (target);
}

gboolean
apply_target_init (ApplyTarget *target, gint32 drawable, GError **error)
{
  return check_item (drawable, error) && apply_target_describe (target, drawable, error);
}

gboolean
apply_target_describe (ApplyTarget *target, gint32 drawable, GError **error)
{
  memset (target, 0, sizeof *target);
  target->drawable = drawable;
  if (! find_format (target, error))
    return FALSE;
  target->width = gimp_drawable_width (drawable);
  target->height = gimp_drawable_height (drawable);
  target->coverage = gimp_item_is_channel (drawable);
  if (! target->coverage)
    set_curve (target);
  return TRUE;
}

gboolean
apply_target_check (const ApplyTarget *target, GError **error)
{
  gint32 drawable = target->drawable;
  char encoding[sizeof target->encoding];
  g_autofree char *name = NULL;

  get_encoding (drawable, encoding, sizeof encoding);
  if (! *encoding)
    return fx_set_error (error, APPLY_ERROR, APPLY_ERROR_CHANGED,
                         _ ("The drawable was removed while it was filtered"));
  if (strcmp (encoding, target->encoding) == 0 && gimp_drawable_width (drawable) == target->width &&
      gimp_drawable_height (drawable) == target->height)
    return TRUE;
  name = gimp_item_get_name (drawable);
  return fx_set_error (
    error, APPLY_ERROR, APPLY_ERROR_CHANGED,
    _ ("The size or the pixel format of '%s' was changed during the filter, so its "
       "result was discarded"),
    name);
}

/* Later failures. */

gboolean
apply_fail_gimp (GError **error)
{
  return fx_set_error (error, APPLY_ERROR, APPLY_ERROR_GIMP, "%s", gimp_get_pdb_error ());
}

/* GIMP's own message, which the next call replaces, is used if there is no better one. */
gboolean
apply_fail_target (const ApplyTarget *target, GError **error)
{
  g_autofree char *words = g_strdup (gimp_get_pdb_error ());
  ApplyTarget now;

  return apply_target_check (target, error) && apply_target_init (&now, target->drawable, error) &&
         fx_set_error (error, APPLY_ERROR, APPLY_ERROR_GIMP, "%s", words);
}

gboolean
apply_fail_grow (const ApplyTarget *target, GError **error)
{
  g_autofree char *name = gimp_item_get_name (target->drawable);

  return fx_set_error (error, APPLY_ERROR, APPLY_ERROR_CHANGED,
                       _ ("'%s' can no longer grow, so the result was discarded"), name);
}
