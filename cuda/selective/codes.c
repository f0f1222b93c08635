#include "codes.h"

#include "error.h"
#include "kernels/selective-args.h"
#include "trc-table.h"

#include <math.h>

typedef struct Codes Codes;

struct Codes {
  FxTrc trc;
  Codes *next;
  float lights[SELECTIVE_LIGHTS];
};

/* Return the light of a perceptual value, in double precision. */

static double
get_table_light (const FxTrcTable *table, double value)
{
  double place = value * (FX_TRC_ENTRIES - 1);
  int low = (int) CLAMP (floor (place), 0.0, FX_TRC_ENTRIES - 2.0);
  double light = table->entries[low];

  return light + (place - low) * (table->entries[low + 1] - light);
}

static double
get_light (const FxTrc *trc, double value)
{
  if (trc->table)
    return get_table_light (trc->table, value);
  if (fx_trc_is_srgb (trc))
    return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
  if (value < trc->d)
    return trc->c * value + trc->f;
  return pow (MAX (trc->a * value + trc->b, 0.0), trc->g) + trc->e;
}

static Codes *
codes_new (const FxTrc *trc, GError **error)
{
  Codes *codes = g_try_new (Codes, 1);
  int i;

  if (! codes)
    {
      fx_set_no_memory (error);
      return NULL;
    }
  codes->trc = *trc;
  codes->lights[0] = -HUGE_VALF;
  for (i = 1; i <= SELECTIVE_CODE_MAX; i++) /* some curves fall where their two parts meet */
    codes->lights[i] = MAX (codes->lights[i - 1],
                            (float) get_light (trc, (i - 0.5) / SELECTIVE_WHITE));
  codes->lights[i] = HUGE_VALF;
  return codes;
}

const float *
selective_codes_get (const FxTrc *trc, GError **error)
{
  static GMutex mutex;
  static Codes *all;
  Codes *codes;

  g_mutex_lock (&mutex);
  codes = all;
  while (codes && ! fx_trc_equal (&codes->trc, trc))
    codes = codes->next;
  if (! codes && (codes = codes_new (trc, error)))
    {
      codes->next = all;
      all = codes;
    }
  g_mutex_unlock (&mutex);
  return codes ? codes->lights : NULL;
}
