/* Plans of the focus blur: whatever the parameters, the map, the format and the picture's place,
 * there is one or an error; it, and a draft of it, cut any image into strips that lie within it. */
#include "focus.h"
#include "plans.h"

#define REACH_MAX (10 * (int) FOCUS_STRENGTH_MAX) /* 9 sigma, and a cell more on each side */

/* Of a lens, all settings are refused or valid. */
static void
take_lens (FuzzInput *input, FocusParams *params)
{
  params->kind = FOCUS_LENS;
  params->strength = plans_take_between (input, 0.0, FOCUS_LENS_MAX);
  params->blades = fuzz_take_byte (input) % 14;
  params->blade_rotation = plans_take_between (input, -180.0, 180.0);
  params->roundness = plans_take_between (input, 0.0, 1.0);
  params->squeeze = plans_take_between (input, -1.0, 1.0);
  params->highlights = plans_take_between (input, 0.0, 6.0);
  params->threshold = plans_take_between (input, 0.0, 1.0);
}

static void
take_params (FuzzInput *input, FocusParams *params)
{
  const guint8 choices = fuzz_take_byte (input), shape = fuzz_take_byte (input);

  params->strength = plans_take_between (input, 0.0, FOCUS_STRENGTH_MAX);
  params->shape = (FocusShape) (shape % 5);
  params->x = plans_take_between (input, -FOCUS_CENTER_MAX, FOCUS_CENTER_MAX);
  params->y = plans_take_between (input, -FOCUS_CENTER_MAX, FOCUS_CENTER_MAX);
  params->radius = plans_take_between (input, 0.0, FOCUS_RADIUS_MAX);
  params->focus = plans_take_between (input, 0.0, 1.0);
  params->midpoint = plans_take_between (input, 0.0, 1.0);
  params->aspect_ratio = plans_take_between (input, -1.0, 1.0);
  params->rotation = plans_take_between (input, -180.0, 180.0);
  params->keep_sharp = plans_take_between (input, 0.0, FOCUS_KEEP_MAX);
  params->abyss = (FxAbyss) (choices & 3);
  params->light = (FxLight) (choices >> 2 & 1);
  if (choices & 8)
    take_lens (input, params);
  if (choices & 128)
    {
      params->shape = (FocusShape) fuzz_take_int (input);
      params->abyss = (FxAbyss) fuzz_take_int (input);
      params->light = (FxLight) fuzz_take_int (input);
    }
}

/* Most maps are as large as their values. */
static void
take_map (FuzzInput *input, FocusMap *map)
{
  const guint8 width = fuzz_take_byte (input), height = fuzz_take_byte (input);

  map->values = g_bytes_new_take (g_malloc0 ((gsize) width * height * sizeof (float)),
                                  (gsize) width * height * sizeof (float));
  map->width = width;
  map->height = height;
  map->focal = plans_take_between (input, 0.0, 1.0);
  map->invert = fuzz_take_byte (input);
  map->x = fuzz_take_int (input);
  map->y = fuzz_take_int (input);
  if (map->invert & 2)
    {
      map->width = fuzz_take_int (input);
      map->height = fuzz_take_int (input);
    }
}

static void
take_geometry (FuzzInput *input, FxGeometry *geometry)
{
  geometry->x = fuzz_take_int (input);
  geometry->y = fuzz_take_int (input);
  geometry->width = (guint32) fuzz_take_int (input);
  geometry->height = (guint32) fuzz_take_int (input);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  FuzzInput input = { data, size };
  FocusParams params = { 0 };
  FocusMap map = { 0 };
  FxFormat format;
  FxGeometry geometry;
  gboolean has_map, valid;
  g_autoptr (GError) error = NULL;
  g_autoptr (FxPlan) plan = NULL;
  int x, y;

  take_params (&input, &params);
  has_map = fuzz_take_byte (&input) & 1;
  if (has_map)
    take_map (&input, &map);
  plans_take_format (&input, &format);
  take_geometry (&input, &geometry);
  plan = focus_plan_new (&params, has_map ? &map : NULL, &format, &geometry, &error);
  valid = focus_params_check (&params, NULL) && (! has_map || focus_map_check (&map, NULL));
  g_clear_pointer (&map.values, g_bytes_unref);
  if (! plans_check_made (plan, valid, &format, error))
    return 0;
  focus_params_get_growth (&params, &x, &y);
  g_assert_true (MIN (x, y) >= 0 && MAX (x, y) <= 4.0 * FOCUS_STRENGTH_MAX);
  g_assert_true (params.kind == FOCUS_LENS ? MAX (x, y) <= FOCUS_LENS_MAX : x == y);
  plans_check (plan, REACH_MAX, &input);
  return 0;
}
