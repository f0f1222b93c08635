#include "space.h"

#include "fit.h"

/* Returns the curve of all three channels, or NULL if they differ. */
static const Babl *
get_trc (const Babl *space)
{
  const Babl *red, *green, *blue;
  double unused[8];

  babl_space_get (space, &unused[0], &unused[1], &unused[2], &unused[3], &unused[4], &unused[5],
                  &unused[6], &unused[7], &red, &green, &blue);
  return red == green && red == blue ? red : NULL;
}

/* Converts n grey samples from the space's curve to linear light. */
static void
space_get_light (gconstpointer data, const double *stored, double *light, int n)
{
  const Babl *from = babl_format_with_space ("R'G'B' double", data);
  const Babl *to = babl_format_with_space ("RGB double", data);
  double pixels[FIT_SAMPLES][3];
  int i;

  for (i = 0; i < n; i++)
    pixels[i][0] = pixels[i][1] = pixels[i][2] = stored[i];
  babl_process (babl_fish (from, to), pixels, pixels, n);
  for (i = 0; i < n; i++)
    light[i] = pixels[i][0];
}

gboolean
space_set_trc (FxFormat *format, const Babl *space)
{
  const FitCurve curve = { space_get_light, space };
  FxTrc trc = { 0 };
  gboolean found = get_trc (space) && fit_trc (&curve, &trc, NULL);

  fit_set_trc (format, &trc);
  return found;
}
