#include "effect.h"

#include "matrix-text.h"
#include "target.h"
#include "trial.h"
#include "value.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* One effect. */

/* The operation has a switch for each bit. If the sum is 0, they count. */
static void
configure_bits (GimpDrawableFilterConfig *config, const FilterChoice *bits, int sum)
{
  for (int i = 0; bits[i].name; i++)
    g_object_set (config, bits[i].name, sum == 0 || sum >> i & 1, NULL);
}

static void
configure_property (GimpDrawableFilterConfig *config, FilterSettings *settings, guint i,
                    gboolean can_grow)
{
  const FilterProperty *property = &filter_settings_get_filter (settings)->properties[i];
  const char *name = filter_property_get_operation_name (property);
  g_autofree char *lines = NULL;

  if (property->type == FILTER_MATRIX)
    {
      lines = matrix_text_print (filter_settings_get_matrix (settings, i)); /* in GIMP's dialog */
      g_object_set (config, name, lines, NULL);
      return;
    }
  if (property->bits)
    configure_bits (config, property->bits, filter_settings_get_int (settings, i));
  if (property->role == FILTER_ROLE_GROW)
    filter_settings_set (settings, i, ! (can_grow && filter_settings_get_int (settings, i)));
  value_store (config, name, settings, i);
}

/* Masks and channels are coverage, which the operation cannot tell from gray pixels: what is stored
 * is to be filtered as it is, without highlights. */
static void
drop_light (FilterSettings *settings, GimpDrawable *drawable)
{
  const char *encoding = babl_format_get_encoding (gimp_drawable_get_format (drawable));
  FxLight stored = strpbrk (encoding, "'~") ? FX_LIGHT_PERCEPTUAL : FX_LIGHT_LINEAR;

  filter_settings_drop_light (settings, stored);
}

void
effect_configure (GimpDrawableFilter *effect, GimpDrawable *drawable,
                  const FilterSettings *settings)
{
  GimpDrawableFilterConfig *config = gimp_drawable_filter_get_config (effect);
  g_autoptr (FilterSettings) used = filter_settings_copy (settings);
  gboolean can_grow = target_can_grow (drawable);

  if (! GIMP_IS_LAYER (drawable))
    drop_light (used, drawable);
  for (guint i = 0; i < filter_settings_get_filter (settings)->n_properties; i++)
    configure_property (config, used, i, can_grow);
  gimp_drawable_filter_update (effect);
}

/* Returns the sum of bits that the switches for them give; all together are 0. */
static int
take_bits (GObject *config, const FilterProperty *property)
{
  int sum = 0, on;

  for (int i = 0; property->bits[i].name; i++)
    {
      g_object_get (config, property->bits[i].name, &on, NULL);
      sum |= on << i;
    }
  return sum == (int) property->maximum ? 0 : sum;
}

static void
take_property (GObject *config, FilterSettings *settings, guint index)
{
  const FilterProperty *property = &filter_settings_get_filter (settings)->properties[index];

  value_take (config, filter_property_get_operation_name (property), settings, index, NULL);
  if (property->bits && filter_settings_get_int (settings, index) == 0)
    filter_settings_set (settings, index, take_bits (config, property));
  if (property->role == FILTER_ROLE_GROW)
    filter_settings_set (settings, index, ! filter_settings_get_int (settings, index));
}

void
effect_get_settings (GimpDrawableFilter *effect, FilterSettings *settings)
{
  const FilterDescription *filter = filter_settings_get_filter (settings);
  GObject *config = G_OBJECT (gimp_drawable_filter_get_config (effect));

  for (guint i = 0; i < filter->n_properties; i++)
    take_property (config, settings, i);
}

/* GIMP lays a second input over the upper left corner of the drawable. */
static void
set_map (GimpDrawableFilter *effect, GimpDrawable *drawable, GimpDrawable *map)
{
  int x, y, map_x, map_y;

  gimp_drawable_get_offsets (drawable, &x, &y);
  gimp_drawable_get_offsets (map, &map_x, &map_y);
  gimp_drawable_filter_set_aux_input (effect, "aux", map);
  g_object_set (gimp_drawable_filter_get_config (effect), "map-x", map_x - x, "map-y", map_y - y,
                NULL);
}

static GimpDrawableFilter *
make_effect (GimpDrawable *drawable, GimpDrawable *map, const FilterSettings *settings,
             GError **error)
{
  const char *operation = filter_settings_get_filter (settings)->operation;
  GimpDrawableFilter *effect = gimp_drawable_filter_new (drawable, operation, "");

  if (effect && map)
    set_map (effect, drawable, map);
  if (effect)
    effect_configure (effect, drawable, settings);
  else
    g_set_error (error, TARGET_ERROR, TARGET_ERROR_GIMP,
                 _ ("The operation %s is not installed in GIMP's core"), operation);
  return effect;
}

static gboolean
commit (GimpDrawableFilter *effect, GimpDrawable *drawable, gboolean as_effect, GError **error)
{
  if (as_effect)
    gimp_drawable_append_filter (drawable, effect);
  else
    gimp_drawable_merge_filter (drawable, effect);
  return target_check_call (error);
}

/* Several drawables. */

static gboolean
check_drawables (GimpDrawable *const *drawables, GimpImage *image, gboolean as_effect,
                 GError **error)
{
  if (! drawables[0])
    return fx_refuse (error, _ ("drawables is empty, but must have at least one drawable"));
  for (; *drawables; drawables++)
    if (! target_check (*drawables, image, as_effect, error))
      return FALSE;
  return TRUE;
}

static gboolean
check_map (GimpDrawable *map, const FilterSettings *settings, GError **error)
{
  return map || ! filter_settings_get_filter (settings)->map.label ||
         fx_refuse (error, _ ("map is missing, but must be a layer, a layer mask or a channel"));
}

/* Returns those of drawables that settings change, each once, or NULL with error. */
static GPtrArray *
find_changed (GimpDrawable *const *drawables, const FilterSettings *settings, GError **error)
{
  g_autoptr (GPtrArray) changed = g_ptr_array_new ();
  gboolean identity = trial_is_identity (settings), selected;

  for (; *drawables; drawables++)
    {
      if (! target_get_selected (*drawables, &selected, error))
        return NULL;
      if (selected && ! identity && ! g_ptr_array_find (changed, *drawables, NULL))
        g_ptr_array_add (changed, *drawables);
    }
  return g_steal_pointer (&changed);
}

static void
delete_effects (GPtrArray *effects, guint first)
{
  for (guint i = first; i < effects->len; i++)
    gimp_drawable_filter_delete (effects->pdata[i]);
}

/* Returns an effect for each of the drawables, or NULL with error. */
static GPtrArray *
make_effects (GPtrArray *drawables, GimpDrawable *map, const FilterSettings *settings,
              GError **error)
{
  g_autoptr (GPtrArray) effects = g_ptr_array_new ();

  for (guint i = 0; i < drawables->len; i++)
    {
      GimpDrawableFilter *effect = make_effect (drawables->pdata[i], map, settings, error);

      if (! effect)
        {
          delete_effects (effects, 0);
          return NULL;
        }
      g_ptr_array_add (effects, effect);
    }
  return g_steal_pointer (&effects);
}

/* An undo step for one drawable is GIMP's own, so that there is none if GIMP refuses. */
static gboolean
commit_all (GimpImage *image, GPtrArray *drawables, GPtrArray *effects, gboolean as_effect,
            GError **error)
{
  gboolean group = effects->len > 1, done = TRUE;
  guint i;

  if (group)
    gimp_image_undo_group_start (image);
  for (i = 0; i < effects->len && done; i++)
    done = commit (effects->pdata[i], drawables->pdata[i], as_effect, error);
  if (! done)
    delete_effects (effects, i - 1);
  if (group)
    gimp_image_undo_group_end (image);
  return done;
}

gboolean
effect_apply (GimpImage *image, GimpDrawable *const *drawables, GimpDrawable *map,
              const FilterSettings *settings, gboolean as_effect, GError **error)
{
  g_autoptr (GPtrArray) changed = NULL, effects = NULL;

  if (! check_drawables (drawables, image, as_effect, error) || ! check_map (map, settings, error))
    return FALSE;
  changed = find_changed (drawables, settings, error);
  if (! changed || (changed->len > 0 && ! trial_check_device (settings, error)))
    return FALSE;
  effects = make_effects (changed, map, settings, error);
  return effects && commit_all (image, changed, effects, as_effect, error);
}
