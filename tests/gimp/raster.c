#include "raster.h"
#include "../lib/reference.h"

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
         fx_format_equal (&a->format, &b->format) &&
         memcmp (a->pixels, b->pixels, raster_bytes (a)) == 0;
}

static guint8 *
pixel_at (const Raster *raster, int x, int y)
{
  return raster->pixels + ((gsize) y * raster->width + x) * fx_format_size (&raster->format);
}

/* Samples */

double *
raster_values (const Raster *raster)
{
  gsize count = (gsize) raster->width * raster->height * raster->format.channels;

  return reference_decode_all (raster->format.sample, raster->pixels, count);
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
                   wild && c < raster_get_colours (format)); /* alpha is coverage: 0 to 1 */
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

Raster *
raster_enlarge (const Raster *raster, int x, int y, gboolean white)
{
  Raster *large = raster_new (&raster->format, raster->width + 2 * x, raster->height + 2 * y);
  gsize count = (gsize) large->width * large->height * large->format.channels;

  for (gsize i = 0; white && i < count; i++)
    reference_encode (raster->format.sample, 1.0, large->pixels, i);
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
