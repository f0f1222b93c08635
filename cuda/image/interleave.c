#include "rows.h"
#include "vector.h"

#include <string.h>

/* The compiler vectorises the loops over a constant number of samples per pixel. */

FX_VECTORISED void
fx_interleave (float *const *planes, int channels, int n, float *pixels)
{
  const float *a = planes[0], *b = planes[MIN (1, channels - 1)];
  const float *c = planes[MIN (2, channels - 1)], *d = planes[channels - 1];

  if (channels == 1)
    memcpy (pixels, a, n * sizeof (float));
  else if (channels == 2)
    for (int i = 0; i < n; i++)
      {
        pixels[2 * i] = a[i];
        pixels[2 * i + 1] = b[i];
      }
  else
    for (int i = 0; i < n; i++)
      {
        pixels[4 * i] = a[i];
        pixels[4 * i + 1] = b[i];
        pixels[4 * i + 2] = c[i];
        pixels[4 * i + 3] = d[i];
      }
}

FX_VECTORISED void
fx_deinterleave (const float *pixels, int channels, int n, float *const *planes)
{
  int step = fx_interleave_get_step (channels);

  for (int c = 0; c < channels; c++)
    if (step == 1)
      memcpy (planes[c], pixels, n * sizeof (float));
    else if (step == 2)
      for (int i = 0; i < n; i++)
        planes[c][i] = pixels[2 * i + c];
    else
      for (int i = 0; i < n; i++)
        planes[c][i] = pixels[4 * i + c];
}
