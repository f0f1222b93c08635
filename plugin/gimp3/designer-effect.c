#include "designer-effect.h"

#include "effect.h"
#include "trial.h"
#include "undo-freeze.h"

static gboolean
is_ours (GimpDrawableFilter *effect, const FilterDescription *filter)
{
  g_autofree char *name = gimp_drawable_filter_get_operation_name (effect);

  return g_strcmp0 (name, filter->operation) == 0;
}

GPtrArray *
designer_effect_find (GimpDrawable *drawable, const FilterDescription *filter)
{
  g_autofree GimpDrawableFilter **effects = gimp_drawable_get_filters (drawable);
  GPtrArray *found = g_ptr_array_new ();

  for (int i = 0; effects && effects[i]; i++)
    if (is_ours (effects[i], filter))
      g_ptr_array_add (found, effects[i]);
  return found;
}

gboolean
designer_effect_is_there (GimpDrawable *drawable, const GimpDrawableFilter *effect)
{
  g_autofree GimpDrawableFilter **effects = gimp_drawable_get_filters (drawable);

  for (int i = 0; effects && effects[i]; i++)
    if (effects[i] == effect)
      return TRUE;
  return FALSE;
}

/* GIMP itself draws nothing where a hidden effect becomes visible. */
static void
make_visible (GimpDrawableFilter *effect, GimpDrawable *drawable)
{
  if (gimp_drawable_filter_get_visible (effect))
    return;
  gimp_drawable_filter_set_visible (effect, TRUE);
  gimp_drawable_update (drawable, 0, 0, gimp_drawable_get_width (drawable),
                        gimp_drawable_get_height (drawable));
}

/* Without an undo step, GIMP itself counts nothing as unsaved. */
static void
mark_unsaved (GimpImage *image)
{
  gboolean clean = FALSE;

  undo_freeze (image, &clean);
  undo_thaw (image, FALSE);
}

/* libgimp sends opacity and mode with each update, but does not know those of an effect that it has
 * not made. */
gboolean
designer_effect_edit (GimpDrawableFilter *effect, GimpDrawable *drawable,
                      const FilterSettings *settings, GError **error)
{
  if (! trial_check_device (settings, error))
    return FALSE;
  gimp_drawable_filter_set_opacity (effect, gimp_drawable_filter_get_opacity (effect));
  gimp_drawable_filter_set_blend_mode (effect, gimp_drawable_filter_get_blend_mode (effect));
  effect_configure (effect, drawable, settings);
  make_visible (effect, drawable);
  mark_unsaved (gimp_item_get_image (GIMP_ITEM (drawable)));
  return TRUE;
}
