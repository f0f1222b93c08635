#include "designer-config.h"

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
  const char *name = filter_property_get_operation_name (property);
  g_autofree char *text = NULL;
  double number = 0.0;
  int whole = 0;

  switch (property->type)
    {
    case FILTER_NUMBER:
      g_object_get (config, name, &number, NULL);
      break;
    case FILTER_WHOLE_NUMBER:
      g_object_get (config, name, &whole, NULL);
      number = whole == 0 && property->bits ? take_bits (config, property) : whole;
      break;
    case FILTER_SWITCH:
      g_object_get (config, name, &whole, NULL);
      number = whole != (property->role == FILTER_ROLE_GROW);
      break;
    case FILTER_CHOICE:
    case FILTER_MATRIX:
      g_object_get (config, name, &text, NULL);
      if (text)
        filter_settings_parse (settings, index, text, NULL);
      return;
    }
  filter_settings_set (settings, index, number);
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
