/* Plans of every filter: whatever its settings, its map, the format and the picture's place, there
 * is a plan if they are valid, and only then. What the settings say of themselves is in range. */
#include "filters.h"
#include "plans.h"

#include <math.h>

#define SIDE       33   /* of the filter's picture */
#define MATRIX_MAX 1023 /* rows and columns */

static const FilterDescription *
take_filter (FuzzInput *input)
{
  int n = 0;

  while (filters[n])
    n++;
  return filters[fuzz_take_byte (input) % n];
}

/* One byte says what a value is; so settings are the initial ones beyond the end of an input. */

static double
take_number (FuzzInput *input, const FilterProperty *property)
{
  double least = property->minimum, most = property->maximum, value = property->initial;
  gboolean whole = property->type == FILTER_WHOLE_NUMBER;

  switch (fuzz_take_byte (input) & 3)
    {
    case 1:
      value = least + (most - least) * fuzz_take_byte (input) / 255.0;
      break;
    case 2: /* small: plans of large numbers may take a thousand times as long */
      value = CLAMP (fuzz_take_signed_byte (input) / 8.0, least, most);
      break;
    case 3:
      value = whole ? fuzz_take_int (input) : fuzz_take_double (input);
    }
  return whole ? floor (value) : value;
}

/* Switches and the device are no parameters of the engine, so they get valid values only. */
static double
take_choice (FuzzInput *input, const FilterProperty *property)
{
  const FilterChoice *choices = filter_property_get_choices (property);
  guint8 kind = fuzz_take_byte (input) & 3;
  int n = 0;

  while (choices[n].name)
    n++;
  if (kind == 3 && property->type == FILTER_CHOICE && property->role != FILTER_ROLE_DEVICE)
    return fuzz_take_int (input);
  return kind ? fuzz_take_byte (input) % n : property->initial;
}

static int
take_size (FuzzInput *input, guint8 kind)
{
  return kind & 4 ? fuzz_take_int (input) : fuzz_take_byte (input) % 64 | 1;
}

/* Values as matrices have them, or any. If the size is out of range, there are none. */
static void
take_matrix (FuzzInput *input, FilterSettings *settings, guint property)
{
  static double values[MATRIX_MAX * MATRIX_MAX];
  guint8 kind = fuzz_take_byte (input);
  int rows = take_size (input, kind), columns = take_size (input, kind), n = 0;
  g_autoptr (FilterMatrix) matrix = NULL;

  if (MIN (rows, columns) >= 1 && MAX (rows, columns) <= MATRIX_MAX)
    n = rows * columns;
  for (int i = 0; i < n; i++)
    values[i] = kind & 1   ? fuzz_take_double (input)
                : kind & 2 ? fuzz_take_short (input) / 256.0
                           : fuzz_take_signed_byte (input);
  matrix = filter_matrix_new (rows, columns, n, values);
  filter_settings_set_matrix (settings, property, matrix);
}

static FilterSettings *
take_settings (FuzzInput *input, const FilterDescription *filter)
{
  FilterSettings *settings = filter_settings_new (filter);

  for (guint i = 0; i < filter->n_properties; i++)
    {
      const FilterProperty *property = &filter->properties[i];

      if (property->type == FILTER_MATRIX)
        take_matrix (input, settings, i);
      else
        filter_settings_set (settings, i,
                             filter_property_get_choices (property)
                               ? take_choice (input, property)
                               : take_number (input, property));
    }
  return settings;
}

/* Returns whether the map is valid. */
static gboolean
take_map (FuzzInput *input, FilterSettings *settings)
{
  int width = fuzz_take_byte (input), height = fuzz_take_byte (input);
  int x = fuzz_take_int (input), y = fuzz_take_int (input);
  float *values = g_new (float, width *height);
  g_autoptr (FilterMap) map = NULL;

  for (int i = 0; i < width * height; i++)
    {
      const gint8 value = fuzz_take_signed_byte (input);

      values[i] = value == G_MININT8 ? NAN : value / 100.0f;
    }
  map = filter_map_new (values, x, y, width, height);
  filter_settings_set_map (settings, map);
  return MIN (width, height) >= 1 && MIN (x, y) >= -FX_PLACE_MAX && MAX (x, y) <= FX_PLACE_MAX;
}

/* Half a picture's largest size is as far as it can be moved and grow. */
static FxGeometry
take_geometry (FuzzInput *input)
{
  const int most = FX_SIZE_MAX / 2;

  return (FxGeometry) { .x = fuzz_take_int (input) % most,
                        .y = fuzz_take_int (input) % most,
                        .width = 1 + (guint32) fuzz_take_int (input) % (guint32) most,
                        .height = 1 + (guint32) fuzz_take_int (input) % (guint32) most };
}

/* Checks what the settings report of a valid plan. */
static void
check_settings (FilterSettings *settings, const FxPlan *plan, const FxGeometry *geometry)
{
  const FilterDescription *filter = filter_settings_get_filter (settings);
  g_autofree char *line = filter_settings_describe (settings, plan);
  float values[SIDE * SIDE], most = 0.0f;
  int grow = filter_find_role (filter, FILTER_ROLE_GROW), x, y;

  g_assert_true (! line || g_utf8_validate (line, -1, NULL));
  if (grow >= 0)
    filter_settings_set (settings, (guint) grow, TRUE);
  filter_settings_get_growth (settings, geometry, &x, &y);
  g_assert_true (MIN (x, y) >= 0);
  if (! filter->draw_picture)
    return;
  filter->draw_picture (settings, SIDE, values);
  for (int i = 0; i < SIDE * SIDE; i++)
    {
      g_assert_true (values[i] >= 0.0f && values[i] <= 1.0f);
      most = MAX (most, values[i]);
    }
  g_assert_cmpfloat (most, ==, 1.0f);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  FuzzInput input = { data, size };
  const FilterDescription *filter = take_filter (&input);
  g_autoptr (FilterSettings) settings = take_settings (&input, filter);
  guint8 choices = fuzz_take_byte (&input);
  gboolean valid = ! filter->map.label || ! (choices & 1) || take_map (&input, settings);
  FxGeometry geometry = take_geometry (&input);
  g_autoptr (FxPlan) plan = NULL;
  FxFormat format;

  plans_take_format (&input, &format);
  if (choices & 2)
    filter_settings_drop_light (settings, FX_LIGHT_LINEAR);
  plan = filter->make_plan (settings, &format, &geometry, choices & 2);
  valid = valid && filter->check (settings, NULL) && fx_format_check (&format, NULL);
  g_assert_cmpint (plan != NULL, ==, valid);
  if (! plan)
    return 0;
  check_settings (settings, plan, &geometry);
  plans_check (plan, &input);
  return 0;
}
