/* A median blur on the CPU: the plain way, by sorting each window. */
#include "cpu-blocks.h"
#include "median-plan.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  guint64 code;
  unsigned weight;
} Item;

static int
compare_items (const void *a, const void *b)
{
  guint64 x = ((const Item *) a)->code, y = ((const Item *) b)->code;

  return (x > y) - (x < y);
}

static guint64
get_code (FxSample type, const guint8 *sample)
{
  guint64 bits = 0;

  memcpy (&bits, sample, fx_sample_size (type));
  switch (type)
    {
    case FX_SAMPLE_HALF:
      return median_order_half ((guint16) bits);
    case FX_SAMPLE_FLOAT:
      return median_order_float ((guint32) bits);
    case FX_SAMPLE_DOUBLE:
      return median_order_double (bits);
    default:
      return bits;
    }
}

static guint64
restore (FxSample type, guint64 code)
{
  switch (type)
    {
    case FX_SAMPLE_HALF:
      return median_restore_half ((guint16) code);
    case FX_SAMPLE_FLOAT:
      return median_restore_float ((guint32) code);
    case FX_SAMPLE_DOUBLE:
      return median_restore_double (code);
    default:
      return code;
    }
}

static unsigned
weigh (FxSample type, const guint8 *sample)
{
  double value;
  float number;

  switch (type)
    {
    case FX_SAMPLE_U8:
      return *sample;
    case FX_SAMPLE_U16:
      return median_weigh_u16 (*(const guint16 *) sample);
    case FX_SAMPLE_U32:
      return median_weigh_u32 (*(const guint32 *) sample);
    case FX_SAMPLE_HALF:
      return median_weigh_half (*(const guint16 *) sample);
    case FX_SAMPLE_FLOAT:
      memcpy (&number, sample, sizeof number);
      return median_weigh_float (number);
    default:
      memcpy (&value, sample, sizeof value);
      return median_weigh_double (value);
    }
}

static const guint8 *
get_pixel (const FxCpuBlocks *base, int x, int y)
{
  const FxStrip *strip = &base->base.strip;
  int inside_x = CLAMP (x, 0, strip->width - 1), inside_y = CLAMP (y, 0, strip->height - 1);

  if (base->base.plan->abyss == FX_ABYSS_NONE && (x != inside_x || y != inside_y))
    return NULL;
  return fx_cpu_blocks_get_stored (base, inside_x, inside_y);
}

static guint64
select_sample (const FxCpuBlocks *base, int x, int y, int channel, Item *items)
{
  static const guint8 nothing[8 * FX_CHANNELS_MAX];
  const MedianPlan *plan = (const MedianPlan *) base->base.plan;
  const FxFormat *format = &plan->base.codec.format;
  gsize size = fx_sample_size (format->sample);
  gboolean is_alpha = channel == median_plan_get_colors (plan);
  gboolean weighs = fx_format_has_alpha (format) && ! is_alpha;
  int radius = plan->window.radius, n = 0;
  unsigned total = 0, sum = 0, rank;

  for (int j = -radius; j <= radius; j++)
    for (int i = -plan->window.chords[ABS (j)]; i <= plan->window.chords[ABS (j)]; i++, n++)
      {
        const guint8 *pixel = get_pixel (base, x + i, y + j);

        if (! pixel)
          pixel = nothing;
        items[n].code = get_code (format->sample, pixel + channel * size);
        items[n].weight = weighs ? weigh (format->sample, pixel + (format->channels - 1) * size)
                                 : 1;
        total += items[n].weight;
      }
  if (total == 0)
    return get_code (format->sample, nothing);
  qsort (items, n, sizeof *items, compare_items);
  rank = median_get_rank (is_alpha ? plan->window.alpha_percentile : plan->window.percentile,
                          total);
  for (n = 0; (sum += items[n].weight) < rank;)
    n++;
  return items[n].code;
}

static void
filter (const FxCpuBlocks *base, const FxRect *block, guint8 *result, gsize stride, int thread)
{
  const MedianPlan *plan = (const MedianPlan *) base->base.plan;
  const FxFormat *format = &plan->base.codec.format;
  gsize size = fx_sample_size (format->sample);
  g_autofree Item *items = g_new (Item, plan->window.size);

  for (int y = 0; y < block->height; y++)
    for (int x = 0; x < block->width * format->channels; x++)
      {
        guint64 code = select_sample (base, block->x + x / format->channels, block->y + y,
                                      x % format->channels, items);

        code = restore (format->sample, code);
        memcpy (result + y * stride + x * size, &code, size);
      }
}

static void
init (FxCpuBlocks *base)
{
  base->keeps_source = TRUE;
  base->columns = 64;
  base->rows = 1;
  base->filter = filter;
}

const FxCpuPath median_cpu_path = {
  .size = sizeof (FxCpuBlocks),
  .init = init,
};
