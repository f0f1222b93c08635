#include "profile.h"

#include "transfer.h"

#include <string.h>

#define CICP ((cmsTagSignature) 0x63696370)
#define DATE 24 /* the place of the date in the header */

/* A tag of ICC.1:2022, which lcms2 does not know before 2.14. */
typedef struct {
  char type[4];
  guint8 reserved[4], primaries, transfer, matrix, full_range;
} Cicp;

/* Curves. */

/* lcms2 rounds what it looks up in a table to 16 bits, so that is done here. */
static void
profile_get_light (gconstpointer data, const double *stored, double *light, int n)
{
  const cmsUInt16Number *entries = cmsGetToneCurveEstimatedTable (data);
  int last = (int) cmsGetToneCurveEstimatedTableEntries (data) - 1;
  gboolean is_table = cmsGetToneCurveParametricType (data) == 0;

  for (int i = 0; i < n; i++)
    {
      double place = stored[i] * last;
      int k = MIN ((int) place, last - 1);

      light[i] = is_table ? (entries[k] + (place - k) * (entries[k + 1] - entries[k])) / 65535.0
                          : cmsEvalToneCurveFloat (data, (float) stored[i]);
    }
}

static gboolean
get_tag_curve (cmsHPROFILE profile, cmsTagSignature tag, FitCurve *curve)
{
  *curve = (FitCurve) { profile_get_light, cmsReadTag (profile, tag) };
  return curve->data && cmsGetToneCurveEstimatedTableEntries (curve->data) > 1;
}

/* Sets curve to the one that all channels share. It is valid as long as the profile. */
static gboolean
get_curve (cmsHPROFILE profile, FitCurve *curve)
{
  FitCurve green, blue;
  Cicp cicp;

  if (cmsReadRawTag (profile, CICP, &cicp, sizeof cicp) == sizeof cicp &&
      transfer_get_curve (cicp.transfer, curve))
    return TRUE;
  if (cmsGetColorSpace (profile) == cmsSigGrayData)
    return get_tag_curve (profile, cmsSigGrayTRCTag, curve);
  return cmsGetColorSpace (profile) == cmsSigRgbData &&
         get_tag_curve (profile, cmsSigRedTRCTag, curve) &&
         get_tag_curve (profile, cmsSigGreenTRCTag, &green) && fit_is_same (curve, &green) &&
         get_tag_curve (profile, cmsSigBlueTRCTag, &blue) && fit_is_same (curve, &blue);
}

gboolean
profile_set_trc (FxFormat *format, gconstpointer icc, gsize size)
{
  cmsHPROFILE profile = cmsOpenProfileFromMem (icc, (cmsUInt32Number) size);
  FitCurve curve;
  FxTrc trc = { 0 };
  gboolean found = profile && get_curve (profile, &curve) && fit_trc (&curve, &trc, NULL);

  if (profile)
    cmsCloseProfile (profile);
  fit_set_trc (format, &trc);
  return found;
}

/* Making. */

static const struct {
  int code;
  Chromaticities places;
} primary_codes[] = {
  { 1, { { 0.64, 0.33 }, { 0.30, 0.60 }, { 0.15, 0.06 }, { 0.3127, 0.329 } } },
  { 4, { { 0.67, 0.33 }, { 0.21, 0.71 }, { 0.14, 0.08 }, { 0.31, 0.316 } } },
  { 5, { { 0.64, 0.33 }, { 0.29, 0.60 }, { 0.15, 0.06 }, { 0.3127, 0.329 } } },
  { 6, { { 0.63, 0.34 }, { 0.31, 0.595 }, { 0.155, 0.07 }, { 0.3127, 0.329 } } },
  { 7, { { 0.63, 0.34 }, { 0.31, 0.595 }, { 0.155, 0.07 }, { 0.3127, 0.329 } } },
  { 8, { { 0.681, 0.319 }, { 0.243, 0.692 }, { 0.145, 0.049 }, { 0.31, 0.316 } } },
  { 9, { { 0.708, 0.292 }, { 0.17, 0.797 }, { 0.131, 0.046 }, { 0.3127, 0.329 } } },
  { 11, { { 0.68, 0.32 }, { 0.265, 0.69 }, { 0.15, 0.06 }, { 0.314, 0.351 } } },
  { 12, { { 0.68, 0.32 }, { 0.265, 0.69 }, { 0.15, 0.06 }, { 0.3127, 0.329 } } },
  { 22, { { 0.63, 0.34 }, { 0.295, 0.605 }, { 0.155, 0.077 }, { 0.3127, 0.329 } } },
};

static const Chromaticities *
find_primaries (int code)
{
  for (guint i = 0; i < G_N_ELEMENTS (primary_codes); i++)
    if (primary_codes[i].code == code)
      return &primary_codes[i].places;
  return NULL;
}

static cmsHPROFILE
make_profile (const Chromaticities *places, cmsToneCurve *curve, gboolean gray)
{
  const cmsCIExyY white = { places->white[0], places->white[1], 1.0 };
  const cmsCIExyYTRIPLE primaries = { { places->red[0], places->red[1], 1.0 },
                                      { places->green[0], places->green[1], 1.0 },
                                      { places->blue[0], places->blue[1], 1.0 } };
  cmsToneCurve *curves[] = { curve, curve, curve };

  if (! curve)
    return NULL;
  return gray ? cmsCreateGrayProfile (&white, curve)
              : cmsCreateRGBProfile (&white, &primaries, curves);
}

/* Frees curve and profile, which may be NULL. The same profile always has the same bytes: not the
 * time at which lcms2 made it. */
static GBytes *
save (cmsHPROFILE profile, cmsToneCurve *curve)
{
  static const guint8 date[] = { 2026 >> 8, 2026 & 255, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0 };
  cmsUInt32Number size = 0;
  guint8 *bytes = NULL;

  if (profile && cmsSaveProfileToMem (profile, NULL, &size))
    bytes = g_malloc (size);
  if (bytes && cmsSaveProfileToMem (profile, bytes, &size))
    memcpy (bytes + DATE, date, sizeof date);
  else
    g_clear_pointer (&bytes, g_free);
  if (profile)
    cmsCloseProfile (profile);
  if (curve)
    cmsFreeToneCurve (curve);
  return bytes ? g_bytes_new_take (bytes, size) : NULL;
}

GBytes *
profile_new_from_codes (int primaries, int transfer, gboolean gray)
{
  const Cicp cicp = { "cicp", { 0 }, (guint8) primaries, (guint8) transfer, 0, 1 };
  const Chromaticities *places = find_primaries (primaries);
  FitCurve known;
  cmsToneCurve *curve;
  cmsHPROFILE profile;

  if (! places || ! transfer_get_curve (transfer, &known))
    return NULL;
  curve = transfer_new_tone_curve (transfer);
  profile = make_profile (places, curve, gray);
  if (profile)
    cmsWriteRawTag (profile, CICP, &cicp, sizeof cicp);
  return save (profile, curve);
}

GBytes *
profile_new_from_gamma (double gamma, const Chromaticities *chromaticities, gboolean gray)
{
  cmsToneCurve *curve = gamma > 0.0 ? cmsBuildGamma (NULL, gamma) : NULL;
  const Chromaticities *places = chromaticities ? chromaticities : find_primaries (1);

  return save (make_profile (places, curve, gray), curve);
}

GBytes *
profile_new_gray (gconstpointer icc, gsize size)
{
  cmsHPROFILE colour = cmsOpenProfileFromMem (icc, (cmsUInt32Number) size);
  FitCurve curve;
  cmsToneCurve *green = NULL;

  if (colour && cmsGetColorSpace (colour) == cmsSigRgbData && get_curve (colour, &curve))
    green = cmsDupToneCurve (cmsReadTag (colour, cmsSigGreenTRCTag));
  if (colour)
    cmsCloseProfile (colour);
  return save (make_profile (find_primaries (1), green, TRUE), green);
}
