#include "transfer.h"

#include <math.h>

#define ENTRIES 4096

typedef struct {
  int code;
  const double *parameters; /* g, a, b, c, d: (a x + b)^g if x >= d, else c x; NULL: by get_light */
  double (*get_light) (double stored);
} Transfer;

/* SMPTE ST 2084 */
static double
get_pq_light (double stored)
{
  double root = pow (stored, 32.0 / 2523.0);

  return pow (MAX (root - 0.8359375, 0.0) / (18.8515625 - 18.6875 * root), 8192.0 / 1305.0);
}

/* ITU-R BT.2100, the inverse of the OETF */
static double
get_hlg_light (double stored)
{
  return stored <= 0.5 ? stored * stored / 3.0
                       : (exp ((stored - 0.55991073) / 0.17883277) + 0.28466892) / 12.0;
}

static const double bt_709[] = { 1.0 / 0.45, 1.0 / 1.0993, 0.0993 / 1.0993, 1.0 / 4.5, 0.08124 };
static const double srgb[] = { 2.4, 1.0 / 1.055, 0.055 / 1.055, 1.0 / 12.92, 0.04045 };
static const double gamma_2_2[] = { 2.2, 1.0, 0.0, 0.0, 0.0 };
static const double gamma_2_8[] = { 2.8, 1.0, 0.0, 0.0, 0.0 };
static const double gamma_2_6[] = { 2.6, 1.0, 0.0, 0.0, 0.0 };
static const double linear[] = { 1.0, 1.0, 0.0, 0.0, 0.0 };

static const Transfer transfers[] = {
  { 1, bt_709 },
  { 4, gamma_2_2 },
  { 5, gamma_2_8 },
  { 6, bt_709 },
  { 8, linear },
  { 11, bt_709 },
  { 13, srgb },
  { 14, bt_709 },
  { 15, bt_709 },
  { 17, gamma_2_6 },
  { 16, NULL, get_pq_light },
  { 18, NULL, get_hlg_light },
};

static const Transfer *
find (int code)
{
  for (guint i = 0; i < G_N_ELEMENTS (transfers); i++)
    if (transfers[i].code == code)
      return &transfers[i];
  return NULL;
}

static double
get_light (const Transfer *transfer, double stored)
{
  const double *p = transfer->parameters;

  if (! p)
    return transfer->get_light (stored);
  return stored >= p[4] ? pow (p[1] * stored + p[2], p[0]) : p[3] * stored;
}

static void
transfer_get_light (gconstpointer data, const double *stored, double *light, int n)
{
  for (int i = 0; i < n; i++)
    light[i] = get_light (data, stored[i]);
}

gboolean
transfer_get_curve (int code, FitCurve *curve)
{
  *curve = (FitCurve) { transfer_get_light, find (code) };
  return curve->data != NULL;
}

cmsToneCurve *
transfer_new_tone_curve (int code)
{
  const Transfer *transfer = find (code);
  guint16 entries[ENTRIES];

  if (transfer->parameters)
    return cmsBuildParametricToneCurve (NULL, 4, transfer->parameters);
  for (int i = 0; i < ENTRIES; i++)
    entries[i] = (guint16) (transfer->get_light (i / (ENTRIES - 1.0)) * 65535.0 + 0.5);
  return cmsBuildTabulatedToneCurve16 (NULL, ENTRIES, entries);
}
