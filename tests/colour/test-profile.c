/* The curves that profiles have for the engine, against their definitions, in test's own words. */
#include "fit.h"
#include "profile.h"
#include "test.h"

#include <lcms2.h>
#include <math.h>
#include <string.h>

#define ENTRIES 4096

/* Curves: from stored value to light. */

static double
srgb (double x)
{
  return x <= 0.04045 ? x / 12.92 : pow ((x + 0.055) / 1.055, 2.4);
}

static double
adobe (double x)
{
  return pow (x, 563.0 / 256.0);
}

static double
prophoto (double x)
{
  return x < 16.0 / 512.0 ? x / 16.0 : pow (x, 1.8);
}

static double
rec_2020 (double x)
{
  return x < 0.08124 ? x / 4.5 : pow ((x + 0.0993) / 1.0993, 1.0 / 0.45);
}

/* The same as it is rounded in many profiles: it falls by 6e-5. */
static double
rounded (double x)
{
  return x < 0.081 ? x / 4.5 : pow ((x + 0.099) / 1.099, 1.0 / 0.45);
}

static double
lightness (double x)
{
  return x <= 0.08 ? x * 2700.0 / 24389.0 : pow ((x + 0.16) / 1.16, 3.0);
}

static double
linear (double x)
{
  return x;
}

static double
pq (double x)
{
  const double root = pow (x, 1.0 / 78.84375);

  return pow (fmax (root - 0.8359375, 0.0) / (18.8515625 - 18.6875 * root), 1.0 / 0.1593017578125);
}

static double
hlg (double x)
{
  return x <= 0.5 ? x * x / 3.0 : (exp ((x - 0.55991073) / 0.17883277) + 0.28466892) / 12.0;
}

static double
dot_gain (double x)
{
  return x * (0.3 + x * (0.2 + x * x * 0.5));
}

/* Profiles */

static cmsToneCurve *
make_table (double (*curve) (double))
{
  guint16 entries[ENTRIES];

  for (int i = 0; i < ENTRIES; i++)
    entries[i] = (guint16) (curve (i / (ENTRIES - 1.0)) * 65535.0 + 0.5);
  return cmsBuildTabulatedToneCurve16 (NULL, ENTRIES, entries);
}

static GBytes *
save (cmsHPROFILE profile)
{
  cmsUInt32Number size = 0;
  gpointer bytes;

  g_assert_true (cmsSaveProfileToMem (profile, NULL, &size));
  bytes = g_malloc (size);
  g_assert_true (cmsSaveProfileToMem (profile, bytes, &size));
  cmsCloseProfile (profile);
  return g_bytes_new_take (bytes, size);
}

/* Frees the curves, which may be the same. */
static GBytes *
make_profile (cmsToneCurve *red, cmsToneCurve *green, cmsToneCurve *blue, gboolean gray)
{
  const cmsCIExyY white = { 0.3127, 0.329, 1.0 };
  const cmsCIExyYTRIPLE primaries = { { 0.64, 0.33, 1.0 }, { 0.3, 0.6, 1.0 }, { 0.15, 0.06, 1.0 } };
  cmsToneCurve *curves[] = { red, green, blue };
  GBytes *icc = save (gray ? cmsCreateGrayProfile (&white, red)
                           : cmsCreateRGBProfile (&white, &primaries, curves));

  if (green != red)
    cmsFreeToneCurve (green);
  if (blue != red)
    cmsFreeToneCurve (blue);
  cmsFreeToneCurve (red);
  return icc;
}

/* Takes icc. */
static gboolean
take (FxFormat *format, GBytes *icc)
{
  gboolean found;

  g_assert_nonnull (icc);
  found = profile_set_trc (format, g_bytes_get_data (icc, NULL), g_bytes_get_size (icc));
  g_bytes_unref (icc);
  return found;
}

/* Fails unless the format's curve is that one to within 1.1e-5, and a table or not. Takes icc. */
static void
check (GBytes *icc, double (*curve) (double), gboolean table)
{
  FxFormat format = { FX_SAMPLE_FLOAT, 3, TRUE };

  g_assert_true (take (&format, icc));
  g_assert_cmpint (format.gamma, ==, curve != linear);
  g_assert_cmpint (format.trc.table != NULL, ==, table);
  g_assert_cmpint (fx_trc_is_srgb (&format.trc), ==, curve == srgb || curve == linear);
  g_assert_true (fx_format_check (&format, NULL));
  for (int i = 0; i <= 1000 && format.gamma && ! table; i++)
    {
      const FxTrc *trc = &format.trc;
      double x = i / 1000.0;
      double light = fx_trc_is_srgb (trc) ? srgb (x)
                     : x >= trc->d        ? pow (trc->a * x + trc->b, trc->g) + trc->e
                                          : trc->c * x + trc->f;

      g_assert_cmpfloat_with_epsilon (light, curve (x), 1.1e-5);
    }
}

static const struct {
  const char *path;
  double (*curve) (double);
} formulas[] = {
  { "/profile/srgb", srgb },         { "/profile/adobe", adobe },
  { "/profile/prophoto", prophoto }, { "/profile/rec-2020", rec_2020 },
  { "/profile/rounded", rounded },   { "/profile/lightness", lightness },
  { "/profile/linear", linear },
};

/* Tables of what is a formula */
static void
test_formula (gconstpointer i)
{
  double (*curve) (double) = formulas[GPOINTER_TO_INT (i)].curve;

  for (int gray = 0; gray < 2; gray++)
    {
      cmsToneCurve *table = make_table (curve);

      check (make_profile (table, table, table, gray), curve, FALSE);
    }
}

TESTS (add_formulas)
{
  for (guint i = 0; i < G_N_ELEMENTS (formulas); i++)
    g_test_add_data_func (formulas[i].path, GUINT_TO_POINTER (i), test_formula);
}

/* lcms2's types 1 to 4 */
TEST (test_parametric, "/profile/parametric")
{
  static const struct {
    int type;
    double numbers[5];
    double (*curve) (double);
  } curves[] = {
    { 1, { 563.0 / 256.0 }, adobe },
    { 1, { 1.0 }, linear },
    { 4, { 2.4, 1.0 / 1.055, 0.055 / 1.055, 1.0 / 12.92, 0.04045 }, srgb },
    { 4, { 1.0 / 0.45, 1.0 / 1.0993, 0.0993 / 1.0993, 1.0 / 4.5, 0.08124 }, rec_2020 },
    { 4, { 1.0 / 0.45, 1.0 / 1.099, 0.099 / 1.099, 1.0 / 4.5, 0.081 }, rounded },
    { 4, { 3.0, 1.0 / 1.16, 0.16 / 1.16, 2700.0 / 24389.0, 0.08 }, lightness },
    { 4, { 1.8, 1.0, 0.0, 1.0 / 16.0, 16.0 / 512.0 }, prophoto },
  };

  for (guint i = 0; i < G_N_ELEMENTS (curves); i++)
    {
      cmsToneCurve *made = cmsBuildParametricToneCurve (NULL, curves[i].type, curves[i].numbers);

      check (make_profile (made, made, made, i % 2), curves[i].curve, FALSE);
    }
}

/* Whether the engine's curve of these code points is that one: a table if it is not a formula. */
static void
check_codes (int primaries, int transfer, double (*curve) (double), gboolean table)
{
  check (profile_new_from_codes (primaries, transfer, FALSE), curve, table);
  check (profile_new_from_codes (primaries, transfer, TRUE), curve, table);
}

TEST (test_codes, "/profile/codes")
{
  check_codes (12, 13, srgb, FALSE);
  check_codes (9, 16, pq, TRUE);
  check_codes (9, 18, hlg, TRUE);
  check_codes (1, 8, linear, FALSE);
  g_assert_null (profile_new_from_codes (9, 2, FALSE));
  g_assert_null (profile_new_from_codes (3, 16, FALSE));
}

TEST (test_gamma, "/profile/gamma")
{
  const Chromaticities nonsense = { { 0.0 } };

  check (profile_new_from_gamma (563.0 / 256.0, NULL, FALSE), adobe, FALSE);
  check (profile_new_from_gamma (1.0, NULL, TRUE), linear, FALSE);
  g_assert_null (profile_new_from_gamma (0.0, NULL, FALSE));
  g_assert_null (profile_new_from_gamma (2.2, &nonsense, FALSE));
}

/* The entries of PQ's table: exact, although the profile's own have 16 bits. */
static void
get_entries (gconstpointer data, const double *stored, double *light, int n)
{
  double (*const *curve) (double) = data;

  for (int i = 0; i < n; i++)
    light[i] = (*curve) (stored[i]);
}

TEST (test_table, "/profile/table")
{
  double (*curve) (double) = pq;
  const FitCurve expected = { get_entries, &curve };
  FxFormat format = { FX_SAMPLE_FLOAT, 3, TRUE };
  cmsToneCurve *table = make_table (dot_gain);
  FxTrc trc;

  g_assert_true (fit_trc (&expected, &trc, NULL));
  g_assert_true (take (&format, profile_new_from_codes (9, 16, FALSE)));
  g_assert_true (format.trc.table == trc.table);
  check (make_profile (table, table, table, TRUE), dot_gain, TRUE);
}

/* What leaves sRGB's curve */

static double
falling (double x)
{
  return x < 0.5 ? x : 1.0 - x;
}

TEST (test_none, "/profile/none")
{
  FxFormat format = { FX_SAMPLE_U8, 3, TRUE };
  cmsToneCurve *bent = make_table (falling), *first = make_table (adobe);
  cmsToneCurve *second = make_table (adobe);

  g_assert_false (take (&format, make_profile (first, make_table (srgb), first, FALSE)));
  g_assert_false (take (&format, make_profile (second, second, make_table (srgb), FALSE)));
  g_assert_false (take (&format, make_profile (bent, bent, bent, TRUE)));
  g_assert_false (take (&format, save (cmsCreateLab4Profile (NULL))));
  g_assert_false (take (&format, g_bytes_new_static ("no profile", 10)));
  g_assert_true (format.gamma && fx_trc_is_srgb (&format.trc));
}

/* Linear samples become perceptual through the profile's curve. */
TEST (test_stored_linear, "/profile/stored-linear")
{
  FxFormat format = { FX_SAMPLE_FLOAT, 3, FALSE };

  g_assert_true (take (&format, profile_new_from_gamma (563.0 / 256.0, NULL, FALSE)));
  g_assert_false (format.gamma);
  g_assert_cmpfloat_with_epsilon (format.trc.g, 563.0 / 256.0, 1e-4);
}
