#include "picture.h"

#define TOLERANCE 2    /* levels of 255 */
#define SHARE_MIN 1e-6 /* of what a pixel of the view covers; less is rounding */

/* The layer's pixels under a view. */
typedef struct {
  FxFormat format;
  FxRect bounds;  /* of the layer, enlarged */
  FxRect rect;    /* of the values, in the same coordinates */
  double *values; /* as raster_values has them; then premultiplied and linear */
} Part;

/* A stretch of one axis, in the layer's pixels. */
typedef struct {
  double low, high;
} Stretch;

static Stretch
get_stretch (int i, double scale, int low, int high)
{
  double centre = floor ((i + 0.5) / scale);
  Stretch stretch = { fmax (i / scale, low), fmin ((i + 1) / scale, high) };

  if (scale >= 1.0)
    return (Stretch) { centre, centre >= low && centre < high ? centre + 1.0 : centre };
  if (stretch.high - stretch.low < SHARE_MIN / scale)
    stretch.high = stretch.low;
  return stretch;
}

static double
get_share (Stretch stretch, int pixel)
{
  return fmin (pixel + 1.0, stretch.high) - fmax (pixel, stretch.low);
}

/* The part. */

/* The pixels from low to high - 1 that a view of n pixels from i on covers. */
static void
find_pixels (int i, int n, double scale, int low, int high, int *first, int *count)
{
  double start = CLAMP (floor (i / scale), low, high - 1);
  double end = CLAMP (ceil ((i + n) / scale), start + 1, high);

  *first = (int) start;
  *count = (int) (end - start);
}

static double *
crop_mask (const PictureLayer *layer, const FxRect *rect)
{
  double *mask = g_new (double, (gsize) rect->width * rect->height);

  for (int y = 0; y < rect->height; y++)
    memcpy (mask + (gsize) y * rect->width,
            layer->mask + (gsize) (rect->y + y) * layer->raster->width + rect->x,
            rect->width * sizeof *mask);
  return mask;
}

/* The raster's pixels of rect, blurred. NULL if the engine refuses. */
static Raster *
blur_part (const Raster *raster, const BlurParams *params, const FxRect *rect)
{
  g_autoptr (Raster) blurred = params ? raster_blur (raster, params, rect, NULL) : NULL;

  if (params && ! blurred)
    return NULL;
  return raster_crop (params ? blurred : raster, rect);
}

/* rect: in the layer as it is, which lies grow pixels within the enlarged one. */
static double *
get_values (const PictureLayer *layer, const FxRect *rect)
{
  gboolean grown = layer->grow_x > 0 || layer->grow_y > 0;
  g_autoptr (Raster)
    large = grown ? raster_enlarge (layer->raster, layer->grow_x, layer->grow_y, FALSE) : NULL;
  const Raster *raster = grown ? large : layer->raster;
  FxRect moved = { rect->x + layer->grow_x, rect->y + layer->grow_y, rect->width, rect->height };
  g_autoptr (Raster) after = blur_part (raster, layer->params, &moved);
  g_autoptr (Raster) before = raster_crop (raster, &moved);
  g_autofree double *blurred = after ? raster_values (after) : NULL;
  g_autofree double *mask = layer->mask ? crop_mask (layer, rect) : NULL;
  double *values = mask && blurred ? raster_mix (before, blurred, mask)
                                   : g_steal_pointer (&blurred);

  if (values && layer->kept)
    raster_keep (before, values, layer->kept);
  return values;
}

static gboolean
part_init (Part *part, const PictureLayer *layer, const PictureView *view)
{
  const FxRect *seen = &view->rect;
  int width = layer->raster->width + layer->grow_x, height = layer->raster->height + layer->grow_y;
  FxRect *rect = &part->rect;

  part->format = layer->raster->format;
  part->bounds = (FxRect) { -layer->grow_x, -layer->grow_y, width + layer->grow_x,
                            height + layer->grow_y };
  find_pixels (seen->x, seen->width, view->scale, -layer->grow_x, width, &rect->x, &rect->width);
  find_pixels (seen->y, seen->height, view->scale, -layer->grow_y, height, &rect->y, &rect->height);
  part->values = get_values (layer, rect);
  if (part->values)
    raster_premultiply (part->values, (gsize) rect->width * rect->height, &part->format,
                        FX_LIGHT_LINEAR);
  return part->values != NULL;
}

/* The view. */

/* Sets sums to the part's average over the stretches, in its own channels. Returns FALSE if they
 * are empty. */
static gboolean
average (const Part *part, Stretch columns, Stretch rows, double *sums)
{
  double area = (columns.high - columns.low) * (rows.high - rows.low);
  int channels = part->format.channels;

  for (int c = 0; c < channels; c++)
    sums[c] = 0.0;
  for (int y = (int) floor (rows.low); y < rows.high; y++)
    for (int x = (int) floor (columns.low); x < columns.high; x++)
      {
        gsize place = (gsize) (y - part->rect.y) * part->rect.width + x - part->rect.x;
        double share = get_share (columns, x) * get_share (rows, y) / area;

        for (int c = 0; c < channels; c++)
          sums[c] += share * part->values[place * channels + c];
      }
  return area > 0.0;
}

/* A pixel of the view, as it is shown: straight alpha, through sRGB's curve. */
static void
get_pixel (const Part *part, Stretch columns, Stretch rows, guint8 *rgba)
{
  static const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  int channels = part->format.channels;
  double sums[4], pixel[4];
  gboolean there = average (part, columns, rows, sums);

  for (int c = 0; c < 3; c++) /* grey is all three */
    pixel[c] = sums[channels > 2 ? c : 0];
  pixel[3] = ! there ? 0.0 : channels % 2 == 0 ? sums[channels - 1] : 1.0;
  raster_unpremultiply (pixel, 1, &format, FX_LIGHT_LINEAR);
  for (int c = 0; c < 4; c++)
    rgba[c] = (guint8) floor (CLAMP (pixel[c], 0.0, 1.0) * 255.0 + 0.5);
}

/* In integers, as GimpPreviewArea does. */
static void
put_on_checks (const guint8 *rgba, int x, int y, const PictureChecks *checks, guint8 *rgb)
{
  int check = (x & checks->size) ^ (y & checks->size) ? checks->dark : checks->light;

  for (int c = 0; c < 3; c++)
    rgb[c] = rgba[3] == 0     ? check
             : rgba[3] == 255 ? rgba[c]
                              : ((check << 8) + (rgba[c] - check) * (rgba[3] + 1)) >> 8;
}

guint8 *
picture_render (const PictureLayer *layer, const PictureView *view, const PictureChecks *checks)
{
  const FxRect *rect = &view->rect;
  guint8 *pixels, *pixel, rgba[4];
  Part part;

  if (! part_init (&part, layer, view))
    return NULL;
  pixel = pixels = g_malloc_n ((gsize) rect->width * rect->height, 3);
  for (int y = rect->y; y < rect->y + rect->height; y++)
    for (int x = rect->x; x < rect->x + rect->width; x++, pixel += 3)
      {
        const FxRect *bounds = &part.bounds;

        get_pixel (&part, get_stretch (x, view->scale, bounds->x, bounds->x + bounds->width),
                   get_stretch (y, view->scale, bounds->y, bounds->y + bounds->height), rgba);
        put_on_checks (rgba, x, y, checks, pixel);
      }
  g_free (part.values);
  return pixels;
}

char *
picture_compare (const guint8 *actual, const guint8 *expected, int width, int height)
{
  int count = width * height, bad = 0, most = 0, worst = 0;

  for (int i = 0; i < count; i++)
    {
      int error = 0;

      for (int c = 0; c < 3; c++)
        error = MAX (error, abs (actual[3 * i + c] - expected[3 * i + c]));
      bad += error > TOLERANCE;
      if (error > most)
        {
          most = error;
          worst = i;
        }
    }
  if (bad == 0)
    return NULL;
  actual += 3 * worst;
  expected += 3 * worst;
  return g_strdup_printf (
    "%d of %d pixels are wrong, the worst at %d,%d: %d %d %d, expected %d %d %d", bad, count,
    worst % width, worst / width, actual[0], actual[1], actual[2], expected[0], expected[1],
    expected[2]);
}
