#include "cases.h"

#include "profile.h"

#include <lcms2.h>

/* A black half and a white one, each as many columns wide: what becomes of the edge. */
#define WIDTH  128
#define HEIGHT 16

static GBytes *
save (cmsHPROFILE profile)
{
  cmsUInt32Number size = 0;
  gpointer bytes;

  cmsSaveProfileToMem (profile, NULL, &size);
  bytes = g_malloc (size);
  cmsSaveProfileToMem (profile, bytes, &size);
  cmsCloseProfile (profile);
  return g_bytes_new_take (bytes, size);
}

/* One of the curves that are parametric for lcms2; another one for green, if that is not 0. */
static GBytes *
make_profile (int type, const double *numbers, double green, gboolean gray)
{
  const cmsCIExyY white = { 0.3127, 0.329, 1.0 };
  const cmsCIExyYTRIPLE primaries = { { 0.64, 0.33, 1.0 }, { 0.3, 0.6, 1.0 }, { 0.15, 0.06, 1.0 } };
  cmsToneCurve *curve = cmsBuildParametricToneCurve (NULL, type, numbers);
  cmsToneCurve *other = green > 0.0 ? cmsBuildGamma (NULL, green) : cmsDupToneCurve (curve);
  cmsToneCurve *curves[] = { curve, other, curve };
  GBytes *icc = save (gray ? cmsCreateGrayProfile (&white, curve)
                           : cmsCreateRGBProfile (&white, &primaries, curves));

  cmsFreeToneCurve (curve);
  cmsFreeToneCurve (other);
  return icc;
}

static void
fill_halves (Subject subject)
{
  const GimpRGB black = { 0.0, 0.0, 0.0, 1.0 }, white = { 1.0, 1.0, 1.0, 1.0 };

  gimp_context_set_foreground (&black);
  gimp_drawable_edit_fill (subject.drawable, GIMP_FILL_FOREGROUND);
  gimp_image_select_rectangle (subject.image, GIMP_CHANNEL_OP_REPLACE, WIDTH / 2, 0, WIDTH / 2,
                               HEIGHT);
  gimp_context_set_foreground (&white);
  gimp_drawable_edit_fill (subject.drawable, GIMP_FILL_FOREGROUND);
  gimp_selection_none (subject.image);
}

/* Blurs, and expects that mean of the columns at the middle. */
static char *
middle_problem (Subject subject, double wanted)
{
  const Args args = { 8.0, 8.0, 0, FX_ABYSS_CLAMP, FX_LIGHT_LINEAR, 0, 0 };
  GimpPDBStatusType status;
  char *problem = NULL;
  g_autoptr (Raster) after = NULL;
  g_autofree double *values = NULL;
  const double *at;
  double mean;

  if (! subject_blur (subject, GIMP_RUN_NONINTERACTIVE, &args, &status, &problem))
    return problem;
  after = subject_read (subject.drawable);
  values = raster_values (after);
  at = values + (gsize) (HEIGHT / 2 * WIDTH + WIDTH / 2) * after->format.channels;
  mean = (at[0] + at[-after->format.channels]) / 2.0;
  return fabs (mean - wanted) <= 0.002 ? NULL : g_strdup_printf ("%.4f, not %.3f", mean, wanted);
}

/* Takes icc. NULL: GIMP's own profile. */
static void
check_middle (const char *name, GBytes *icc, GimpPrecision precision, gboolean gray, double wanted)
{
  Subject subject = subject_new_empty (precision, gray ? GIMP_GRAYA_IMAGE : GIMP_RGB_IMAGE, WIDTH,
                                       HEIGHT);
  GimpColorProfile *profile = NULL;
  char *problem = NULL;

  fill_halves (subject); /* before GIMP would convert black and white to the profile */
  if (icc)
    {
      profile = gimp_color_profile_new_from_icc_profile (g_bytes_get_data (icc, NULL),
                                                         g_bytes_get_size (icc), NULL);
      if (! profile || ! gimp_image_set_color_profile (subject.image, profile))
        problem = g_strdup ("the profile was not accepted");
      g_bytes_unref (icc);
    }
  report_on (subject, problem ?: middle_problem (subject, wanted), "%s%s: the edge becomes %.3f",
             name, gray ? ", grey" : "", wanted);
  g_clear_object (&profile);
}

void
cases_profiles (void)
{
  static const double adobe[] = { 563.0 / 256.0 }, prophoto[] = { 1.8 }, linear[] = { 1.0 };
  static const double rec_2020[] = { 1.0 / 0.45, 1.0 / 1.0993, 0.0993 / 1.0993, 1.0 / 4.5,
                                     0.08124 };
  static const double lightness[] = { 3.0, 1.0 / 1.16, 0.16 / 1.16, 2700.0 / 24389.0, 0.08 };
  static const double srgb[] = { 2.4, 1.0 / 1.055, 0.055 / 1.055, 1.0 / 12.92, 0.04045 };
  const GimpPrecision deep = GIMP_PRECISION_U16_GAMMA, stored_linear = GIMP_PRECISION_FLOAT_LINEAR;

  for (int gray = 0; gray < 2; gray++)
    {
      check_middle ("no profile", NULL, deep, gray, 0.735);
      check_middle ("sRGB", make_profile (4, srgb, 0.0, gray), deep, gray, 0.735);
      check_middle ("AdobeRGB", make_profile (1, adobe, 0.0, gray), deep, gray, 0.730);
      check_middle ("ProPhoto", make_profile (1, prophoto, 0.0, gray), deep, gray, 0.680);
      check_middle ("Rec. 2020", make_profile (4, rec_2020, 0.0, gray), deep, gray, 0.705);
      check_middle ("L*", make_profile (4, lightness, 0.0, gray), deep, gray, 0.761);
      check_middle ("linear", make_profile (1, linear, 0.0, gray), deep, gray, 0.500);
      check_middle ("PQ", profile_new_from_codes (9, 16, gray), deep, gray, 0.927);
      check_middle ("HLG", profile_new_from_codes (9, 18, gray), deep, gray, 0.872);
      check_middle ("no profile, linear floats", NULL, stored_linear, gray, 0.500);
    }
  check_middle ("two curves", make_profile (1, adobe, 1.8, FALSE), deep, FALSE, 0.735);
}
