#include "raster.h"

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

static guint8 *
pixel_at (const Raster *raster, int x, int y)
{
  return raster->pixels + ((gsize) y * raster->width + x) * fx_format_size (&raster->format);
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
random_half (GRand *rand)
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
      return 0x0001;
    case 4:
      return 0x3bff;
    default:
      return g_rand_int_range (rand, 0x3000, 0x3c01); /* 1/8 to 1 */
    }
}

static double
random_real (GRand *rand)
{
  switch (g_rand_int_range (rand, 0, 8))
    {
    case 0:
      return 0.0;
    case 1:
      return 1.0;
    case 2:
      return 1e-6;
    default:
      return g_rand_double (rand);
    }
}

static void
random_sample (FxSample sample, void *at, GRand *rand)
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
      *(guint16 *) at = random_half (rand);
      break;
    case FX_SAMPLE_FLOAT:
      *(float *) at = random_real (rand);
      break;
    case FX_SAMPLE_DOUBLE:
      *(double *) at = random_real (rand);
      break;
    }
}

static void
random_pixel (const FxFormat *format, guint8 *at, GRand *rand)
{
  for (int c = 0; c < format->channels; c++)
    random_sample (format->sample, at + c * fx_sample_size (format->sample), rand);
}

void
raster_fill (Raster *raster, GRand *rand)
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
          random_pixel (&raster->format, pixel_at (raster, x, y), rand);
      }
}

/* Parts */

void
raster_put (Raster *raster, const Raster *part, int x, int y)
{
  for (int row = 0; row < part->height; row++)
    memcpy (pixel_at (raster, x, y + row), pixel_at (part, 0, row),
            part->width * fx_format_size (&part->format));
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

/* Whether they are what they should be */

char *
raster_differs (const Raster *actual, const Raster *expected, int most)
{
  gsize size = fx_format_size (&expected->format), count = 0, first = 0;

  if (actual->width != expected->width || actual->height != expected->height)
    return g_strdup_printf ("%d x %d pixels, expected %d x %d", actual->width, actual->height,
                            expected->width, expected->height);
  for (gsize i = raster_bytes (actual); i-- > 0;)
    if (abs (actual->pixels[i] - expected->pixels[i]) > most)
      {
        count++;
        first = i;
      }
  if (count == 0)
    return NULL;
  return g_strdup_printf ("%" G_GSIZE_FORMAT " bytes differ, the first at %d,%d: %d, expected %d",
                          count, (int) (first / size % actual->width),
                          (int) (first / size / actual->width), actual->pixels[first],
                          expected->pixels[first]);
}
