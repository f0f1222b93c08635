#include "apply-merge.h"

#include "rectangle.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>

static gboolean
give_up (const ApplyTarget *target, ApplyError code, const char *format, GError **error)
{
  g_autofree char *name = gimp_item_get_name (target->drawable);

  return fx_set_error (error, APPLY_ERROR, (int) code, format, name);
}

gboolean
apply_get_selected (const ApplyTarget *target, FxRect *rect, GError **error)
{
  if (gimp_drawable_mask_intersect (target->drawable, &rect->x, &rect->y, &rect->width,
                                    &rect->height))
    return TRUE;
  *rect = (FxRect) { 0 };
  return gimp_get_pdb_status () == GIMP_PDB_SUCCESS || apply_fail_target (target, error);
}

/* GIMP merges what is selected at that moment; pixels of it that were not written are empty in the
 * shadow. If the selected part is the written part, nothing has moved. If it is smaller, the target
 * may have changed as well. */
static gboolean
check_selected (const ApplyTarget *target, const FxRect *selected, const FxRect *written,
                gboolean all, GError **error)
{
  if (rect_equal (selected, written))
    return TRUE;
  if (! all && rect_contains (written, selected))
    return apply_target_check (target, error);
  return give_up (
    target, APPLY_ERROR_CHANGED,
    _ ("The selection was changed while '%s' was filtered, so the result was discarded"), error);
}

static gboolean
check_shadow (const ApplyTarget *target, Tiles *tiles, GError **error)
{
  return tiles_check_shadow (tiles) || give_up (target, APPLY_ERROR_CHANGED,
                                                _ ("Another command or filter changed '%s' during "
                                                   "the filter, so its result was discarded"),
                                                error);
}

/* A layer that grows gets the whole result only if its alpha can be changed. */
static gboolean
check_alpha (const ApplyTarget *target, GError **error)
{
  return target->coverage || apply_target_can_change_alpha (target) ||
         apply_fail_grow (target, error);
}

/* GIMP does not merge into a locked drawable. */
static gboolean
merge_shadow (const ApplyTarget *target, GError **error)
{
  return gimp_drawable_merge_shadow (target->drawable, TRUE) || apply_fail_target (target, error);
}

/* The user may change something between any two messages, also just before the merge; that can be
 * seen only after it. */
static gboolean
check_merged (const ApplyTarget *target, const FxRect *selected, GError **error)
{
  FxRect now;

  if (! apply_get_selected (target, &now, NULL) || rect_equal (&now, selected))
    return TRUE;
  return give_up (target, APPLY_ERROR_LATE,
                  _ ("The selection or the size of '%s' was changed while the result was put into "
                     "it: undo this step if something is missing"),
                  error);
}

gboolean
apply_merge (const ApplyTarget *target, Tiles **tiles, const FxRect *written, gboolean all,
             GError **error)
{
  gint32 drawable = target->drawable;
  FxRect selected;
  gboolean done;

  tiles_flush (*tiles);
  /* The things most easily changed are checked last. */
  done = apply_target_check (target, error) && (! all || check_alpha (target, error)) &&
         check_shadow (target, *tiles, error) && apply_get_selected (target, &selected, error) &&
         check_selected (target, &selected, written, all, error) && merge_shadow (target, error);
  if (! done)
    tiles_free_shadow (*tiles);
  g_clear_pointer (tiles, tiles_close);
  if (! done)
    return FALSE;
  done = check_merged (target, &selected, error);
  gimp_drawable_update (drawable, written->x, written->y, written->width, written->height);
  return done;
}
