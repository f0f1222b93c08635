#include "target.h"

#include "effect.h"

#include <glib/gi18n-lib.h>

static gboolean target_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
target_refuse (GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error_literal (error, EFFECT_ERROR, EFFECT_ERROR_REFUSED, message);
  return FALSE;
}

/* Returns the item that carries the lock, or NULL. A mask is locked with its layer, and a layer
 * with the group around it, but each of them itself reads as unlocked. */
static GimpItem *
target_find_lock (GimpItem *item)
{
  if (GIMP_IS_LAYER_MASK (item))
    item = GIMP_ITEM (gimp_layer_from_mask (GIMP_LAYER_MASK (item)));
  while (item && ! gimp_item_get_lock_content (item))
    item = gimp_item_get_parent (item);
  return item;
}

static gboolean
check_unlocked (GimpItem *item, const char *name, GError **error)
{
  GimpItem *lock = target_find_lock (item);
  g_autofree char *locked = NULL;

  if (! lock)
    return TRUE;
  if (lock == item)
    return target_refuse (error,
                          _ ("drawable is '%s', whose pixels are locked, but must be unlocked"),
                          name);
  locked = gimp_item_get_name (lock);
  return target_refuse (error,
                        _ ("drawable is '%s', which is part of '%s', whose pixels are locked, but "
                           "must be unlocked"),
                        name, locked);
}

gboolean
target_check (GimpDrawable *drawable, gboolean as_effect, GError **error)
{
  GimpItem *item = GIMP_ITEM (drawable);
  g_autofree char *name = gimp_item_get_name (item);

  return check_unlocked (item, name, error);
}
