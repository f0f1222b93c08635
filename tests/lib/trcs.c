#include "trcs.h"

#include <math.h>

FxTrc trcs[TRCS] = {
  { 0.0f },
  { .g = 2.2f, .a = 1.0f },
  { .g = 1.8f, .a = 1.0f },
  { .g = 1.0f / 0.45f, .a = 1.0f / 1.099f, .b = 0.099f / 1.099f, .c = 1.0f / 4.5f, .d = 0.081f },
  { .g = 2.4f, .a = 0.9f, .b = 0.1f, .c = 0.3f, .d = 0.1f, .e = 0.02f, .f = 0.008579f },
};

const char *const trc_names[TRCS] = { "sRGB",   "gamma 2.2", "gamma 1.8", "Rec. 709",
                                      "offset", "PQ",        "HLG",       "gray" };

/* SMPTE ST 2084:2014, equation 4.1. */
static double
get_pq (double x)
{
  const double power = pow (x, 1.0 / (2523.0 / 32.0));

  return pow (MAX (power - 107.0 / 128.0, 0.0) / (2413.0 / 128.0 - 2392.0 / 128.0 * power),
              1.0 / (1305.0 / 8192.0));
}

/* ITU-R BT.2100-2, table 5: the inverse of HLG's OETF. */
static double
get_hlg (double x)
{
  const double a = 0.17883277, b = 1.0 - 4.0 * a, c = 0.5 - a * log (4.0 * a);

  return x <= 0.5 ? x * x / 3.0 : (exp ((x - c) / a) + b) / 12.0;
}

static double
get_gray (double x)
{
  return rint (97.0 * pow (CLAMP ((x - 0.01) / 0.98, 0.0, 1.0), 1.7)) / 97.0;
}

__attribute__ ((constructor)) static void
fill_tables (void)
{
  static double (*const curves[]) (double x) = { get_pq, get_hlg, get_gray };
  float entries[FX_TRC_ENTRIES];

  for (int t = TRC_PQ; t < TRCS; t++)
    {
      for (int i = 0; i < FX_TRC_ENTRIES; i++)
        entries[i] = (float) curves[t - TRC_PQ](i / (FX_TRC_ENTRIES - 1.0));
      trcs[t].table = fx_trc_table_get (entries, NULL);
    }
}
