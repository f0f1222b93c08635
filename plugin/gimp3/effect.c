#include "effect.h"

#include "target.h"

#include <glib/gi18n-lib.h>

G_DEFINE_QUARK (cuda_blur_effect_error_quark, effect_error)

/* One effect. */

static void
configure_property (GimpDrawableFilterConfig *config, const FilterSettings *settings, guint i)
{
  const FilterProperty *property = &filter_settings_get_filter (settings)->properties[i];
  const char *name = filter_property_get_operation_name (property);
  g_autofree char *text = NULL;

  switch (property->type)
    {
    case FILTER_NUMBER:
      g_object_set (config, name, filter_settings_get (settings, i), NULL);
      break;
    case FILTER_WHOLE_NUMBER:
      g_object_set (config, name, filter_settings_get_int (settings, i), NULL);
      break;
    case FILTER_SWITCH:
      g_object_set (config, name,
                    filter_settings_get_int (settings, i) != (property->role == FILTER_ROLE_GROW),
                    NULL);
      break;
    case FILTER_CHOICE:
    case FILTER_MATRIX:
      text = filter_settings_print (settings, i);
      g_object_set (config, name, text, NULL);
      break;
    }
}

void
effect_configure (GimpDrawableFilter *effect, const FilterSettings *settings)
{
  GimpDrawableFilterConfig *config = gimp_drawable_filter_get_config (effect);
  guint i;

  for (i = 0; i < filter_settings_get_filter (settings)->n_properties; i++)
    configure_property (config, settings, i);
  gimp_drawable_filter_update (effect);
}

GimpDrawableFilter *
effect_new (GimpDrawable *drawable, const FilterSettings *settings, GError **error)
{
  const char *operation = filter_settings_get_filter (settings)->operation;
  GimpDrawableFilter *effect = gimp_drawable_filter_new (drawable, operation, "");

  if (effect)
    effect_configure (effect, settings);
  else
    g_set_error (error, EFFECT_ERROR, EFFECT_ERROR_GIMP,
                 _ ("The operation %s is not installed in GIMP's core"), operation);
  return effect;
}

/* Several effects. */

static void
delete_effects (GPtrArray *effects)
{
  guint i;

  for (i = 0; i < effects->len; i++)
    gimp_drawable_filter_delete (effects->pdata[i]);
}

/* Returns an effect for each of the drawables, or NULL with error. */
static GPtrArray *
make_effects (GimpDrawable *const *drawables, const FilterSettings *settings, GError **error)
{
  g_autoptr (GPtrArray) effects = g_ptr_array_new ();

  for (; *drawables; drawables++)
    {
      GimpDrawableFilter *effect = effect_new (*drawables, settings, error);

      if (! effect)
        {
          delete_effects (effects);
          return NULL;
        }
      g_ptr_array_add (effects, effect);
    }
  return g_steal_pointer (&effects);
}

static gboolean
check_last_call (GError **error)
{
  GimpPDB *pdb = gimp_get_pdb ();

  if (gimp_pdb_get_last_status (pdb) == GIMP_PDB_SUCCESS)
    return TRUE;
  g_set_error_literal (error, EFFECT_ERROR, EFFECT_ERROR_GIMP, gimp_pdb_get_last_error (pdb));
  return FALSE;
}

/* Returns whether the settings change no pixel, whatever the format. */
static gboolean
is_identity (const FilterSettings *settings)
{
  const FxFormat format = { .sample = FX_SAMPLE_FLOAT, .channels = 4 };
  g_autoptr (FxPlan)
    plan = filter_settings_get_filter (settings)->make_plan (settings, &format, FALSE);

  return plan->identity;
}

static gboolean
commit (GimpDrawable *drawable, GimpDrawableFilter *effect, gboolean as_effect, GError **error)
{
  if (as_effect)
    gimp_drawable_append_filter (drawable, effect);
  else
    gimp_drawable_merge_filter (drawable, effect);
  return check_last_call (error);
}

static gboolean
commit_all (GimpDrawable *const *drawables, GPtrArray *effects, gboolean as_effect, GError **error)
{
  GimpImage *image = gimp_item_get_image (GIMP_ITEM (drawables[0]));
  gboolean done = TRUE;
  guint i;

  gimp_image_undo_group_start (image);
  for (i = 0; i < effects->len && done; i++)
    done = commit (drawables[i], effects->pdata[i], as_effect, error);
  gimp_image_undo_group_end (image);
  return done;
}

gboolean
effect_apply (GimpDrawable *const *drawables, const FilterSettings *settings, gboolean as_effect,
              GError **error)
{
  g_autoptr (GPtrArray) effects = NULL;
  guint i;

  for (i = 0; drawables[i]; i++)
    if (! target_check (drawables[i], as_effect, error))
      return FALSE;
  if (i == 0 || is_identity (settings))
    return TRUE;
  effects = make_effects (drawables, settings, error);
  return effects && commit_all (drawables, effects, as_effect, error);
}
