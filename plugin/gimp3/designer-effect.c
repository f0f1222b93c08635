#include "designer-effect.h"

#include "designer-config.h"
#include "effect.h"
#include "trial.h"
#include "undo-freeze.h"

#include <glib/gi18n-lib.h>

#define PATIENCE 500 /* milliseconds between updates at most */

struct DesignerEffect {
  const FilterDescription *filter;
  GimpImage *image;
  GimpDrawable *drawable;
  GimpDrawableFilter *effect; /* libgimp's; NULL: it is kept */
  gboolean added;             /* the layer has got the effect, or had it before */
  gboolean edited;            /* it had it before */
  gboolean was_visible;
  GimpConfig *before;     /* the configuration of the effect that is edited, or NULL */
  FilterSettings *wanted; /* the newest settings, or NULL: to be hidden */
  gboolean clean;         /* the image has had no unsaved changes since the start */
  guint updating;         /* the main loop's source that updates the effect, or 0 */
  guint pause;            /* milliseconds that GIMP needed for the last update */
};

const char *
designer_effect_get_refusal (GimpDrawable *drawable)
{
  GimpImage *image = gimp_item_get_image (GIMP_ITEM (drawable));

  if (gimp_item_is_layer_mask (GIMP_ITEM (drawable)))
    return _ ("The canvas can show a preview of a layer, but not of a layer mask");
  if (! gimp_item_is_layer (GIMP_ITEM (drawable)))
    return _ ("The canvas can show a preview of a layer, but not of a channel");
  if (gimp_layer_is_floating_sel (GIMP_LAYER (drawable)))
    return _ ("The canvas cannot show a preview of a floating selection: anchor it first");
  if (gimp_image_get_floating_sel (image))
    return _ ("The canvas cannot show a preview beside a floating selection: anchor it first");
  return NULL;
}

/* The effect that is there. */

static gboolean
is_ours (GimpDrawableFilter *effect, const FilterDescription *filter)
{
  g_autofree char *name = gimp_drawable_filter_get_operation_name (effect);

  return g_strcmp0 (name, filter->operation) == 0;
}

/* GIMP lists the topmost effect first. */
static GimpDrawableFilter *
find_effect (GimpDrawable *drawable, const FilterDescription *filter)
{
  g_autofree GimpDrawableFilter **effects = gimp_drawable_get_filters (drawable);
  int i;

  for (i = 0; effects && effects[i]; i++)
    if (is_ours (effects[i], filter))
      return effects[i];
  return NULL;
}

/* libgimp sends opacity and mode with each update, but does not know those of an effect that it has
 * not made. */
static void
take_effect (DesignerEffect *effect, GimpDrawableFilter *found, FilterSettings *settings)
{
  effect->effect = found;
  effect->added = effect->edited = TRUE;
  effect->was_visible = gimp_drawable_filter_get_visible (found);
  gimp_drawable_filter_set_opacity (found, gimp_drawable_filter_get_opacity (found));
  gimp_drawable_filter_set_blend_mode (found, gimp_drawable_filter_get_blend_mode (found));
  designer_config_get (found, settings);
  effect->before = gimp_config_duplicate (GIMP_CONFIG (gimp_drawable_filter_get_config (found)));
}

DesignerEffect *
designer_effect_new (GimpDrawable *drawable, FilterSettings *settings, GError **error)
{
  DesignerEffect *effect = g_new0 (DesignerEffect, 1);
  GimpDrawableFilter *found;

  effect->filter = filter_settings_get_filter (settings);
  effect->image = gimp_item_get_image (GIMP_ITEM (drawable));
  effect->drawable = drawable;
  effect->clean = TRUE;
  found = find_effect (drawable, effect->filter);
  if (found)
    take_effect (effect, found, settings);
  else
    effect->effect = effect_new (drawable, settings, error);
  if (effect->effect)
    return effect;
  designer_effect_free (effect);
  return NULL;
}

gboolean
designer_effect_is_edited (const DesignerEffect *effect)
{
  return effect->edited;
}

/* Changes. */

/* The user may have removed the layer or the effect. It is then still valid for its undo step,
 * which GIMP 3.0.4 breaks if the effect is deleted once more. */
static gboolean
is_there (const DesignerEffect *effect)
{
  g_autofree GimpDrawableFilter **effects = NULL;
  int i;

  if (! effect->added || ! gimp_item_is_valid (GIMP_ITEM (effect->drawable)))
    return FALSE;
  effects = gimp_drawable_get_filters (effect->drawable);
  for (i = 0; effects && effects[i]; i++)
    if (effects[i] == effect->effect)
      return TRUE;
  return FALSE;
}

static void
add_effect (DesignerEffect *effect)
{
  if (! gimp_item_is_valid (GIMP_ITEM (effect->drawable)))
    return;
  effect_configure (effect->effect, effect->drawable, effect->wanted);
  undo_freeze (effect->image, &effect->clean);
  effect->added = effect_commit (effect->effect, effect->drawable, TRUE, NULL);
  undo_thaw (effect->image, effect->clean);
}

/* GIMP itself draws nothing where the effect no longer is. */
static void
show_effect (DesignerEffect *effect, gboolean visible)
{
  if (gimp_drawable_filter_get_visible (effect->effect) == visible)
    return;
  gimp_drawable_filter_set_visible (effect->effect, visible);
  gimp_drawable_update (effect->drawable, 0, 0, gimp_drawable_get_width (effect->drawable),
                        gimp_drawable_get_height (effect->drawable));
}

static void
update_effect (DesignerEffect *effect)
{
  if (is_there (effect))
    {
      if (effect->wanted)
        effect_configure (effect->effect, effect->drawable, effect->wanted);
      show_effect (effect, effect->wanted != NULL);
    }
  else if (effect->wanted && ! effect->added)
    add_effect (effect);
  gimp_displays_flush ();
}

/* GIMP answers only when it has drawn the last update, and nobody can type while this process
 * waits. So it is given as much time as it needed before. */
static gboolean
designer_effect_update (gpointer data)
{
  DesignerEffect *effect = data;
  gint64 start = g_get_monotonic_time ();

  effect->updating = 0;
  update_effect (effect);
  effect->pause = (guint) MIN ((g_get_monotonic_time () - start) / 1000, PATIENCE);
  return G_SOURCE_REMOVE;
}

void
designer_effect_show (DesignerEffect *effect, const FilterSettings *settings)
{
  filter_settings_free (effect->wanted);
  effect->wanted = settings ? filter_settings_copy (settings) : NULL;
  if (! effect->updating)
    effect->updating = g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE, effect->pause,
                                           designer_effect_update, effect, NULL);
}

static void
stop_updating (DesignerEffect *effect)
{
  if (effect->updating)
    g_source_remove (effect->updating);
  effect->updating = 0;
}

/* The end. */

static void
remove_effect (DesignerEffect *effect)
{
  if (! effect->added && effect->effect)
    gimp_drawable_filter_delete (effect->effect);
  else if (is_there (effect))
    {
      undo_freeze (effect->image, &effect->clean);
      gimp_drawable_filter_delete (effect->effect);
      undo_thaw (effect->image, effect->clean);
    }
  effect->effect = NULL;
}

static void
restore_effect (DesignerEffect *effect)
{
  if (! is_there (effect))
    return;
  gimp_config_copy (effect->before, GIMP_CONFIG (gimp_drawable_filter_get_config (effect->effect)),
                    0);
  gimp_drawable_filter_update (effect->effect);
  show_effect (effect, effect->was_visible);
}

/* No undo step can be made of a change to an effect, but it is an unsaved change. */
static gboolean
keep_edited (DesignerEffect *effect, const FilterSettings *settings, GError **error)
{
  if (! trial_check_device (settings, error))
    return FALSE;
  effect_configure (effect->effect, effect->drawable, settings);
  show_effect (effect, TRUE);
  undo_freeze (effect->image, &effect->clean);
  undo_thaw (effect->image, FALSE);
  effect->effect = NULL;
  return TRUE;
}

gboolean
designer_effect_keep (DesignerEffect *effect, const FilterSettings *settings, gboolean as_effect,
                      GError **error)
{
  GimpDrawable *const drawables[] = { effect->drawable, NULL };

  stop_updating (effect);
  if (effect->edited && is_there (effect))
    return keep_edited (effect, settings, error);
  /* The effect so far has no undo step: another one takes its place. */
  remove_effect (effect);
  return effect_apply (effect->image, drawables, settings, as_effect, error);
}

void
designer_effect_free (DesignerEffect *effect)
{
  if (! effect)
    return;
  stop_updating (effect);
  if (effect->edited)
    restore_effect (effect);
  else
    remove_effect (effect);
  g_clear_object (&effect->before);
  filter_settings_free (effect->wanted);
  g_free (effect);
}
