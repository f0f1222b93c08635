#include "picture.h"
#include "reference.h"

#include <math.h>

/* Half precision ends at 6e-8, single at 1.4e-45, and below them double goes on. */
static double
get_subnormal (FxSample sample, double u)
{
  return sample == FX_SAMPLE_HALF ? ldexp (u, -15) : ldexp (u, -130);
}

static double
get_faintest (FxSample sample)
{
  switch (sample)
    {
    case FX_SAMPLE_U16:
      return 1.0 / 65535.0;
    case FX_SAMPLE_U32:
      return 1.0 / 4294967295.0;
    default:
      return 1.0 / 255.0;
    }
}

/* One sample; u is random, 0 to 1. */
static double
get_color (const Case *c, int x, int y, double u)
{
  const gboolean bright = 2 * x >= c->width && 2 * y >= c->height;

  switch (c->kind)
    {
    case IMAGE_ZERO:
      return 0.0;
    case IMAGE_MAX:
      return 1.0;
    case IMAGE_EDGE:
      return bright;
    case IMAGE_DOTS:
      return u < 0.01;
    case IMAGE_CHECKER: /* not 255: the average would be a tie, which has two right roundings */
      return (x + y) % 2 ? 254.0 / 255.0 : 0.0;
    case IMAGE_DARK_EDGE:
    case IMAGE_FAINT_EDGE:
      return bright ? 1.0 : 0.01 * u;
    case IMAGE_HDR:
      return u < 0.2 ? -10.0 * u : 16.0 * u * u * u;
    case IMAGE_HDR_EDGE:
      return bright ? 16.0 : 0.01 * u;
    case IMAGE_SUBNORMAL:
      return get_subnormal (c->format.sample, u);
    default:
      return u;
    }
}

static double
get_alpha (const Case *c, int x, int y, double u)
{
  const gboolean bright = 2 * x >= c->width && 2 * y >= c->height;

  switch (c->kind)
    {
    case IMAGE_RANDOM:
    case IMAGE_HDR:
      return u;
    case IMAGE_ZERO:
      return 0.0;
    case IMAGE_HOLES:
      return (x / 5 + y / 3) % 2;
    case IMAGE_FAINT:
      return u < 0.5 ? 0.0 : get_faintest (c->format.sample);
    case IMAGE_FAINT_EDGE:
      return bright ? 1.0 : 9.0 / 255.0;
    case IMAGE_HDR_EDGE: /* any fainter, and the reference's own cut at 6 sigma is over the bound */
      return bright ? 1.0 : 0.25;
    case IMAGE_SUBNORMAL:
      return x % 3 ? 1.0 : get_subnormal (c->format.sample, u);
    default:
      return 1.0;
    }
}

gpointer
picture_new (const Case *c)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (c->seed);
  const int channels = c->format.channels;
  gpointer samples = g_malloc (fx_format_size (&c->format) * c->width * c->height);
  gsize i = 0;

  for (int y = 0; y < c->height; y++)
    for (int x = 0; x < c->width; x++)
      for (int n = 0; n < channels; n++, i++)
        {
          const double u = g_rand_double (rand);
          const gboolean alpha = channels % 2 == 0 && n == channels - 1;

          reference_encode (c->format.sample,
                            alpha ? get_alpha (c, x, y, u) : get_color (c, x, y, u), samples, i);
        }
  return samples;
}
