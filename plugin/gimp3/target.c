#include "target.h"

#include "error.h"

#include <glib/gi18n-lib.h>

G_DEFINE_QUARK (cuda_blur_target_error_quark, target_error)

#define refuse(error, ...) fx_set_error (error, TARGET_ERROR, TARGET_ERROR_REFUSED, __VA_ARGS__)

/* Returns the item that carries the lock, or NULL. A mask is locked with its layer, and a layer
 * with the group around it, but each of them itself reads as unlocked. */
static GimpItem *
target_find_lock (GimpItem *item, gboolean (*is_locked) (GimpItem *item))
{
  if (GIMP_IS_LAYER_MASK (item))
    item = GIMP_ITEM (gimp_layer_from_mask (GIMP_LAYER_MASK (item)));
  while (item && ! is_locked (item))
    item = gimp_item_get_parent (item);
  return item;
}

static gboolean
check_unlocked (GimpItem *item, const char *name, GError **error)
{
  GimpItem *lock = target_find_lock (item, gimp_item_get_lock_content);
  g_autofree char *locked = NULL;

  if (! lock)
    return TRUE;
  if (lock == item)
    return refuse (error, _ ("drawable is '%s', whose pixels are locked, but must be unlocked"),
                   name);
  locked = gimp_item_get_name (lock);
  return refuse (error,
                 _ ("drawable is '%s', which is part of '%s', whose pixels are locked, but "
                    "must be unlocked"),
                 name, locked);
}

static gboolean
target_check_image (GimpItem *item, GimpImage *image, GError **error)
{
  GimpImage *owner = gimp_item_get_image (item);

  if (owner == image)
    return TRUE;
  return refuse (error, _ ("image is %d, but must be %d, which the drawable belongs to"),
                 gimp_image_get_id (image), gimp_image_get_id (owner));
}

/* An effect of an indexed layer computes in RGB, and its palette stays. GIMP would blur a group's
 * projection, which is lost with the next change in the group. */
static gboolean
check_kind (GimpDrawable *drawable, gboolean as_effect, const char *name, GError **error)
{
  if (! as_effect && gimp_drawable_is_indexed (drawable))
    return refuse (error, _ ("drawable is '%s', which is indexed, but must be RGB or grayscale"),
                   name);
  if (as_effect && ! GIMP_IS_LAYER (drawable))
    return refuse (error, _ ("drawable is '%s', which cannot have effects, but must be a layer"),
                   name);
  if (! as_effect && gimp_item_is_group (GIMP_ITEM (drawable)))
    return refuse (error,
                   _ ("drawable is '%s', which is a layer group, but must be a layer, a "
                      "layer mask or a channel"),
                   name);
  return TRUE;
}

gboolean
target_check (GimpDrawable *drawable, GimpImage *image, gboolean as_effect, GError **error)
{
  GimpItem *item = GIMP_ITEM (drawable);
  g_autofree char *name = gimp_item_get_name (item);

  return target_check_image (item, image, error) && check_kind (drawable, as_effect, name, error) &&
         check_unlocked (item, name, error);
}

gboolean
target_get_selected (GimpDrawable *drawable, gboolean *selected, GError **error)
{
  int x, y, width, height;

  *selected = gimp_drawable_mask_intersect (drawable, &x, &y, &width, &height);
  return target_check_call (error);
}

gboolean
target_check_call (GError **error)
{
  GimpPDB *pdb = gimp_get_pdb ();

  if (gimp_pdb_get_last_status (pdb) == GIMP_PDB_SUCCESS)
    return TRUE;
  return fx_set_error (error, TARGET_ERROR, TARGET_ERROR_GIMP, "%s", gimp_pdb_get_last_error (pdb));
}

/* A deleted item is still valid for its undo step, but has no place among its siblings. The
 * selection never has one. */
gboolean
target_is_there (GimpDrawable *drawable, GimpImage *image)
{
  GimpItem *item = GIMP_ITEM (drawable);

  if (! gimp_image_is_valid (image) || ! gimp_item_is_valid (item))
    return FALSE;
  if (GIMP_IS_SELECTION (item))
    return TRUE;
  if (GIMP_IS_LAYER_MASK (item))
    item = GIMP_ITEM (gimp_layer_from_mask (GIMP_LAYER_MASK (item)));
  if (! item)
    return FALSE;
  gimp_image_get_item_position (image, item);
  return target_check_call (NULL);
}

gboolean
target_can_grow (GimpDrawable *drawable)
{
  GimpItem *item = GIMP_ITEM (drawable);

  return GIMP_IS_LAYER (drawable) && gimp_drawable_has_alpha (drawable) &&
         ! gimp_layer_get_lock_alpha (GIMP_LAYER (drawable)) &&
         ! target_find_lock (item, gimp_item_get_lock_position) &&
         gimp_selection_is_empty (gimp_item_get_image (item));
}
