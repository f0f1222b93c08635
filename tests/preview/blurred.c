#include "blurred.h"
#include "memory.h"
#include "pixel.h"
#include "reference.h"
#include "run.h"
#include "tested.h"

void
blurred_clear (Blurred *b)
{
  g_free (b->values);
  g_free (b->leeways);
}

/* The image with its zeros around it. */
static guint8 *
grow (const Subject *s, const Blurred *b)
{
  const gsize size = fx_format_size (&s->format);
  const gsize width = b->right - b->left;
  guint8 *extended = g_malloc0_n (width * (b->bottom - b->top), size);

  for (int y = 0; y < s->height; y++)
    memcpy (extended + ((y - b->top) * width - b->left) * size,
            s->pixels + (gsize) y * s->width * size, s->width * size);
  return extended;
}

static double
get_share (const Subject *s, int x, int y)
{
  if (! s->mask || x < 0 || x >= s->width || y < 0 || y >= s->height)
    return 1.0;
  return s->mask[(gsize) y * s->width + x] / 255.0;
}

static void
blur (const BlurParams *params, const Memory *memory)
{
  const FxImage image = memory_get_image (memory);
  g_autoptr (GError) error = NULL;

  run_blur (tested_engine (), params, FX_DEVICE_CPU, &image, NULL, &error);
  g_assert_no_error (error);
}

/* The blur of before in double precision, n pixels of memory's image: not rounded to its format. */
static double *
blur_exactly (const BlurParams *params, const Memory *memory, gsize n)
{
  g_autofree double *in = reference_decode_all (memory->format.sample, memory->pixels,
                                                n * memory->format.channels);
  double *out = g_new (double, n * memory->format.channels);
  Memory exact = *memory;

  exact.format.sample = FX_SAMPLE_DOUBLE;
  exact.pixels = in;
  exact.result = out;
  blur (params, &exact);
  return out;
}

/* One pixel, i-th of before and after, of which the blur has that share. */
static void
blurred_set (Blurred *b, const Subject *s, gconstpointer before, gconstpointer after,
             const double *exact, gsize i, double share)
{
  double *values = b->values + i * b->channels, *leeways = b->leeways + i * b->channels;

  pixel_mix (s, before, after, i, share, values);
  pixel_get_leeways (s, after, exact, i, leeways);
  if (share == 0.0)
    memset (leeways, 0, b->channels * sizeof *leeways);
  else if (share < 1.0)
    pixel_mix_leeways (s, share, values, leeways);
  if (s->coverage && s->format.gamma)
    {
      leeways[0] = pixel_spread (&s->format.trc, values[0], leeways[0]);
      values[0] = reference_trc_to_linear (&s->format.trc, values[0]);
    }
  if (s->locked)
    {
      pixel_keep_leeways (s, before, i, values, leeways);
      pixel_keep (s, before, i, values);
    }
}

void
blurred_init (Blurred *b, const Subject *s, const BlurParams *params, const FxView *view)
{
  BlurParams p = *params;
  g_autofree guint8 *before = NULL;
  g_autofree guint8 *after = NULL;
  g_autofree double *exact = NULL;
  Memory memory;
  gsize i = 0, n;

  *b = (Blurred) { -view->grow_x, -view->grow_y, s->width + view->grow_x, s->height + view->grow_y,
                   s->format.channels };
  before = grow (s, b);
  n = (gsize) (b->right - b->left) * (b->bottom - b->top);
  after = g_malloc (n * fx_format_size (&s->format));
  memory = (Memory) { before, after, b->right - b->left, b->bottom - b->top, s->format };
  if (s->coverage)
    {
      memory.format.gamma = FALSE;
      p.light = FX_LIGHT_LINEAR;
    }
  blur (&p, &memory);
  if (s->format.sample == FX_SAMPLE_U8)
    exact = blur_exactly (&p, &memory, n);
  b->values = g_new (double, n * b->channels);
  b->leeways = g_new (double, n * b->channels);
  for (int y = b->top; y < b->bottom; y++)
    for (int x = b->left; x < b->right; x++, i++)
      blurred_set (b, s, before, after, exact, i, get_share (s, x, y));
}

/* Sets the image's area that pixel i of the scaled image covers along an axis: one whole pixel at
 * scales of 1 or more. */
static void
get_area (int i, double scale, int low, int high, double *start, double *end)
{
  *start = i / scale;
  *end = (i + 1) / scale;
  if (scale >= 1.0)
    {
      *start = floor ((i + 0.5) / scale);
      *end = *start + 1.0;
    }
  *start = MAX (*start, low);
  *end = MIN (*end, high);
}

gboolean
blurred_average (const Blurred *b, const FxView *v, int i, int j, double *values, double *leeways)
{
  double x0, x1, y0, y1;

  get_area (v->rect.x + i, v->scale, b->left, b->right, &x0, &x1);
  get_area (v->rect.y + j, v->scale, b->top, b->bottom, &y0, &y1);
  memset (values, 0, 4 * sizeof *values);
  memset (leeways, 0, 4 * sizeof *leeways);
  if (x1 - x0 < 1e-9 || y1 - y0 < 1e-9)
    return FALSE;
  for (int y = (int) floor (y0); y < y1; y++)
    for (int x = (int) floor (x0); x < x1; x++)
      {
        const double area = (MIN (x + 1, x1) - MAX (x, x0)) * (MIN (y + 1, y1) - MAX (y, y0)) /
                            ((x1 - x0) * (y1 - y0));
        const gsize place = (gsize) (y - b->top) * (b->right - b->left) + x - b->left;

        for (int c = 0; c < b->channels; c++)
          {
            values[c] += b->values[place * b->channels + c] * area;
            leeways[c] += b->leeways[place * b->channels + c] * area;
          }
      }
  return TRUE;
}
