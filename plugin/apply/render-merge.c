#include "render-merge.h"

#include "rectangle.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>

static gboolean
give_up (const RenderTarget *target, RenderError code, const char *format, GError **error)
{
  g_autofree char *name = gimp_item_get_name (target->drawable);

  g_set_error (error, RENDER_ERROR, (int) code, format, name);
  return FALSE;
}

gboolean
render_get_selected (const RenderTarget *target, FxRect *rect, GError **error)
{
  if (gimp_drawable_mask_intersect (target->drawable, &rect->x, &rect->y, &rect->width,
                                    &rect->height))
    return TRUE;
  *rect = (FxRect) { 0 };
  return gimp_get_pdb_status () == GIMP_PDB_SUCCESS ||
         (render_target_check (target, error) && render_fail_gimp (error));
}

/* GIMP merges what is selected then, and what of that was not written is empty in the
 * shadow. Where it is what was written, nothing has moved; where it is less, the target may
 * be another as well. */
static gboolean
check_selected (const RenderTarget *target, const FxRect *selected, const FxRect *written,
                gboolean all, GError **error)
{
  if (rect_equal (selected, written))
    return TRUE;
  if (! all && rect_contains (written, selected))
    return render_target_check (target, error);
  return give_up (
    target, RENDER_ERROR_CHANGED,
    _("The selection was changed while '%s' was filtered, so the result was given up"), error);
}

static gboolean
check_shadow (const RenderTarget *target, Tiles *tiles, GError **error)
{
  return tiles_check_shadow (tiles) ||
         give_up (target, RENDER_ERROR_CHANGED,
                  _("Another command or filter changed '%s' meanwhile, so the result was given up"),
                  error);
}

/* All gets through to a layer that grows, where its alpha is not held. */
static gboolean
check_alpha (const RenderTarget *target, GError **error)
{
  return target->coverage || render_target_can_change_alpha (target) ||
         render_fail_grow (target, error);
}

/* GIMP does not merge into what is locked, and says so itself where there is nothing better
   to say. */
static gboolean
merge (const RenderTarget *target, GError **error)
{
  g_autofree char *words = NULL;
  RenderTarget now;

  if (gimp_drawable_merge_shadow (target->drawable, TRUE))
    return TRUE;
  words = g_strdup (gimp_get_pdb_error ());
  if (render_target_check (target, error) && render_target_init (&now, target->drawable, error))
    g_set_error_literal (error, RENDER_ERROR, RENDER_ERROR_GIMP, words);
  return FALSE;
}

/* A hand may come in between any two messages, thus before that of the merge too, which is seen
 * only after it. */
static gboolean
check_merged (const RenderTarget *target, const FxRect *selected, GError **error)
{
  FxRect now;

  if (! render_get_selected (target, &now, NULL) || rect_equal (&now, selected))
    return TRUE;
  return give_up (target, RENDER_ERROR_LATE,
                  _("The selection or the size of '%s' was changed while the result was put into "
                    "it: undo this step if something is missing"),
                  error);
}

gboolean
render_merge (const RenderTarget *target, Tiles **tiles, const FxRect *written, gboolean all,
              GError **error)
{
  gint32 drawable = target->drawable;
  FxRect selected;
  gboolean done;

  tiles_flush (*tiles);
  /* What is changed most easily is asked for last. */
  done = render_target_check (target, error) && (! all || check_alpha (target, error)) &&
         check_shadow (target, *tiles, error) && render_get_selected (target, &selected, error) &&
         check_selected (target, &selected, written, all, error) && merge (target, error);
  if (! done)
    tiles_free_shadow (*tiles);
  g_clear_pointer (tiles, tiles_close);
  if (! done)
    return FALSE;
  done = check_merged (target, &selected, error);
  gimp_drawable_update (drawable, written->x, written->y, written->width, written->height);
  return done;
}
