#include "designer-config.h"

#include "value.h"

/* Returns the sum of bits that the switches for them give; all together are 0. */
static int
take_bits (GObject *config, const FilterProperty *property)
{
  int sum = 0, on, i;

  for (i = 0; property->bits[i].name; i++)
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
designer_config_get (GimpDrawableFilter *effect, FilterSettings *settings)
{
  const FilterDescription *filter = filter_settings_get_filter (settings);
  GObject *config = G_OBJECT (gimp_drawable_filter_get_config (effect));
  guint i;

  for (i = 0; i < filter->n_properties; i++)
    take_property (config, settings, i);
}
