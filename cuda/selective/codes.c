#include "error.h"
#include "selective-plan.h"

#include <math.h>

typedef struct Codes Codes;

struct Codes {
  FxTrc trc;
  Codes *next;
  float lights[SELECTIVE_LIGHTS];
};

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
                            (float) fx_trc_get_light (trc, (i - 0.5) / SELECTIVE_WHITE));
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
