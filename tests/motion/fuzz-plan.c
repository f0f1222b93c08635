/* Plans of the motion blur: whatever the parameters, the format and the picture's place, there is
 * one or an error; what it reads contains what it makes, also of a draft, and it cuts any image
 * into strips that lie within it. */
#include "image.h"
#include "motion.h"
#include "plans.h"

#define SMALL 16.0 /* pixels: the plan of a long line takes a thousand times as long */

static void
take_params (FuzzInput *input, MotionParams *params)
{
  const guint8 choices = fuzz_take_byte (input);

  params->kind = (MotionKind) (choices & 3);
  params->length = plans_take_between (input, 0.0, choices & 64 ? MOTION_LENGTH_MAX : SMALL);
  params->direction = plans_take_between (input, -180.0, 180.0);
  params->angle = plans_take_between (input, 0.0, MOTION_ANGLE_MAX);
  params->factor = plans_take_between (input, -1.0, 1.0);
  params->center_x = plans_take_between (input, -MOTION_CENTER_MAX, MOTION_CENTER_MAX);
  params->center_y = plans_take_between (input, -MOTION_CENTER_MAX, MOTION_CENTER_MAX);
  params->fade = plans_take_between (input, -1.0, 1.0);
  params->abyss = (FxAbyss) (choices >> 2 & 3);
  params->light = (FxLight) (choices >> 4 & 1);
  if (choices & 128)
    {
      params->kind = (MotionKind) fuzz_take_int (input);
      params->abyss = (FxAbyss) fuzz_take_int (input);
      params->light = (FxLight) fuzz_take_int (input);
    }
}

/* Half a picture's largest size is as far as it can be moved and grow. */
static void
take_geometry (FuzzInput *input, FxGeometry *geometry)
{
  const int most = FX_SIZE_MAX / 2;

  geometry->x = fuzz_take_int (input) % most;
  geometry->y = fuzz_take_int (input) % most;
  geometry->width = 1 + (guint32) fuzz_take_int (input) % (guint32) most;
  geometry->height = 1 + (guint32) fuzz_take_int (input) % (guint32) most;
}

static gboolean
contains (const FxRect *outer, const FxRect *inner)
{
  return outer->x <= inner->x && outer->y <= inner->y &&
         (gint64) outer->x + outer->width >= (gint64) inner->x + inner->width &&
         (gint64) outer->y + outer->height >= (gint64) inner->y + inner->height;
}

static void
check_source (const FxPlan *plan, FuzzInput *input)
{
  const FxRect result = { (gint16) fuzz_take_short (input), (gint16) fuzz_take_short (input),
                          1 + fuzz_take_byte (input), 1 + fuzz_take_byte (input) };
  const FxRect source = fx_reach_get_source (&plan->reach, &result);

  g_assert_true (contains (&source, &result));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  FuzzInput input = { data, size };
  MotionParams params;
  FxFormat format;
  FxGeometry geometry;
  g_autoptr (GError) error = NULL;
  g_autoptr (FxPlan) plan = NULL;
  int x, y;

  take_params (&input, &params);
  plans_take_format (&input, &format);
  take_geometry (&input, &geometry);
  plan = motion_plan_new (&params, &format, &geometry, &error);
  if (! plans_check_made (plan, motion_params_check (&params, NULL), &format, error))
    return 0;
  motion_params_get_growth (&params, &geometry, &x, &y);
  g_assert_true (x >= 0 && y >= 0);
  check_source (plan, &input);
  plans_check (plan, (int) MOTION_LENGTH_MAX, &input);
  return 0;
}
