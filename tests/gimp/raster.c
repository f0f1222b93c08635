#include "raster.h"

#include "../lib/memory.h"
#include "../lib/run.h"

#include <math.h>
#include <string.h>

/* Alpha under which colour is compared premultiplied. */
#define ALPHA_FLOOR (8.0 / 255.0)

static gboolean
has_alpha (const FxFormat *format)
{
  return format->channels % 2 == 0;
}

static int
colours (const FxFormat *format)
{
  return format->channels - has_alpha (format);
}

Raster *
raster_new (const FxFormat *format, int width, int height)
{
  Raster *raster = g_new0 (Raster, 1);

  raster->format = *format;
  raster->width = width;
  raster->height = height;
  raster->pixels = g_malloc0 (raster_bytes (raster));
  return raster;
}

void
raster_free (Raster *raster)
{
  if (! raster)
    return;
  g_free (raster->pixels);
  g_free (raster);
}

gsize
raster_bytes (const Raster *raster)
{
  return fx_format_size (&raster->format) * raster->width * raster->height;
}

Raster *
raster_copy (const Raster *raster)
{
  Raster *copy = raster_new (&raster->format, raster->width, raster->height);

  memcpy (copy->pixels, raster->pixels, raster_bytes (raster));
  return copy;
}

gboolean
raster_equal (const Raster *a, const Raster *b)
{
  return a->width == b->width && a->height == b->height &&
         memcmp (&a->format, &b->format, sizeof a->format) == 0 &&
         memcmp (a->pixels, b->pixels, raster_bytes (a)) == 0;
}

static guint8 *
pixel_at (const Raster *raster, int x, int y)
{
  return raster->pixels + ((gsize) y * raster->width + x) * fx_format_size (&raster->format);
}

/* Samples */

static double
half_value (guint16 bits)
{
  int exponent = bits >> 10 & 31;
  int mantissa = bits & 1023;
  double magnitude = exponent == 0 ? ldexp (mantissa, -24) : ldexp (1024 + mantissa, exponent - 25);

  return bits & 0x8000 ? -magnitude : magnitude;
}

static double
sample_value (FxSample sample, const void *at)
{
  switch (sample)
    {
    case FX_SAMPLE_U8:
      return *(const guint8 *) at / 255.0;
    case FX_SAMPLE_U16:
      return *(const guint16 *) at / 65535.0;
    case FX_SAMPLE_U32:
      return *(const guint32 *) at / 4294967295.0;
    case FX_SAMPLE_HALF:
      return half_value (*(const guint16 *) at);
    case FX_SAMPLE_FLOAT:
      return *(const float *) at;
    case FX_SAMPLE_DOUBLE:
      return *(const double *) at;
    }
  g_return_val_if_reached (0.0);
}

double *
raster_values (const Raster *raster)
{
  gsize count = (gsize) raster->width * raster->height * raster->format.channels;
  gsize size = fx_sample_size (raster->format.sample);
  double *values = g_new (double, count);

  for (gsize i = 0; i < count; i++)
    values[i] = sample_value (raster->format.sample, raster->pixels + i * size);
  return values;
}

double
raster_range (const Raster *raster)
{
  gsize count = (gsize) raster->width * raster->height * raster->format.channels;
  g_autofree double *values = raster_values (raster);
  double range = 1.0;

  for (gsize i = 0; i < count; i++)
    range = fmax (range, fabs (values[i]));
  return range;
}

/* Random pixels */

static guint32
random_integer (GRand *rand, guint32 largest)
{
  switch (g_rand_int_range (rand, 0, 8))
    {
    case 0:
      return 0;
    case 1:
      return largest;
    case 2:
      return g_rand_int (rand) % 16;
    default:
      return largest == G_MAXUINT32 ? g_rand_int (rand) : g_rand_int (rand) % (largest + 1);
    }
}

static guint16
random_half (GRand *rand, gboolean wild)
{
  switch (g_rand_int_range (rand, 0, 8))
    {
    case 0:
      return 0;
    case 1:
      return 0x3c00; /* 1 */
    case 2:
      return g_rand_int_range (rand, 0, 0x3c01); /* every magnitude up to 1, subnormal ones too */
    case 3:
      return wild ? 0x8000 | g_rand_int_range (rand, 0, 0x3801) : 0x0001;
    case 4:
      return wild ? g_rand_int_range (rand, 0x3c00, 0x4200) : 0x3bff;
    default:
      return g_rand_int_range (rand, 0x3000, 0x3c01); /* 1/8 to 1 */
    }
}

static double
random_real (GRand *rand, gboolean wild)
{
  switch (g_rand_int_range (rand, 0, 8))
    {
    case 0:
      return 0.0;
    case 1:
      return 1.0;
    case 2:
      return wild ? g_rand_double_range (rand, -0.5, 3.0) : 1e-6;
    default:
      return g_rand_double (rand);
    }
}

static void
random_sample (FxSample sample, void *at, GRand *rand, gboolean wild)
{
  switch (sample)
    {
    case FX_SAMPLE_U8:
      *(guint8 *) at = random_integer (rand, G_MAXUINT8);
      break;
    case FX_SAMPLE_U16:
      *(guint16 *) at = random_integer (rand, G_MAXUINT16);
      break;
    case FX_SAMPLE_U32:
      *(guint32 *) at = random_integer (rand, G_MAXUINT32);
      break;
    case FX_SAMPLE_HALF:
      *(guint16 *) at = random_half (rand, wild);
      break;
    case FX_SAMPLE_FLOAT:
      *(float *) at = random_real (rand, wild);
      break;
    case FX_SAMPLE_DOUBLE:
      *(double *) at = random_real (rand, wild);
      break;
    }
}

static void
random_pixel (const FxFormat *format, guint8 *at, GRand *rand, gboolean wild)
{
  for (int c = 0; c < format->channels; c++)
    random_sample (format->sample, at + c * fx_sample_size (format->sample), rand,
                   wild && c < colours (format)); /* alpha is coverage: 0 to 1 */
}

void
raster_fill (Raster *raster, GRand *rand, gboolean wild)
{
  gsize size = fx_format_size (&raster->format);

  /* Noise alone would blur to one grey, in which little can go wrong: every other block of 11 x 7
   * pixels takes the colour of its first one. */
  for (int y = 0; y < raster->height; y++)
    for (int x = 0; x < raster->width; x++)
      {
        int left = x - x % 11, top = y - y % 7;

        if ((x / 11 + y / 7) % 2 == 0 && (x != left || y != top))
          memcpy (pixel_at (raster, x, y), pixel_at (raster, left, top), size);
        else
          random_pixel (&raster->format, pixel_at (raster, x, y), rand, wild);
      }
}

/* Larger and smaller rasters */

static void
largest_sample (FxSample sample, void *at)
{
  switch (sample)
    {
    case FX_SAMPLE_HALF:
      *(guint16 *) at = 0x3c00;
      break;
    case FX_SAMPLE_FLOAT:
      *(float *) at = 1.0f;
      break;
    case FX_SAMPLE_DOUBLE:
      *(double *) at = 1.0;
      break;
    default:
      memset (at, 0xff, fx_sample_size (sample));
    }
}

Raster *
raster_enlarge (const Raster *raster, int x, int y, gboolean white)
{
  Raster *large = raster_new (&raster->format, raster->width + 2 * x, raster->height + 2 * y);
  gsize size = fx_sample_size (raster->format.sample);

  for (gsize at = 0; white && at < raster_bytes (large); at += size)
    largest_sample (raster->format.sample, large->pixels + at);
  raster_put (large, raster, x, y);
  return large;
}

void
raster_put (Raster *raster, const Raster *part, int x, int y)
{
  for (int row = 0; row < part->height; row++)
    memcpy (pixel_at (raster, x, y + row), pixel_at (part, 0, row),
            part->width * fx_format_size (&part->format));
}

Raster *
raster_crop (const Raster *raster, const FxRect *rect)
{
  Raster *part = raster_new (&raster->format, rect->width, rect->height);

  for (int row = 0; row < rect->height; row++)
    memcpy (pixel_at (part, 0, row), pixel_at (raster, rect->x, rect->y + row),
            rect->width * fx_format_size (&raster->format));
  return part;
}

Raster *
raster_magnify (const Raster *raster, int times, int width, int height)
{
  Raster *large = raster_new (&raster->format, width, height);
  gsize size = fx_format_size (&raster->format);

  for (int y = 0; y < height; y++)
    if (y % times > 0)
      memcpy (pixel_at (large, 0, y), pixel_at (large, 0, y - 1), width * size);
    else
      for (int x = 0; x < width; x++)
        memcpy (pixel_at (large, x, y), pixel_at (raster, x / times, y / times), size);
  return large;
}

void
raster_paste (Raster *raster, const Raster *other, const FxRect *rect)
{
  int width = MIN (rect->width, raster->width - rect->x);
  int bottom = MIN (rect->y + rect->height, raster->height);

  for (int y = rect->y; y < bottom; y++)
    memcpy (pixel_at (raster, rect->x, y), pixel_at (other, rect->x, y),
            width * fx_format_size (&raster->format));
}

/* The engine */

Raster *
raster_blur (const Raster *raster, const BlurParams *params, const FxRect *region, GError **error)
{
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (Raster) result = raster_copy (raster);
  const Memory memory = { raster->pixels, result->pixels, raster->width, raster->height,
                          raster->format };
  FxImage image = memory_get_image (&memory);

  if (region)
    image.region = *region;
  if (! run_blur (engine, params, FX_DEVICE_CPU, &image, NULL, error))
    return NULL;
  return g_steal_pointer (&result);
}

/* The direct convolution */

static double
to_linear (double v)
{
  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

static double
to_gamma (double v)
{
  return v <= 0.0031308 ? v * 12.92 : 1.055 * pow (v, 1.0 / 2.4) - 0.055;
}

void
raster_premultiply (double *values, gsize pixels, const FxFormat *format, FxLight light)
{
  for (gsize i = 0; i < pixels; i++)
    {
      double *pixel = values + i * format->channels;
      double alpha = has_alpha (format) ? pixel[colours (format)] : 1.0;

      for (int c = 0; c < colours (format); c++)
        {
          if (format->gamma && light == FX_LIGHT_LINEAR)
            pixel[c] = to_linear (pixel[c]);
          else if (! format->gamma && light == FX_LIGHT_PERCEPTUAL)
            pixel[c] = to_gamma (pixel[c]);
          pixel[c] *= alpha;
        }
    }
}

void
raster_unpremultiply (double *values, gsize pixels, const FxFormat *format, FxLight light)
{
  for (gsize i = 0; i < pixels; i++)
    {
      double *pixel = values + i * format->channels;
      double alpha = has_alpha (format) ? pixel[colours (format)] : 1.0;

      for (int c = 0; c < colours (format); c++)
        {
          pixel[c] = alpha > 0.0 ? pixel[c] / alpha : 0.0;
          if (format->gamma && light == FX_LIGHT_LINEAR)
            pixel[c] = to_gamma (pixel[c]);
          else if (! format->gamma && light == FX_LIGHT_PERCEPTUAL)
            pixel[c] = to_linear (pixel[c]);
        }
    }
}

/* What lies beyond the edge, channel c. */
static double
beyond (const FxFormat *format, FxAbyss abyss, int c)
{
  if (abyss == FX_ABYSS_WHITE)
    return 1.0;
  return abyss == FX_ABYSS_BLACK && has_alpha (format) && c == colours (format) ? 1.0 : 0.0;
}

/* Convolves one line of count values that lie step apart; the same line of to is written. */
static void
convolve_line (const double *from, double *to, int count, gsize step, double sigma, int radius,
               gboolean clamp, double outside)
{
  double total = 0.0;

  for (int k = -radius; k <= radius; k++)
    total += exp (-0.5 * k * k / (sigma * sigma));
  for (int i = 0; i < count; i++)
    {
      double sum = 0.0;

      for (int k = -radius; k <= radius; k++)
        {
          int at = clamp ? CLAMP (i + k, 0, count - 1) : i + k;

          sum += exp (-0.5 * k * k / (sigma * sigma)) *
                 (at >= 0 && at < count ? from[at * step] : outside);
        }
      to[i * step] = sum / total;
    }
}

/* Convolves lines of count values, step apart; lines themselves are stride apart. */
static void
convolve_axis (double *values, const FxFormat *format, const BlurParams *params, double sigma,
               int lines, gsize stride, int count, gsize step)
{
  g_autofree double *line = NULL;
  int radius = params->kernel_size ? params->kernel_size / 2 : ceil (6 * sigma);

  if (sigma < 0.2)
    return;
  line = g_new (double, count *step);
  for (int i = 0; i < lines; i++)
    for (int c = 0; c < format->channels; c++)
      {
        double *start = values + i * stride + c;

        convolve_line (start, line, count, step, sigma, radius, params->abyss == FX_ABYSS_CLAMP,
                       beyond (format, params->abyss, c));
        for (int k = 0; k < count; k++)
          start[k * step] = line[k * step];
      }
}

double *
raster_convolve (const Raster *raster, const BlurParams *params)
{
  const FxFormat *format = &raster->format;
  gsize pixels = (gsize) raster->width * raster->height;
  gsize row = (gsize) raster->width * format->channels;
  double *values = raster_values (raster);

  raster_premultiply (values, pixels, format, params->light);
  convolve_axis (values, format, params, params->sigma_x, raster->height, row, raster->width,
                 format->channels);
  convolve_axis (values, format, params, params->sigma_y, raster->width, format->channels,
                 raster->height, row);
  raster_unpremultiply (values, pixels, format, params->light);
  return values;
}

double *
raster_mix (const Raster *raster, const double *values, const double *mask)
{
  const FxFormat *format = &raster->format;
  gsize pixels = (gsize) raster->width * raster->height;
  double *mixed = raster_values (raster);
  g_autofree double *over = g_new (double, pixels * format->channels);

  memcpy (over, values, pixels * format->channels * sizeof (double));
  raster_premultiply (mixed, pixels, format, FX_LIGHT_LINEAR);
  raster_premultiply (over, pixels, format, FX_LIGHT_LINEAR);
  for (gsize i = 0; i < pixels; i++)
    for (int c = 0; c < format->channels; c++)
      {
        gsize at = i * format->channels + c;

        mixed[at] += mask[i] * (over[at] - mixed[at]);
      }
  raster_unpremultiply (mixed, pixels, format, FX_LIGHT_LINEAR);
  return mixed;
}

void
raster_keep (const Raster *raster, double *values, guint channels)
{
  int count = raster->format.channels;
  g_autofree double *before = raster_values (raster);

  for (gsize i = 0; i < (gsize) raster->width * raster->height; i++)
    {
      double *pixel = values + i * count;
      gboolean gone = count % 2 == 0 && pixel[count - 1] == 0.0;

      for (int c = 0; c < count; c++)
        if (gone || channels >> c & 1)
          pixel[c] = before[i * count + c];
    }
}

/* Comparison */

/* The largest error allowed at an expected value, in stored values. */
static double
allowed (FxSample sample, double expected, double range, double factor)
{
  switch (sample)
    {
    case FX_SAMPLE_U8:
      return factor * 1.0 / 255.0;
    case FX_SAMPLE_U16:
      return factor * 2.0 / 65535.0;
    case FX_SAMPLE_HALF:
      return factor * fmax (1e-5 * range, ldexp (1.0, MAX (ilogb (expected), -14) - 10));
    default:
      return factor * 1e-5 * range;
    }
}

static double
get_levels (FxSample sample)
{
  return sample == FX_SAMPLE_U8 ? 255.0 : 65535.0;
}

/* The stored value that an exact one becomes. */
static double
rounded (FxSample sample, double exact)
{
  double levels = get_levels (sample);

  if (sample != FX_SAMPLE_U8 && sample != FX_SAMPLE_U16)
    return exact;
  return floor (exact * levels + 0.5) / levels;
}

/* Next to a tie either neighbour is right: no arithmetic in single precision could tell them apart.
 */
static gboolean
is_equal (FxSample sample, double exact, double actual)
{
  double levels = get_levels (sample);

  return fabs (actual - rounded (sample, exact)) < 1e-9 ||
         fabs (actual - exact) * levels < 0.5 + (sample == FX_SAMPLE_U8 ? 1e-3 : 0.01);
}

typedef struct {
  double share; /* of what is allowed */
  double actual, expected;
  int x, y, channel;
  gsize count, bad;
  gsize direct, equal; /* those not compared premultiplied, and how many of them are equal */
} Worst;

static void
compare_sample (Worst *worst, double actual, double expected, double bound, int x, int y, int c)
{
  double error = fabs (actual - expected);
  double share = isfinite (error) ? error / bound : INFINITY;

  worst->count++;
  worst->bad += share > 1.0 + 1e-9; /* the slack is this comparison's own rounding */
  if (share <= worst->share)
    return;
  worst->share = share;
  worst->actual = actual;
  worst->expected = expected;
  worst->x = x;
  worst->y = y;
  worst->channel = c;
}

static void
compare_pixel (Worst *worst, const Raster *raster, const double *actual, const double *expected,
               int x, int y, double range, double factor)
{
  FxSample sample = raster->format.sample;
  int alpha = colours (&raster->format);
  gboolean faint = has_alpha (&raster->format) && expected[alpha] < ALPHA_FLOOR;

  for (int c = 0; c < raster->format.channels; c++)
    {
      double value = rounded (sample, expected[c]);
      double bound = allowed (sample, value, range, factor);

      if (faint && c < alpha)
        compare_sample (worst, actual[c] * actual[alpha], expected[c] * expected[alpha],
                        allowed (sample, expected[c] * expected[alpha], range, factor), x, y, c);
      else
        {
          compare_sample (worst, actual[c], value, bound, x, y, c);
          worst->direct++;
          worst->equal += is_equal (sample, expected[c], actual[c]);
        }
    }
}

char *
raster_compare (const Raster *actual, const double *expected, double range, double factor)
{
  g_autofree double *values = raster_values (actual);
  /* The share of samples that must be equal; what is over the contract's bound has none to keep. */
  double share = factor > 1.0                             ? 0.0
                 : actual->format.sample == FX_SAMPLE_U8  ? 0.99
                 : actual->format.sample == FX_SAMPLE_U16 ? 0.5
                                                          : 0.0;
  Worst worst = { 0 };

  for (int y = 0; y < actual->height; y++)
    for (int x = 0; x < actual->width; x++)
      {
        gsize at = ((gsize) y * actual->width + x) * actual->format.channels;

        compare_pixel (&worst, actual, values + at, expected + at, x, y, range, factor);
      }
  if (worst.bad == 0 && worst.equal >= share * worst.direct)
    return NULL;
  return g_strdup_printf ("%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                          " samples out of bounds, %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                          " equal (%g asked); worst at "
                          "%d,%d channel %d: %.9g, expected %.9g, %.3g times what is allowed",
                          worst.bad, worst.count, worst.equal, worst.direct, share, worst.x,
                          worst.y, worst.channel, worst.actual, worst.expected, worst.share);
}

char *
raster_differs (const Raster *actual, const Raster *expected)
{
  gsize count = 0, first = 0;
  g_autofree double *a = NULL, *e = NULL;

  if (raster_equal (actual, expected))
    return NULL;
  if (actual->width != expected->width || actual->height != expected->height)
    return g_strdup_printf ("%d x %d pixels, expected %d x %d", actual->width, actual->height,
                            expected->width, expected->height);
  for (gsize i = raster_bytes (actual); i-- > 0;)
    if (actual->pixels[i] != expected->pixels[i])
      {
        count++;
        first = i;
      }
  a = raster_values (actual);
  e = raster_values (expected);
  first /= fx_sample_size (actual->format.sample);
  return g_strdup_printf ("%" G_GSIZE_FORMAT " bytes differ, the first at %d,%d channel %d: %.9g, "
                          "expected %.9g",
                          count, (int) (first / actual->format.channels % actual->width),
                          (int) (first / actual->format.channels / actual->width),
                          (int) (first % actual->format.channels), a[first], e[first]);
}
