#include "error.h"
#include "focus-plan.h"

#include <math.h>

/* Nanoseconds on one CPU thread: a pixel of the result, however many samples it has; and a sample.
 * Measured with AVX-512. */
#define PIXEL_COST  80.0
#define SAMPLE_COST 4.0

/* The same of a pixel with a lens, and for each pixel of the radius. */
#define LENS_COST   30.0
#define RADIUS_COST 20.0

/* The reach of a level's kernel, in its sigmas. Together with what pixels sum of the level, that is
 * at most 8.8 of theirs: infinities flow through the pyramid, and must not reach further than 9. */
#define KERNEL_CUT 5.25

#define EXTENT_MIN (1.0 / 1024.0) /* pixels to a unit of the shape */

static const FxFilter filter;

/* The error of the pyramid along an axis, at a step and as the l1 norm of what the kernel is off
 * by, for k, c and cut, with the mean number of taps along both axes:
 *     1.6  1.25  5     1.8e-6  1.1e-5  226
 *     1.8  1.4   5.5   1.0e-7  3.8e-7  354
 * For 8-bit, 1.8e-6 is 0.006 levels where sRGB's curve magnifies it 12.9 times, so few samples are
 * rounded to their neighbours. What k and c leave is aliasing: with r^2 = k^2 - c^2, about
 * exp (-2 pi^2 c^2 r^2 / k^2), 6e-6 and 6e-8; the rest is what is cut off. */
static void
set_precision (FocusPlan *plan)
{
  gboolean coarse = focus_plan_is_coarse (plan);

  plan->args.k = coarse ? 1.6f : 1.8f;
  plan->args.c = coarse ? 1.25f : 1.4f;
  plan->args.cut = coarse ? 5.0f : 5.5f;
}

/* The levels. */

/* Sets the kernel to the sampled, normalised Gaussian. */
static void
set_kernel (FocusLevel *level, double sigma)
{
  double sum = 1.0;

  level->radius = (int) ceil (KERNEL_CUT * sigma);
  for (int i = level->radius; i > 0; i--) /* the small terms first */
    sum += 2.0 * exp (-0.5 * i * i / (sigma * sigma));
  for (int i = 0; i <= level->radius; i++)
    level->weights[i] = (float) (exp (-0.5 * i * i / (sigma * sigma)) / sum);
}

/* Sets how far pixels reach that take this level: those with a sigma of up to most cells. */
static void
set_gather (const FocusArgs *args, FocusLevel *level, double most)
{
  double c = level->factor > 1 ? args->c : 0.0;

  level->gather = (int) ceil (args->cut * sqrt (most * most - c * c)) + 1;
  level->margin = MAX (level->gather, (int) fx_ceil_div (level->spread, level->factor)) + 1;
}

/* Levels 2, 3 and 4 are made of the picture, 6 of 2, and each of the others of the level of a
 * quarter of its factor. More steps would cost less, but reach further (KERNEL_CUT). */
static void
set_levels (FocusPlan *plan)
{
  FocusArgs *args = &plan->args;
  FocusLevel *levels = plan->levels;
  int n = 1;

  levels[0] = (FocusLevel) { .factor = 1 };
  for (; n < FOCUS_LEVELS_MAX; n++)
    {
      FocusLevel *level = &levels[n];

      level->from = n == 4 ? 1 : MAX (n - 4, 0);
      level->factor = n < 3 ? n + 1 : 2 * levels[n - 2].factor;
      level->step = level->factor / levels[level->from].factor;
      if (args->strength < args->k * level->factor)
        break;
      set_kernel (level, args->c * sqrt (level->step * level->step - (level->from > 0)));
      level->spread = levels[level->from].spread + level->radius * levels[level->from].factor;
    }
  args->levels = n;
  for (int i = 0; i < n; i++)
    set_gather (args, &levels[i],
                i < n - 1 ? args->k * levels[i + 1].factor / levels[i].factor
                          : args->strength / levels[i].factor);
}

/* Returns how many pixels away from a pixel its result depends on. */
static int
get_reach (const FocusPlan *plan)
{
  int reach = 0;

  for (int i = 0; i < plan->args.levels; i++)
    reach = MAX (reach, plan->levels[i].spread + plan->levels[i].gather * plan->levels[i].factor);
  return reach;
}

/* The strength. */

static FocusShapeArgs
get_shape (const FocusParams *params, const FxGeometry *geometry)
{
  double half = geometry->width / 2.0, turn = params->rotation / 180.0 * G_PI;
  double across = MAX (half * (1.0 + MIN (params->aspect_ratio, 0.0)), EXTENT_MIN);
  double down = MAX (half * (1.0 - MAX (params->aspect_ratio, 0.0)), EXTENT_MIN);
  double exponent = log (0.5) / log (params->midpoint);

  if (params->midpoint == 0.0 || params->midpoint == 1.0)
    exponent = params->midpoint * G_MAXDOUBLE;
  return (FocusShapeArgs) {
    .shape = (int) params->shape,
    .x = geometry->x + params->x * geometry->width,
    .y = geometry->y + params->y * geometry->height,
    .across_x = cos (turn) / across,
    .across_y = sin (turn) / across,
    .down_x = -sin (turn) / down,
    .down_y = cos (turn) / down,
    .inner = params->radius * params->focus,
    .slope = 1.0 / MAX (params->radius * (1.0 - params->focus), 1e-4),
    .exponent = CLAMP (exponent, 1e-4, 1000.0),
  };
}

static FocusMapArgs
get_map (const FocusMap *map)
{
  return (FocusMapArgs) {
    .x = map->x,
    .y = map->y,
    .width = map->width,
    .height = map->height,
    .invert = map->invert,
    .focal = map->focal,
    .scale = 1.0 / MAX (map->focal, 1.0 - map->focal),
  };
}

/* The plan. */

static void
init_gaussian (FocusPlan *plan)
{
  int reach;

  set_precision (plan);
  set_levels (plan);
  reach = get_reach (plan);
  if (! plan->base.identity)
    plan->base.reach = (FxReach) { reach, reach, reach, reach };
  plan->base.cpu_cost = SAMPLE_COST + PIXEL_COST / plan->base.codec.format.channels;
  plan->base.cpu_path = &focus_cpu_path;
  plan->base.gpu_path = FX_GPU_PATH (focus_gpu_path);
}

static void
init_lens (FocusPlan *plan)
{
  float radius = plan->args.strength;
  int x, y;

  focus_outline_init (&plan->outline, &plan->params, radius);
  focus_params_get_growth (&plan->params, &x, &y);
  plan->base.reach = (FxReach) { x, x, y, y };
  plan->base.cpu_cost = (LENS_COST + RADIUS_COST * radius) / plan->base.codec.format.channels;
  plan->base.cpu_path = &focus_lens_cpu_path;
  plan->base.gpu_path = FX_GPU_PATH (focus_lens_gpu_path);
}

static FocusPlan *
focus_plan_make_plan (const FocusParams *params, const FxFormat *format)
{
  FocusPlan *plan = g_new0 (FocusPlan, 1);
  FxCodec codec = fx_codec_new (format, params->light);

  if (params->kind == FOCUS_LENS)
    fx_codec_set_highlights (&codec, params->light, params->highlights, params->threshold);
  fx_plan_init (&plan->base, &filter, &codec, params->abyss);
  plan->params = *params;
  plan->args.strength = (float) params->strength;
  plan->args.keep_sharp = (float) params->keep_sharp;
  plan->base.identity = focus_plan_keeps (plan, plan->args.strength);
  if (params->kind == FOCUS_LENS)
    init_lens (plan);
  else
    init_gaussian (plan);
  return plan;
}

FxPlan *
focus_plan_new (const FocusParams *params, const FocusMap *map, const FxFormat *format,
                const FxGeometry *geometry, GError **error)
{
  FocusPlan *plan;

  if (! focus_params_check (params, error) || (map && ! focus_map_check (map, error)) ||
      ! fx_format_check (format, error) || ! fx_geometry_check (geometry, error))
    return NULL;
  plan = focus_plan_make_plan (params, format);
  plan->shape = get_shape (params, geometry);
  plan->base.placed = ! map;
  if (map)
    {
      plan->map = get_map (map);
      plan->values = g_bytes_ref (map->values);
    }
  return &plan->base;
}

/* The filter. */

static FxPlan *
focus_plan_get_draft (const FxPlan *base, int level)
{
  const FocusPlan *plan = (const FocusPlan *) base;
  FocusParams params = plan->params;
  double scale = ldexp (1.0, level);
  FocusPlan *draft;

  params.strength /= scale;
  draft = focus_plan_make_plan (&params, &base->codec.format);
  draft->shape = plan->shape;
  draft->shape.x /= scale;
  draft->shape.y /= scale;
  draft->shape.across_x *= scale;
  draft->shape.across_y *= scale;
  draft->shape.down_x *= scale;
  draft->shape.down_y *= scale;
  draft->map = plan->map;
  draft->map.shift += level;
  draft->values = plan->values ? g_bytes_ref (plan->values) : NULL;
  return &draft->base;
}

static void
focus_plan_free (FxPlan *base)
{
  FocusPlan *plan = (FocusPlan *) base;

  g_clear_pointer (&plan->values, g_bytes_unref);
  g_free (plan);
}

static const FxFilter filter = {
  .name = "focus",
  .free = focus_plan_free,
  .get_draft = focus_plan_get_draft,
};
