#include "subject.h"
#include "reference.h"

#include <math.h>

const double subject_scales[SUBJECT_SCALES] = { 1.0 / 7.3, 1.0 / 2.0, 2.0 / 3.0, 1.0,
                                                3.0,       16.0,      1.0 / 40.0 };
static const char *const sample_names[] = { "u8", "u16", "u32", "half", "float", "double" };
static const char *const abyss_names[] = { "clamp", "none", "black", "white" };

const FxFormat subject_rgba8 = { FX_SAMPLE_U8, 4, TRUE };
const FxFormat subject_rgb8 = { FX_SAMPLE_U8, 3, TRUE };

/* Waves, and noise on top of them: noise is 0 to 1. */
static double
get_color (int x, int y, int channel, double noise)
{
  const double u = g_test_rand_double ();

  return (1.0 - noise) * (0.5 + 0.45 * sin (0.11 * x + channel) * cos (0.07 * y - channel)) +
         noise * u;
}

/* Opaque, but for a hole with a soft edge in the middle. */
static double
get_alpha (const Subject *s, int x, int y)
{
  const double distance = hypot (x - s->width / 2, y - s->height / 2);

  return CLAMP (distance / 10.0 - 1.0, 0.0, 1.0);
}

void
subject_fill (Subject *s, int y0, int y1, double noise)
{
  const int channels = s->format.channels;

  for (int y = y0; y < y1; y++)
    for (int x = 0; x < s->width; x++)
      for (int c = 0; c < channels; c++)
        reference_encode (s->format.sample,
                          c % 2 && c == channels - 1 ? get_alpha (s, x, y)
                                                     : get_color (x, y, c, noise),
                          s->pixels, ((gsize) y * s->width + x) * channels + c);
}

void
subject_mask (Subject *s, double radius)
{
  if (! s->mask)
    s->mask = g_malloc ((gsize) s->width * s->height);
  for (int y = 0; y < s->height; y++)
    for (int x = 0; x < s->width; x++)
      {
        const double distance = radius - hypot (x - s->width / 3, y - s->height / 3);

        s->mask[(gsize) y * s->width + x] = (guint8) CLAMP (20.0 * distance, 0.0, 255.0);
      }
  fx_preview_set_mask (s->preview, s->mask);
}

void
subject_keep (Subject *s, guint channels)
{
  s->locked = channels;
  fx_preview_set_locked (s->preview, channels);
}

void
subject_init (Subject *s, FxEngine *engine, FxFormat format, gboolean coverage, int width,
              int height)
{
  *s = (Subject) { .format = format, .coverage = coverage, .width = width, .height = height };
  s->pixels = g_malloc (fx_format_size (&format) * width * height);
  subject_fill (s, 0, height, 0.5);
  s->preview = fx_preview_new (engine, &format, coverage, width, height, s->pixels);
}

void
subject_clear (Subject *s)
{
  fx_preview_free (s->preview);
  g_free (s->pixels);
  g_free (s->mask);
}

FxRect
subject_get_rect (const Subject *s, double scale)
{
  const int width = g_test_rand_int_range (1, SUBJECT_VIEW_MAX + 1);
  const int height = g_test_rand_int_range (1, SUBJECT_VIEW_MAX + 1);
  const int right = (int) ceil (s->width * scale);
  const int bottom = (int) ceil (s->height * scale);

  return (FxRect) { g_test_rand_int_range (-width / 2, MAX (1, right - width / 2)),
                    g_test_rand_int_range (-height / 2, MAX (1, bottom - height / 2)), width,
                    height };
}

FxRect
subject_get_whole (const Subject *s, double scale, int grow_x, int grow_y)
{
  const int x = (int) floor (-grow_x * scale) - 2;
  const int y = (int) floor (-grow_y * scale) - 2;

  return (FxRect) { x, y, (int) ceil ((s->width + grow_x) * scale) + 2 - x,
                    (int) ceil ((s->height + grow_y) * scale) + 2 - y };
}

char *
subject_describe (const Subject *s, const BlurParams *p, const FxView *v)
{
  return g_strdup_printf ("%s, %d channels, %s%s, %dx%d, mask %d, locked %x, sigma %.6g x %.6g, "
                          "kernel %d, abyss %s, light %d, scale "
                          "%.6g, rect %dx%d at %d,%d, grown by %d x %d",
                          sample_names[s->format.sample], s->format.channels,
                          s->format.gamma ? "gamma" : "linear", s->coverage ? ", coverage" : "",
                          s->width, s->height, s->mask != NULL, s->locked, p->sigma_x, p->sigma_y,
                          p->kernel_size, abyss_names[p->abyss], p->light, v->scale, v->rect.width,
                          v->rect.height, v->rect.x, v->rect.y, v->grow_x, v->grow_y);
}
