/* Views of a resident image (preview.h), on one device: test-preview --device=cpu|gpu, then the
 * options of GLib's tests. Exits 77 where there is no GPU to test.
 *
 * A view is compared with one that is made here in double precision, straight from what preview.h
 * says, of the whole image as the engine's CPU blurs it. Tolerance, in levels of 255 from the
 * unrounded value: half a level, for that is rounded once, 0.02 for single precision, and what
 * comes of the leeway that each of its pixels has before it is averaged:
 *   - The blur is stored in the image's format. Where its unrounded value lies next to a tie, by no
 *     more than single precision can tell, two devices may round it apart, by a step of the format.
 *   - What is mixed under a mask is stored in it too on the CPU, as GIMP does, but not on the GPU:
 *     half a step.
 * Let a pixel's colour be c, in linear light, its alpha a, their leeways dc and da. Premultiplied
 * colour is off by a dc + c da. Averaged with its neighbours to colour C, alpha A, straight colour
 * L = C / A, the view is off by
 *     (C' + L A') / A, where C' and A' are the averages of these,
 * so a faint pixel magnifies both: at A = 0.19, in a mask's soft edge and of noise, half a step of
 * 8 bits in alpha alone can be more than one level. */
#include "fingerprint.h"
#include "memory.h"
#include "pairs.h"
#include "preview.h"
#include "reference.h"
#include "seed.h"
#ifdef SHIM
#include "shim/shim-device.h"
#endif

#include <math.h>
#include <omp.h>
#include <string.h>

#define MISMATCHES_SHOWN 10
#define VIEW_MAX         64 /* pixels, of each side */
#define KERNEL_MAX       9999
#define DRAFT_MAX        3     /* levels that a draft of long waves may be off */
#define PRECISION        1e-6  /* of premultiplied light: what single precision leaves open */
#define SLOPE_MAX        12.92 /* of sRGB's curve */

static FxDevice device;  /* GPU or CPU: the one to test */
static FxEngine *engine; /* shared, so that the GPU is opened once */

static const char *const sample_names[] = { "u8", "u16", "u32", "half", "float", "double" };
static const char *const abyss_names[] = { "clamp", "none", "black", "white" };
static const double scales[] = { 1.0 / 7.3, 1.0 / 2.0, 2.0 / 3.0, 1.0, 3.0, 16.0, 1.0 / 40.0 };

/* ---- subjects: an image, its mask and its preview ---- */

typedef struct {
  FxFormat format;
  gboolean coverage;
  int width, height;
  guint8 *pixels;
  guint8 *mask; /* or NULL */
  guint kept;   /* channels: bits */
  FxPreview *preview;
} Subject;

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

static void
fill_rows (Subject *s, int y0, int y1, double noise)
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

/* A disc of all, with a soft edge, on nothing. */
static void
fill_mask (Subject *s, double radius)
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

static void
set_kept (Subject *s, guint channels)
{
  s->kept = channels;
  fx_preview_set_kept (s->preview, channels);
}

static void
subject_init (Subject *s, FxEngine *with, FxFormat format, gboolean coverage, int width, int height)
{
  *s = (Subject) { .format = format, .coverage = coverage, .width = width, .height = height };
  s->pixels = g_malloc (fx_format_size (&format) * width * height);
  fill_rows (s, 0, height, 0.5);
  s->preview = fx_preview_new (with, &format, coverage, width, height, s->pixels);
}

static void
subject_clear (Subject *s)
{
  fx_preview_free (s->preview);
  g_free (s->pixels);
  g_free (s->mask);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Subject, subject_clear)

static char *
describe (const Subject *s, const BlurParams *p, const FxView *v)
{
  return g_strdup_printf ("%s, %d channels, %s%s, %dx%d, mask %d, kept %x, sigma %.6g x %.6g, "
                          "kernel %d, abyss %s, light %d, scale "
                          "%.6g, rect %dx%d at %d,%d, grown by %d x %d",
                          sample_names[s->format.sample], s->format.channels,
                          s->format.gamma ? "gamma" : "linear", s->coverage ? ", coverage" : "",
                          s->width, s->height, s->mask != NULL, s->kept, p->sigma_x, p->sigma_y,
                          p->kernel_size, abyss_names[p->abyss], p->light, v->scale, v->rect.width,
                          v->rect.height, v->rect.x, v->rect.y, v->grow_x, v->grow_y);
}

/* ---- what a view must be ---- */

/* The whole image as it is after the blur, of double precision: premultiplied and linear. */
typedef struct {
  int left, top, right, bottom; /* of the grown image */
  int channels;
  double *values;
  double *leeways; /* of each of them */
} Blurred;

static void
blurred_clear (Blurred *b)
{
  g_free (b->values);
  g_free (b->leeways);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Blurred, blurred_clear)

/* The image with its zeros around it. */
static guint8 *
grow (const Subject *s, const Blurred *b)
{
  const gsize size = fx_format_size (&s->format);
  const gsize width = b->right - b->left;
  guint8 *grown = g_malloc0_n (width * (b->bottom - b->top), size);

  for (int y = 0; y < s->height; y++)
    memcpy (grown + ((y - b->top) * width - b->left) * size,
            s->pixels + (gsize) y * s->width * size, s->width * size);
  return grown;
}

/* A pixel's channels, premultiplied; linear: of samples through the curve. */
static void
decode (const Subject *s, gconstpointer samples, gsize i, gboolean linear, double *values)
{
  const int channels = s->format.channels;
  const gboolean has_alpha = channels % 2 == 0;
  const double alpha = has_alpha
                         ? reference_decode (s->format.sample, samples, i * channels + channels - 1)
                         : 1.0;

  for (int c = 0; c < channels - has_alpha; c++)
    {
      const double value = reference_decode (s->format.sample, samples, i * channels + c);

      values[c] = alpha * (linear && s->format.gamma ? reference_to_linear (value) : value);
    }
  if (has_alpha)
    values[channels - 1] = alpha;
}

/* Pixel i of the grown image; share: of the blur in it. Of coverage: as it is stored. */
static void
mix (const Subject *s, gconstpointer before, gconstpointer after, gsize i, double share,
     double *values)
{
  double from[4], to[4];

  decode (s, before, i, ! s->coverage, from);
  decode (s, after, i, ! s->coverage, to);
  for (int c = 0; c < s->format.channels; c++)
    values[c] = from[c] + share * (to[c] - from[c]);
}

/* Gives pixel i the channels that are kept, straight, and all of them where it is transparent. */
static void
keep (const Subject *s, gconstpointer before, gsize i, double *values)
{
  const int channels = s->format.channels, alpha = channels - 1;
  const gboolean has_alpha = channels % 2 == 0;
  const double gone = has_alpha ? values[alpha] : 1.0;
  double old[4];

  decode (s, before, i, TRUE, old);
  if (gone == 0.0)
    {
      memcpy (values, old, channels * sizeof *values);
      return;
    }
  if (has_alpha && s->kept >> alpha & 1)
    values[alpha] = old[alpha];
  for (int c = 0; c < channels - has_alpha; c++)
    {
      const double sample = reference_decode (s->format.sample, before, i * channels + c);
      const double color = s->format.gamma ? reference_to_linear (sample) : sample;

      values[c] = (s->kept >> c & 1 ? color : values[c] / gone) * (has_alpha ? values[alpha] : 1.0);
    }
}

/* What that makes of the leeways of values that are to be kept. A straight colour has its
 * premultiplied one's, divided by its alpha; a pixel that may be transparent may be another
 * altogether. */
static void
keep_leeways (const Subject *s, gconstpointer before, gsize i, const double *values,
              double *leeways)
{
  const int channels = s->format.channels, last = channels - 1;
  const gboolean has_alpha = channels % 2 == 0;
  const double gone = has_alpha ? values[last] : 1.0;
  const gboolean alpha_kept = has_alpha && s->kept >> last & 1;
  double old[4], alpha, da;

  decode (s, before, i, TRUE, old);
  alpha = alpha_kept ? old[last] : gone;
  da = has_alpha && ! alpha_kept ? leeways[last] : 0.0;
  for (int c = 0; c < channels - has_alpha; c++)
    {
      double color = has_alpha && old[last] > 0.0 ? old[c] / old[last] : old[c];

      if (gone == 0.0)
        leeways[c] = leeways[last] > 0.0 ? old[last] : 0.0;
      else
        leeways[c] = s->kept >> c & 1 ? da * color : leeways[c] / gone * alpha;
    }
  if (has_alpha)
    leeways[last] = gone == 0.0 && da > 0.0 ? MAX (da, old[last]) : da;
}

static double
get_share (const Subject *s, int x, int y)
{
  if (! s->mask || x < 0 || x >= s->width || y < 0 || y >= s->height)
    return 1.0;
  return s->mask[(gsize) y * s->width + x] / 255.0;
}

/* How far apart neighbours among stored samples are. */
static double
get_step (FxSample sample, double value)
{
  switch (sample)
    {
    case FX_SAMPLE_U8:
      return 1.0 / 255.0;
    case FX_SAMPLE_U16:
      return 1.0 / 65535.0;
    case FX_SAMPLE_HALF:
      return ldexp (MAX (fabs (value), 0x1p-14), -10);
    default:
      return PRECISION;
    }
}

/* By how much stored sample i may differ from device to device. uncertain: by single precision,
 * before it is rounded. exact: the samples before that, or NULL; they tell which are near a tie, of
 * 8 bits, where a step matters. */
static double
get_stored_leeway (FxSample sample, gconstpointer stored, const double *exact, gsize i,
                   double uncertain)
{
  double low, high;

  if (! exact)
    return get_step (sample, reference_decode (sample, stored, i)) + uncertain;
  low = CLAMP (exact[i] - uncertain, 0.0, 1.0);
  high = CLAMP (exact[i] + uncertain, 0.0, 1.0);
  return (floor (high * 255.0 + 0.5) - floor (low * 255.0 + 0.5)) / 255.0;
}

/* What leeway of a stored colour is in linear light. */
static double
spread (gboolean curve, double value, double leeway)
{
  if (! curve || leeway == 0.0)
    return leeway;
  return MAX (reference_to_linear (value + leeway) - reference_to_linear (value),
              reference_to_linear (value) - reference_to_linear (value - leeway));
}

/* The leeways of pixel i of the blur. */
static void
get_leeways (const Subject *s, gconstpointer after, const double *exact, gsize i, double *leeways)
{
  const FxSample sample = s->format.sample;
  const int channels = s->format.channels, last = channels - 1;
  const gboolean has_alpha = channels % 2 == 0, curve = s->format.gamma && ! s->coverage;
  const double alpha = has_alpha ? reference_decode (sample, after, i * channels + last) : 1.0;
  const double da = has_alpha
                      ? get_stored_leeway (sample, after, exact, i * channels + last, PRECISION)
                      : 0.0;
  const double uncertain = SLOPE_MAX * PRECISION / MAX (alpha, PRECISION);

  for (int c = 0; c < channels - has_alpha; c++)
    {
      const double value = reference_decode (sample, after, i * channels + c);
      const double dc = get_stored_leeway (sample, after, exact, i * channels + c, uncertain);

      leeways[c] = (alpha + da) * MIN (1.0, spread (curve, value, dc));
      if (da > 0.0)
        leeways[c] += da * (curve ? reference_to_linear (value) : value);
    }
  if (has_alpha)
    leeways[last] = da;
}

/* The same after values were mixed of it and stored once more. */
static void
mix_leeways (const Subject *s, double share, const double *values, double *leeways)
{
  const int channels = s->format.channels, last = channels - 1;
  const gboolean has_alpha = channels % 2 == 0, curve = s->format.gamma && ! s->coverage;
  const double alpha = has_alpha ? values[last] : 1.0;
  const double da = has_alpha ? get_step (s->format.sample, alpha) / 2.0 : 0.0;

  for (int c = 0; c < channels - has_alpha; c++)
    {
      const double light = alpha > 1e-9 ? values[c] / alpha : 0.0;
      const double value = curve ? reference_to_gamma (light) : light;
      const double half = get_step (s->format.sample, value) / 2.0;

      leeways[c] = share * leeways[c] + (alpha + da) * spread (curve, value, half) + da * light;
    }
  if (has_alpha)
    leeways[last] = share * leeways[last] + da;
}

static void
blur (const BlurParams *params, const Memory *memory)
{
  const FxImage image = memory_get_image (memory);
  g_autoptr (GError) error = NULL;

  fx_engine_run (engine, params, &image, NULL, &error);
  g_assert_no_error (error);
}

/* The blur of before in double precision, n pixels of memory's image: not rounded to its format. */
static double *
blur_exactly (const BlurParams *params, const Memory *memory, gsize n)
{
  g_autofree double *in = g_new (double, n * memory->format.channels);
  double *out = g_new (double, n * memory->format.channels);
  Memory exact = *memory;

  for (gsize i = 0; i < n * memory->format.channels; i++)
    in[i] = reference_decode (memory->format.sample, memory->pixels, i);
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

  mix (s, before, after, i, share, values);
  get_leeways (s, after, exact, i, leeways);
  if (share == 0.0)
    memset (leeways, 0, b->channels * sizeof *leeways);
  else if (share < 1.0)
    mix_leeways (s, share, values, leeways);
  if (s->coverage && s->format.gamma)
    {
      leeways[0] = spread (TRUE, values[0], leeways[0]);
      values[0] = reference_to_linear (values[0]);
    }
  if (s->kept)
    {
      keep_leeways (s, before, i, values, leeways);
      keep (s, before, i, values);
    }
}

static void
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
  p.device = FX_DEVICE_CPU;
  blur (&p, &memory);
  if (s->format.sample == FX_SAMPLE_U8)
    exact = blur_exactly (&p, &memory, n);
  b->values = g_new (double, n * b->channels);
  b->leeways = g_new (double, n * b->channels);
  for (int y = b->top; y < b->bottom; y++)
    for (int x = b->left; x < b->right; x++, i++)
      blurred_set (b, s, before, after, exact, i, get_share (s, x, y));
}

/* Where pixel i of the scaled image lies along an axis. From 1 on it is all of one pixel. */
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

/* The average that the view's pixel i, j shows, and of its leeways. FALSE if it lies beyond the
 * image. */
static gboolean
average (const Blurred *b, const FxView *v, int i, int j, double *values, double *leeways)
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

/* ---- comparing ---- */

static double
to_level (double light)
{
  return 255.0 * reference_to_gamma (CLAMP (light, 0.0, 1.0));
}

/* What a view may be off where its light, before it is rounded, may be off by leeway. */
static double
get_tolerance (double light, double leeway)
{
  return 0.52 + MAX (to_level (light + leeway) - to_level (light),
                     to_level (light) - to_level (light - leeway));
}

/* The largest error of a pixel's bytes, to what is allowed. */
static double
judge (const Subject *s, const double *values, const double *leeways, gboolean there,
       const guint8 *rgba)
{
  const int channels = s->format.channels;
  const gboolean has_alpha = channels % 2 == 0;
  const double alpha = ! there ? 0.0 : has_alpha ? values[channels - 1] : 1.0;
  const double da = has_alpha ? leeways[channels - 1] : 0.0;
  double worst = fabs (rgba[3] - 255.0 * CLAMP (alpha, 0.0, 1.0)) / (0.52 + 255.0 * da);

  for (int c = 0; c < 3; c++)
    {
      const int from = channels > 2 ? c : 0;
      const double light = alpha > 1e-9 ? values[from] / alpha : 0.0;
      const double leeway = alpha > 1e-9
                              ? MIN (1.0, (leeways[from] + light * da + PRECISION) / alpha)
                              : 1.0;

      worst = MAX (worst, fabs (rgba[c] - to_level (light)) / get_tolerance (light, leeway));
    }
  return worst;
}

static void
fail (const char *what, const char *where)
{
  static int shown;

  if (shown++ < MISMATCHES_SHOWN)
    g_test_message ("MISMATCH: %s\n  in %s", what, where);
  g_test_fail ();
}

static void
compare (const Subject *s, const BlurParams *p, const FxView *v, const guint8 *rgba)
{
  g_auto (Blurred) b = { 0 };
  double worst = 0.0, at[4] = { 0.0 };
  int place = 0;

  blurred_init (&b, s, p, v);
  for (int n = 0; n < v->rect.width * v->rect.height; n++)
    {
      double values[4], leeways[4];
      const gboolean there = average (&b, v, n % v->rect.width, n / v->rect.width, values, leeways);
      const double error = judge (s, values, leeways, there, rgba + 4 * n);

      if (error > worst)
        {
          worst = error;
          place = n;
          memcpy (at, values, sizeof at);
        }
    }
  if (worst > 1.0)
    {
      g_autofree char *where = describe (s, p, v);
      g_autofree char *what = g_strdup_printf (
        "%.3f times the tolerance at %d,%d: got %d %d %d %d, of light %.4f %.4f %.4f %.4f", worst,
        place % v->rect.width, place / v->rect.width, rgba[4 * place], rgba[4 * place + 1],
        rgba[4 * place + 2], rgba[4 * place + 3], at[0], at[1], at[2], at[3]);

      fail (what, where);
    }
}

/* ---- one view ---- */

static void
check_report (const Subject *s, const BlurParams *p, const FxView *v, const FxViewReport *r)
{
  g_autofree char *where = describe (s, p, v);

  if (device == FX_DEVICE_GPU && r->report.device != device)
    fail ("the GPU did not do it", where);
  if (p->device == device && (r->draft || *r->report.fallback))
    fail ("a draft, or a fallback, that nobody asked for", where);
  if (! *r->report.device_name)
    fail ("the device has no name", where);
}

static void
check_view (Subject *s, const BlurParams *params, const FxView *v)
{
  g_autofree guint8 *rgba = g_malloc ((gsize) v->rect.width * v->rect.height * 4 + 4);
  g_autoptr (GError) error = NULL;
  BlurParams p = *params;
  FxViewReport report;

  p.device = device;
  memset (rgba, 0xa5, (gsize) v->rect.width * v->rect.height * 4 + 4);
  fx_preview_render (s->preview, &p, v, rgba, NULL, NULL, &report, &error);
  g_assert_no_error (error);
  check_report (s, &p, v, &report);
  compare (s, &p, v, rgba);
  fingerprint_add (rgba, (gsize) v->rect.width * v->rect.height * 4);
  if (rgba[(gsize) v->rect.width * v->rect.height * 4] != 0xa5)
    fail ("written beyond the view", "");
}

/* A part of the scaled image of at most VIEW_MAX pixels a side, which may reach out of it. */
static FxRect
get_rect (const Subject *s, double scale)
{
  const int width = g_test_rand_int_range (1, VIEW_MAX + 1);
  const int height = g_test_rand_int_range (1, VIEW_MAX + 1);
  const int right = (int) ceil (s->width * scale);
  const int bottom = (int) ceil (s->height * scale);

  return (FxRect) { g_test_rand_int_range (-width / 2, MAX (1, right - width / 2)),
                    g_test_rand_int_range (-height / 2, MAX (1, bottom - height / 2)), width,
                    height };
}

/* All of the scaled image, and some more. */
static FxRect
get_whole (const Subject *s, double scale, int grow_x, int grow_y)
{
  const int x = (int) floor (-grow_x * scale) - 2;
  const int y = (int) floor (-grow_y * scale) - 2;

  return (FxRect) { x, y, (int) ceil ((s->width + grow_x) * scale) + 2 - x,
                    (int) ceil ((s->height + grow_y) * scale) + 2 - y };
}

/* ---- tests ---- */

static const FxFormat rgba8 = { FX_SAMPLE_U8, 4, TRUE };
static const FxFormat rgb8 = { FX_SAMPLE_U8, 3, TRUE };

/* Chosen pairwise: the GPU compiles programs for each. */
static void
test_formats (void)
{
  /* Of samples, channels, gamma, light, abyss, sigma, scale and mask. */
  static const int factors[] = { 6, 4, 2, 2, 4, 2, G_N_ELEMENTS (scales), 2 };
  g_autoptr (GArray) rows = pairs_new (factors, G_N_ELEMENTS (factors));

  for (guint n = 0; n < rows->len; n++)
    {
      const int *row = g_array_index (rows, PairsRow, n).values;
      const FxFormat format = { row[0], 1 + row[1], row[2] };
      const BlurParams p = {
        .sigma_x = row[5] ? 1.5 : 8.0, .sigma_y = 2.5, .abyss = row[4], .light = row[3]
      };
      g_auto (Subject) s = { 0 };
      FxView v = { scales[row[6]] };

      subject_init (&s, engine, format, FALSE, 97, 71);
      if (row[7])
        fill_mask (&s, 30.0);
      v.rect = get_rect (&s, v.scale);
      check_view (&s, &p, &v);
    }
}

static void
test_coverage (void)
{
  for (int n = 0; n < 6 * 2 * 2; n++)
    {
      const FxFormat format = { n % 6, 1, n / 6 % 2 };
      const BlurParams p = { .sigma_x = 3.0, .sigma_y = n % 2 ? 3.0 : 20.0, .light = n % 2 };
      g_auto (Subject) s = { 0 };
      FxView v = { scales[n % 4] };

      subject_init (&s, engine, format, TRUE, 80, 60);
      if (n / 12)
        fill_mask (&s, 25.0);
      v.rect = get_whole (&s, v.scale, 0, 0);
      check_view (&s, &p, &v);
    }
}

/* Channels that are kept, under a mask and without, of grown images too. */
static void
test_kept (void)
{
  for (int n = 0; n < 6 * 4 * 2; n++)
    {
      const FxFormat format = { n % 6, 1 + n / 6 % 4, n / 24 };
      const guint all = (1u << format.channels) - 1, alpha = all & ~(all >> 1);
      const guint kept[] = { alpha, all & 1, all & 6 };
      const BlurParams p = { .sigma_x = n / 2 % 3 ? 1.5 : 8.0, .sigma_y = 2.5 };
      g_auto (Subject) s = { 0 };
      FxView v = { scales[n % 5] };

      subject_init (&s, engine, format, FALSE, 97, 71);
      set_kept (&s, kept[(n + n / 6 + n / 24) % 3]);
      if (n / 3 % 2)
        fill_mask (&s, 30.0);
      if (n % 7 == 0)
        v.grow_x = v.grow_y = 9;
      v.rect = get_whole (&s, v.scale, v.grow_x, v.grow_y);
      v.rect.width = MIN (v.rect.width, VIEW_MAX);
      v.rect.height = MIN (v.rect.height, VIEW_MAX);
      check_view (&s, &p, &v);
    }
}

/* Noise in a mask's soft edge, where the image is faint: a step of alpha weighs most there. */
static void
test_faint (void)
{
  for (int n = 0; n < 20; n++)
    {
      const BlurParams p = { .sigma_x = n % 2 ? 2.0 : 12.0, .sigma_y = 2.0 };
      const FxView v = { n % 3 ? 0.5 : 1.0, { 0, 0, 50, 40 } };
      g_auto (Subject) s = { 0 };

      subject_init (&s, engine, rgba8, FALSE, 100, 80);
      fill_rows (&s, 0, 80, 1.0);
      fx_preview_change (s.preview, 0, 80);
      fill_mask (&s, 30.0);
      check_view (&s, &p, &v);
    }
}

/* What a view of a poked image shows: near the infinity as bright, or as dark, as can be, and
 * beyond 9 sigma what it shows of the image without. */
static void
compare_poked (const Subject *s, const BlurParams *p, const FxView *v, int x, int y,
               guint8 expected, const guint8 *rgba)
{
  g_auto (Blurred) b = { 0 };
  g_autofree char *where = describe (s, p, v);

  blurred_init (&b, s, p, v);
  for (int n = 0; n < v->rect.width * v->rect.height; n++)
    {
      double values[4], leeways[4];
      const int i = n % v->rect.width, j = n / v->rect.width;
      const double dx = fabs ((i + 0.5) / v->scale - x - 0.5);
      const double dy = fabs ((j + 0.5) / v->scale - y - 0.5);
      const gboolean there = average (&b, v, i, j, values, leeways);

      if (dx > 9.0 * p->sigma_x + 1.0 / v->scale || dy > 9.0 * p->sigma_y + 1.0 / v->scale)
        {
          if (judge (s, values, leeways, there, rgba + 4 * n) > 1.0)
            fail ("infinity reaches beyond 9 sigma", where);
        }
      else if (dx < 2.0 * p->sigma_x && dy < 2.0 * p->sigma_y && rgba[4 * n] != expected)
        fail ("infinity does not show where it is", where);
    }
}

static void
test_nonfinite (void)
{
  for (int n = 0; n < 16; n++)
    {
      const FxFormat format = { n % 2 ? FX_SAMPLE_FLOAT : FX_SAMPLE_HALF, 4, n / 2 % 2 };
      const double sigma = n / 4 % 2 ? 2.0 : 5.5;
      const BlurParams p = { .sigma_x = sigma, .sigma_y = sigma, .device = device };
      const FxView v = { n / 8 ? 0.5 : 1.0, { 0, 0, 120, 90 } };
      const gsize place = 4 * (30 * 160 + 40);
      g_autofree guint8 *rgba = g_malloc (120 * 90 * 4);
      g_autofree guint8 *pixels = NULL;
      g_auto (Subject) s = { 0 };
      FxViewReport report;

      subject_init (&s, engine, format, FALSE, 160, 120);
      pixels = g_memdup2 (s.pixels, 160 * 120 * fx_format_size (&format));
      reference_encode (format.sample, n % 3 ? INFINITY : -INFINITY, s.pixels, place);
      fx_preview_change (s.preview, 0, 120);
      if (n % 5 < 3)
        {
          s.mask = g_malloc (160 * 120);
          memset (s.mask, 100, 160 * 120);
          fx_preview_set_mask (s.preview, s.mask);
        }
      g_assert_true (fx_preview_render (s.preview, &p, &v, rgba, NULL, NULL, &report, NULL));
      memcpy (s.pixels, pixels, 160 * 120 * fx_format_size (&format));
      compare_poked (&s, &p, &v, 40, 30, n % 3 ? 255 : 0, rgba);
    }
}

/* Rectangles at odd places, within the image, across its edges and beyond them. */
static void
test_scales (void)
{
  static const FxRect rects[] = {
    { 0, 0, 64, 48 },   { 13, 7, 31, 29 },    { -9, -11, 40, 30 }, { 1, 2, 1, 1 },
    { -50, 0, 20, 20 }, { 5000, 5000, 9, 9 }, { 3, -4, 17, 3 },    { G_MAXINT - 5, G_MININT, 5, 5 },
  };
  g_auto (Subject) s = { 0 };

  subject_init (&s, engine, rgba8, FALSE, 301, 203);
  fill_mask (&s, 70.0);
  for (gsize n = 0; n < G_N_ELEMENTS (rects) * G_N_ELEMENTS (scales); n++)
    {
      const BlurParams p = { .sigma_x = n % 3 * 2.0, .sigma_y = 4.0, .abyss = n % 2 };
      const FxView v = { scales[n % G_N_ELEMENTS (scales)], rects[n / G_N_ELEMENTS (scales)] };

      check_view (&s, &p, &v);
    }
}

/* Of parts of a pixel: averages that are 1/1024 to nearly 1, and pixels that are many. */
static void
test_odd_scales (void)
{
  static const double odd[] = { 1.0 / 1024.0, 1.0 / 300.0, 0.013,     0.0999, 0.3,
                                0.99,         0.9999999,   1.0000001, 1.7,    1024.0 };
  g_auto (Subject) s = { 0 };

  subject_init (&s, engine, rgba8, FALSE, 700, 511);
  for (gsize n = 0; n < G_N_ELEMENTS (odd); n++)
    {
      const BlurParams p = { .sigma_x = 6.0, .sigma_y = 2.0 };
      FxView v = { odd[n] };

      v.rect = get_rect (&s, v.scale);
      check_view (&s, &p, &v);
      v.rect.x = v.rect.y = -1;
      check_view (&s, &p, &v);
    }
}

static void
test_sizes (void)
{
  static const int sizes[][2] = {
    { 1, 1 }, { 1, 2 }, { 2, 1 }, { 1, 400 }, { 400, 1 }, { 3, 700 }, { 900, 2 }, { 17, 33 },
  };

  for (gsize n = 0; n < G_N_ELEMENTS (sizes) * G_N_ELEMENTS (scales); n++)
    {
      const int *size = sizes[n / G_N_ELEMENTS (scales)];
      const BlurParams p = { .sigma_x = n % 2 ? 2.0 : 30.0,
                             .sigma_y = n % 3 ? 2.0 : 9.0,
                             .abyss = n % 4 };
      g_auto (Subject) s = { 0 };
      FxView v = { scales[n % G_N_ELEMENTS (scales)] };

      subject_init (&s, engine, n % 2 ? rgba8 : rgb8, FALSE, size[0], size[1]);
      v.rect = get_rect (&s, v.scale);
      v.rect.x = v.rect.y = 0;
      check_view (&s, &p, &v);
    }
}

/* What each of the GPU's ways is for: nothing, the FIR, long kernels, one grid, several. The
 * longest is for small images. */
static const struct {
  double sigma_x, sigma_y;
  int kernel_size;
} blurs[] = {
  { 0.0, 0.0, 0 },    { 0.5, 0.5, 0 },       { 3.0, 1.0, 0 },       { 0.0, 4.0, 0 },
  { 20.0, 9.0, 201 }, { 300.0, 40.0, 999 },  { 40.0, 40.0, 0 },     { 6.0, 0.0, 0 },
  { 2.0, 300.0, 0 },  { 1000.0, 1000.0, 0 }, { 5000.0, 5000.0, 0 }, { 5000.0, 4000.0, KERNEL_MAX },
};

static void
test_ways (void)
{
  for (int n = 0; n < (int) G_N_ELEMENTS (blurs) * 4; n++)
    {
      const int i = n / 4;
      const BlurParams p = { .sigma_x = blurs[i].sigma_x,
                             .sigma_y = blurs[i].sigma_y,
                             .kernel_size = blurs[i].kernel_size,
                             .abyss = n % 4 };
      g_auto (Subject) s = { 0 };
      FxView v = { n % 3 ? 1.0 : 0.4 };

      if (p.kernel_size == KERNEL_MAX)
        subject_init (&s, engine, rgba8, FALSE, 41, 33);
      else
        subject_init (&s, engine, rgba8, FALSE, 131, 117);
      v.rect = get_rect (&s, v.scale);
      check_view (&s, &p, &v);
    }
}

/* The image enlarged along both axes, along one, by little and by what the blur reaches. */
static void
test_grown (void)
{
  static const int grown[][2] = { { 10, 10 }, { 0, 12 }, { 9, 0 }, { 1, 60 } };

  for (int n = 0; n < (int) G_N_ELEMENTS (blurs) * 4; n++)
    {
      const int i = n / 4;
      const BlurParams p = { .sigma_x = blurs[i].sigma_x,
                             .sigma_y = blurs[i].sigma_y,
                             .kernel_size = blurs[i].kernel_size,
                             .abyss = (n + i) % 4 };
      g_auto (Subject) s = { 0 };
      FxView v = { n % 3 ? 1.0 : 0.37, { 0 }, grown[n % 4][0], grown[n % 4][1] };

      subject_init (&s, engine, i % 2 ? rgba8 : (FxFormat) { FX_SAMPLE_FLOAT, 2, FALSE }, FALSE,
                    p.kernel_size == KERNEL_MAX ? 23 : 61, 47);
      if (i % 3 == 0)
        fill_mask (&s, 20.0);
      v.rect = get_whole (&s, v.scale, v.grow_x, v.grow_y);
      check_view (&s, &p, &v);
    }
}

/* Sets the least limit of memory, of some, with which the view is not refused. */
static void
set_least_limit (Subject *s, const BlurParams *params, const FxView *v)
{
  g_autofree guint8 *rgba = g_malloc ((gsize) v->rect.width * v->rect.height * 4);
  BlurParams p = *params;
  gboolean done = FALSE;

  p.device = device;
  for (double limit = 80e3; ! done; limit *= 1.2)
    {
      g_autofree char *text = g_strdup_printf ("%.0f", limit);

      g_assert_cmpfloat (limit, <, 1e7);
      g_setenv ("CUDA_BLUR_MEMORY_LIMIT", text, TRUE);
      done = fx_preview_render (s->preview, &p, v, rgba, NULL, NULL, NULL, NULL);
    }
}

/* As the GPU does a large image: some rows of the view at a time, with each way. */
static void
test_chunks (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (blurs); i++)
    for (int n = 0; n < 3; n++)
      {
        const BlurParams p = { .sigma_x = blurs[i].sigma_x / 10.0,
                               .sigma_y = blurs[i].sigma_y / 10.0,
                               .kernel_size = MIN (blurs[i].kernel_size, 121) };
        g_auto (Subject) s = { 0 };
        FxView v = { (double[]) { 0.3, 0.7, 1.0 }[n], { 0 }, n * 3, n * 2 };

        subject_init (&s, engine, rgba8, FALSE, 60, 300);
        v.rect = get_whole (&s, v.scale, v.grow_x, v.grow_y);
        v.rect.height = MIN (v.rect.height, 250);
        set_least_limit (&s, &p, &v);
        check_view (&s, &p, &v);
        g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
      }
}

/* What has changed shows, once that is said; and a mask that is set, and one that is taken back. */
static void
test_change (void)
{
  static const double kinds[] = { 0.0, 2.0, 30.0 };

  for (gsize n = 0; n < G_N_ELEMENTS (kinds); n++)
    {
      const BlurParams p = { .sigma_x = kinds[n], .sigma_y = kinds[n] };
      g_auto (Subject) s = { 0 };
      const FxView v = { 0.5, { 0, 0, 60, 50 } };

      subject_init (&s, engine, rgba8, FALSE, 120, 100);
      check_view (&s, &p, &v);
      fill_rows (&s, 10, 11, 1.0);
      fill_rows (&s, 40, 83, 1.0);
      fx_preview_change (s.preview, 10, 1);
      fx_preview_change (s.preview, 40, 43);
      check_view (&s, &p, &v);
      fill_rows (&s, 0, 100, 0.1);
      fx_preview_change (s.preview, -5, G_MAXINT);
      check_view (&s, &p, &v);
      fill_mask (&s, 30.0);
      check_view (&s, &p, &v);
      fill_mask (&s, 11.0);
      check_view (&s, &p, &v);
      fx_preview_set_mask (s.preview, NULL);
      g_clear_pointer (&s.mask, g_free);
      check_view (&s, &p, &v);
    }
}

/* Two previews of one engine take turns. */
static void
test_two (void)
{
  const BlurParams p = { .sigma_x = 2.0, .sigma_y = 2.0 };
  const FxView v = { 0.5, { 0, 0, 50, 40 } };
  g_auto (Subject) a = { 0 };
  g_auto (Subject) b = { 0 };

  subject_init (&a, engine, rgba8, FALSE, 100, 80);
  subject_init (&b, engine, rgb8, FALSE, 70, 110);
  for (int n = 0; n < 4; n++)
    check_view (n % 2 ? &a : &b, &p, &v);
}

/* ---- cancelling ---- */

typedef struct {
  int steps, cancel;
} Steps;

static gboolean
count_steps (gpointer data, double fraction)
{
  Steps *steps = data;

  g_assert_true (fraction >= 0.0 && fraction <= 1.0);
  return ++steps->steps != steps->cancel;
}

static void
test_cancel (void)
{
  static const double sigmas[] = { 0.0, 3.0, 50.0 };
  g_autofree guint8 *rgba = g_malloc (64 * 64 * 4);
  g_auto (Subject) s = { 0 };

  subject_init (&s, engine, rgba8, FALSE, 300, 400);
  for (int n = 0; n < 6; n++)
    {
      const BlurParams p = { .sigma_x = sigmas[n % 3], .sigma_y = sigmas[n % 3], .device = device };
      const FxView v = { 0.3, { 0, 0, 64, 64 }, .draft = n / 3 };
      gboolean done = FALSE;

      for (int cancel = 1; ! done; cancel++)
        {
          Steps steps = { 0, cancel };
          g_autoptr (GError) error = NULL;

          fx_preview_change (s.preview, 0, 400); /* so that it has to be read again */
          done = fx_preview_render (s.preview, &p, &v, rgba, count_steps, &steps, NULL, &error);
          g_assert_cmpint (cancel, <, 1000);
          g_assert_true (done || steps.steps == cancel); /* it was not asked again */
          if (done)                                      /* asked before it was read, and after */
            g_assert_cmpint (cancel, >, 2);
          else
            g_assert_error (error, FX_ERROR, FX_ERROR_CANCELLED);
        }
      check_view (&s, &p, &(FxView) { 0.3, { 0, 0, 64, 64 } });
    }
}

/* ---- arguments ---- */

static void
refuse (FxPreview *preview, const BlurParams *p, const FxView *v)
{
  guint8 rgba[4];
  g_autoptr (GError) error = NULL;

  g_assert_false (fx_preview_render (preview, p, v, rgba, NULL, NULL, NULL, &error));
  g_assert_error (error, FX_ERROR, FX_ERROR_ARGUMENT);
}

static void
test_arguments (void)
{
  static const FxView views[] = {
    { 0.0, { 0, 0, 1, 1 } },
    { -1.0, { 0, 0, 1, 1 } },
    { 1.0 / 1025.0, { 0, 0, 1, 1 } },
    { 1025.0, { 0, 0, 1, 1 } },
    { NAN, { 0, 0, 1, 1 } },
    { 1.0, { 0, 0, 0, 1 } },
    { 1.0, { 0, 0, 1, -1 } },
    { 1.0, { 0, 0, 1, 1 }, -1, 0 },
    { 1.0, { 0, 0, 1, 1 }, 0, G_MAXINT },
    { 1.0, { 0, 0, 1, 1 }, FX_SIZE_MAX / 2, 0 },
    { 1.0, { 0, 0, 16385, 1 } },
  };
  const BlurParams good = { .sigma_x = 1.0, .device = device };
  const BlurParams bad = { .sigma_x = -1.0, .device = device };
  g_auto (Subject) s = { 0 };

  subject_init (&s, engine, rgba8, FALSE, 3, 2);
  for (gsize n = 0; n < G_N_ELEMENTS (views); n++)
    refuse (s.preview, &good, &views[n]);
  refuse (s.preview, &bad, &(FxView) { 1.0, { 0, 0, 1, 1 } });
}

/* A preview that never rendered, and none. */
static void
test_free (void)
{
  g_auto (Subject) s = { 0 };

  subject_init (&s, engine, rgba8, FALSE, 3, 2);
  fx_preview_free (NULL);
}

/* ---- drafts ---- */

/* In the middle of a large image, so that the blur reaches most of it. */
static void
check_draft (Subject *s, double sigma, double scale)
{
  const BlurParams p = { .sigma_x = sigma, .sigma_y = sigma, .device = FX_DEVICE_CPU };
  const int x = (int) (s->width / 2 * scale), y = (int) (s->height / 2 * scale);
  const FxView v = { scale, { x - 30, y - 40, 60, 80 }, .draft = TRUE };
  const FxView whole = { scale, v.rect };
  g_autofree guint8 *draft = g_malloc ((gsize) v.rect.width * v.rect.height * 4);
  g_autofree guint8 *truth = g_malloc ((gsize) v.rect.width * v.rect.height * 4);
  FxViewReport report;
  int worst = 0;

  g_assert_true (fx_preview_render (s->preview, &p, &v, draft, NULL, NULL, &report, NULL));
  g_assert_true (report.draft);
  g_assert_true (fx_preview_render (s->preview, &p, &whole, truth, NULL, NULL, &report, NULL));
  g_assert_false (report.draft);
  for (int i = 0; i < v.rect.width * v.rect.height * 4; i++)
    worst = MAX (worst, ABS (draft[i] - truth[i]));
  if (worst > DRAFT_MAX)
    {
      g_autofree char *where = describe (s, &p, &v);
      g_autofree char *what = g_strdup_printf ("a draft is %d levels off", worst);

      fail (what, where);
    }
}

static int
count_draft_steps (Subject *s)
{
  const BlurParams p = { .sigma_x = 1000.0, .sigma_y = 1000.0, .device = FX_DEVICE_CPU };
  const FxView v = { 0.05, { 0, 0, 64, 64 }, .draft = TRUE };
  g_autofree guint8 *rgba = g_malloc (64 * 64 * 4);
  Steps steps = { 0 };

  g_assert_true (fx_preview_render (s->preview, &p, &v, rgba, count_steps, &steps, NULL, NULL));
  return steps.steps;
}

/* On one thread it is large for any machine. */
static void
test_draft (void)
{
  static const double sigmas[] = { 1000.0, 2000.0, 5000.0 };
  const int threads = omp_get_max_threads ();
  int steps;
  g_auto (Subject) s = { 0 };

  omp_set_num_threads (1);
  subject_init (&s, engine, (FxFormat) { FX_SAMPLE_U8, 1, TRUE }, FALSE, 9001, 7003);
  for (int y = 0; y < s.height; y++)
    for (int x = 0; x < s.width; x++)
      s.pixels[(gsize) y * s.width + x] = (guint8) (128.0 +
                                                    100.0 * sin (x / 700.0) * cos (y / 900.0));
  for (gsize n = 0; n < G_N_ELEMENTS (sigmas); n++)
    check_draft (&s, sigmas[n], n ? 0.13 : 1.0);
  /* What has changed is made smaller anew, which can be cancelled, and shows in drafts too. */
  steps = count_draft_steps (&s);
  fx_preview_change (s.preview, 0, s.height);
  g_assert_cmpint (count_draft_steps (&s), >, steps);
  memset (s.pixels + (gsize) 3000 * s.width, 0xff, (gsize) 2000 * s.width);
  fx_preview_change (s.preview, 3000, 2000);
  check_draft (&s, 1000.0, 0.13);
  /* So does a mask: in the middle, where the image has just become white, it leaves it as it is. */
  fill_mask (&s, 500.0);
  check_draft (&s, 1000.0, 0.13);
  omp_set_num_threads (threads);
}

/* A small image has none: they are the truth. */
static void
test_no_draft (void)
{
  const BlurParams p = { .sigma_x = 3.0, .sigma_y = 3.0, .device = FX_DEVICE_CPU };
  const FxView v = { 1.0, { 0, 0, 60, 50 }, .draft = TRUE };
  g_autofree guint8 *rgba = g_malloc (60 * 50 * 4);
  g_auto (Subject) s = { 0 };
  FxViewReport report;

  subject_init (&s, engine, rgba8, FALSE, 60, 50);
  g_assert_true (fx_preview_render (s.preview, &p, &v, rgba, NULL, NULL, &report, NULL));
  g_assert_false (report.draft);
  compare (&s, &p, &v, rgba);
}

/* ---- mixing ---- */

/* Where the mask is all or nothing, to the bit; between, within a level or 2e-6. */
static void
test_mix (void)
{
  for (int n = 0; n < 6 * 4 * 2 * 2; n++)
    {
      const FxFormat format = { n % 6, 1 + n / 6 % 4, n / 24 % 2 };
      const gsize size = fx_format_size (&format);
      g_auto (Subject) s = { 0 };
      g_auto (Subject) other = { 0 };
      g_autofree guint8 *mixed = NULL;

      subject_init (&s, engine, format, n / 48 && format.channels == 1, 64, 64);
      subject_init (&other, engine, format, s.coverage, 64, 64);
      fill_mask (&s, 30.0);
      mixed = g_memdup2 (other.pixels, size * 64 * 64);
      fx_mix (&format, s.coverage, s.pixels, mixed, s.mask, 64 * 64);
      for (gsize i = 0; i < 64 * 64; i++)
        {
          double expected[4], got[4];
          const guint8 *same = s.mask[i] ? other.pixels : s.pixels;

          if (s.mask[i] == 0 || s.mask[i] == 255)
            {
              g_assert_cmpint (memcmp (mixed + i * size, same + i * size, size), ==, 0);
              continue;
            }
          mix (&s, s.pixels, other.pixels, i, s.mask[i] / 255.0, expected);
          decode (&s, mixed, i, ! s.coverage, got);
          for (int c = 0; c < format.channels; c++)
            g_assert_cmpfloat_with_epsilon (got[c], expected[c],
                                            format.sample == FX_SAMPLE_U8     ? 0.01
                                            : format.sample == FX_SAMPLE_HALF ? 2e-3
                                                                              : 5e-5);
        }
    }
}

/* To the bit. */
static void
test_keep (void)
{
  for (int n = 0; n < 6 * 4 * 16; n++)
    {
      const FxFormat format = { n % 6, 1 + n / 6 % 4 };
      const gsize size = fx_format_size (&format), sample = fx_sample_size (format.sample);
      const guint channels = n / 24;
      g_auto (Subject) s = { 0 };
      g_auto (Subject) other = { 0 };
      g_autofree guint8 *got = NULL;

      subject_init (&s, engine, format, FALSE, 64, 64);
      subject_init (&other, engine, format, FALSE, 64, 64);
      got = g_memdup2 (other.pixels, size * 64 * 64);
      fx_keep (&format, channels, s.pixels, got, 64 * 64);
      for (gsize i = 0; i < 64 * 64 * (gsize) format.channels; i++)
        {
          const gsize last = i / format.channels * format.channels + format.channels - 1;
          const gboolean gone = format.channels % 2 == 0 &&
                                reference_decode (format.sample, other.pixels, last) == 0.0;
          const gboolean same = gone || channels >> i % format.channels & 1;

          g_assert_cmpint (memcmp (got + i * sample, (same ? s.pixels : other.pixels) + i * sample,
                                   sample),
                           ==, 0);
        }
    }
}

static void
test_mask_convert (void)
{
  enum { N = 1000 };

  for (int sample = 0; sample <= FX_SAMPLE_DOUBLE; sample++)
    for (int gamma = 0; gamma < 2; gamma++)
      {
        const FxFormat format = { sample, 1, gamma };
        gdouble samples[N];
        guint8 mask[N];

        for (int i = 0; i < N; i++)
          reference_encode (sample, i / (N - 1.0) * 1.2 - 0.1, samples, i);
        fx_mask_convert (&format, samples, mask, N);
        for (int i = 0; i < N; i++)
          g_assert_cmpfloat (fabs (mask[i] -
                                   255.0 * CLAMP (reference_decode (sample, samples, i), 0.0, 1.0)),
                             <, 0.501);
      }
}

/* ---- random ---- */

static void
test_random (void)
{
  const int n = (device == FX_DEVICE_GPU ? 50 : 3000) * (g_test_slow () ? 20 : 1);

  for (int i = 0; i < n; i++)
    {
      const FxFormat format = { g_test_rand_int_range (0, 6), g_test_rand_int_range (1, 5),
                                g_test_rand_int_range (0, 2) };
      const double sigma = exp (g_test_rand_double_range (-1.0, 6.0));
      const BlurParams p = { .sigma_x = sigma,
                             .sigma_y = g_test_rand_int_range (0, 3) ? sigma : 3.0,
                             .kernel_size = g_test_rand_int_range (0, 4) ? 0 : 31,
                             .abyss = g_test_rand_int_range (0, 4),
                             .light = g_test_rand_int_range (0, 2) };
      g_auto (Subject) s = { 0 };
      FxView v = { .scale = exp (g_test_rand_double_range (-4.0, 3.0)) };

      subject_init (&s, engine, format, format.channels == 1 && g_test_rand_int_range (0, 2),
                    g_test_rand_int_range (1, 200), g_test_rand_int_range (1, 150));
      if (g_test_rand_int_range (0, 2))
        fill_mask (&s, g_test_rand_double_range (0.0, 100.0));
      if (g_test_rand_int_range (0, 2))
        {
          v.grow_x = g_test_rand_int_range (0, 40);
          v.grow_y = g_test_rand_int_range (0, 40);
        }
      v.rect = get_rect (&s, v.scale);
      check_view (&s, &p, &v);
    }
}

/* ---- failures, on the shim ---- */

#ifdef SHIM

/* Renders with the device that chooses itself; the pixels must be right whoever does it. */
static void
render_any (Subject *s, double sigma, FxViewReport *report)
{
  const BlurParams p = { .sigma_x = sigma, .sigma_y = sigma, .device = FX_DEVICE_AUTO };
  const FxView v = { 0.5, { 0, 0, 50, 40 } };
  g_autofree guint8 *rgba = g_malloc (50 * 40 * 4);
  g_autoptr (GError) error = NULL;

  fx_preview_render (s->preview, &p, &v, rgba, NULL, NULL, report, &error);
  g_assert_no_error (error);
  compare (s, &p, &v, rgba);
}

static void
render_until_gpu (Subject *s, double sigma)
{
  FxViewReport report;

  for (;;)
    {
      render_any (s, sigma, &report);
      if (report.report.device == FX_DEVICE_GPU)
        break;
      g_assert_true (report.draft); /* to be asked for again */
      g_assert_nonnull (strstr (report.report.fallback, "before the GPU would be ready"));
    }
  g_assert_false (report.draft);
  g_assert_cmpstr (report.report.fallback, ==, "");
}

/* An engine of its own gets the GPU ready while the CPU renders, for what is next too; whatever a
 * run is said to cost. */
static void
test_warming (void)
{
  const FxGpuCost slow = { .open = 1e6, .run = 1e6 }, fast = { 0 };
  g_autoptr (FxEngine) own = fx_engine_new ();
  g_auto (Subject) s = { 0 };

  subject_init (&s, own, rgba8, FALSE, 100, 80);
  shim_set_cost (&slow);
  render_until_gpu (&s, 0.0);
  render_until_gpu (&s, 2.0);
  render_until_gpu (&s, 30.0);
  shim_set_cost (&fast);
}

/* A preview gives back the image and its mask; of others the device has one at a time. */
static void
test_given_back (void)
{
  const BlurParams p = { .sigma_x = 2.0, .sigma_y = 2.0 };
  const FxView v = { 0.5, { 0, 0, 50, 40 } };
  g_autoptr (FxEngine) own = fx_engine_new ();
  gsize before, with_image;
  Subject s, other;

  subject_init (&s, own, rgba8, FALSE, 100, 80);
  subject_init (&other, own, rgba8, FALSE, 100, 80);
  fill_mask (&s, 30.0);
  check_view (&other, &p, &v);
  before = shim_get_memory ();
  check_view (&s, &p, &v);
  with_image = shim_get_memory ();
  g_assert_cmpuint (with_image - before, ==, 100 * 80);
  subject_clear (&other); /* nothing of it is there any more */
  g_assert_cmpuint (shim_get_memory (), ==, with_image);
  check_view (&s, &p, &v);
  subject_clear (&s);
  g_assert_cmpuint (shim_get_memory (), ==, with_image - 100 * 80 * 5);
}

/* One that cannot be got ready: it is said why, and is no draft. */
static void
test_never_warm (void)
{
  g_autoptr (FxEngine) own = fx_engine_new ();
  g_auto (Subject) s = { 0 };
  FxViewReport report;

  subject_init (&s, own, rgba8, FALSE, 100, 80);
  shim_fail (SHIM_PROGRAM, 0, FX_ERROR_DEVICE, TRUE);
  do
    {
      render_any (&s, 2.0, &report);
      g_assert_cmpint (report.report.device, ==, FX_DEVICE_CPU);
    }
  while (report.draft);
  g_assert_nonnull (strstr (report.report.fallback, "as the test wants"));
  shim_mend ();
}

static int opens; /* of devices */

static void
count_open (void)
{
  opens++;
}

/* A call that fails: the CPU does it, or, asked for the GPU alone, an error; then all goes on. */
static void
check_failure (ShimCall call, int skip, gboolean lost, double sigma)
{
  const int before = opens;
  const BlurParams p = { .sigma_x = sigma, .sigma_y = sigma, .device = FX_DEVICE_GPU };
  const FxView v = { 0.5, { 0, 0, 50, 40 } };
  g_autofree guint8 *rgba = g_malloc (50 * 40 * 4);
  g_autoptr (FxEngine) own = fx_engine_new ();
  g_autoptr (GError) error = NULL;
  g_auto (Subject) s = { 0 };
  FxViewReport report;

  subject_init (&s, own, rgba8, FALSE, 100, 80);
  render_until_gpu (&s, sigma);
  fill_rows (&s, 20, 60, 1.0);
  fx_preview_change (s.preview, 20, 40);
  fill_mask (&s, 30.0);
  shim_fail (call, skip, FX_ERROR_DEVICE, lost);
  render_any (&s, sigma, &report);
  g_assert_cmpint (report.report.device, ==, FX_DEVICE_CPU);
  g_assert_nonnull (strstr (report.report.fallback, "as the test wants"));
  g_assert_false (report.draft);
  shim_mend ();
  render_until_gpu (&s, sigma);
  g_assert_cmpint (opens - before, ==, lost ? 2 : 1); /* one that is lost is opened anew */

  fx_preview_change (s.preview, 20, 40);
  shim_fail (call, skip, FX_ERROR_DEVICE, lost);
  g_assert_false (fx_preview_render (s.preview, &p, &v, rgba, NULL, NULL, &report, &error));
  g_assert_error (error, FX_ERROR, FX_ERROR_DEVICE);
  g_clear_error (&error);
  shim_mend ();
  check_view (&s, &p, &v);
}

static void
test_failures (void)
{
  static const struct {
    ShimCall call;
    int skip;
  } calls[] = {
    { SHIM_BUFFER, 0 }, { SHIM_BUFFER, 1 }, { SHIM_BUFFER, 5 }, { SHIM_UPLOAD, 0 },
    { SHIM_UPLOAD, 1 }, { SHIM_LAUNCH, 0 }, { SHIM_LAUNCH, 1 }, { SHIM_DOWNLOAD, 0 },
  };

  shim_on_open (count_open);
  for (gsize n = 0; n < G_N_ELEMENTS (calls); n++)
    for (int lost = 0; lost <= 1; lost++)
      check_failure (calls[n].call, calls[n].skip, lost, n % 2 ? 2.0 : 12.0);
  shim_on_open (NULL);
}

/* Memory that ran out is made room for, once; the image on the device stays. */
static void
test_memory (void)
{
  for (int skip = 0; skip < 7; skip++)
    {
      const BlurParams p = { .sigma_x = 12.0, .sigma_y = 12.0 };
      const FxView v = { 0.5, { 0, 0, 50, 40 } };
      g_auto (Subject) s = { 0 };

      subject_init (&s, engine, rgba8, FALSE, 100, 80);
      fill_mask (&s, 30.0);
      shim_fail (SHIM_BUFFER, skip, FX_ERROR_MEMORY, FALSE);
      check_view (&s, &p, &v);
      shim_mend ();
    }
}

/* More than the environment allows: the CPU does it. */
static void
test_memory_limit (void)
{
  g_autoptr (FxEngine) own = fx_engine_new ();
  g_auto (Subject) s = { 0 };
  FxViewReport report;

  subject_init (&s, own, rgba8, FALSE, 100, 80);
  render_until_gpu (&s, 2.0);
  g_setenv ("CUDA_BLUR_MEMORY_LIMIT", "30000", TRUE);
  render_any (&s, 2.0, &report);
  g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
  g_assert_cmpint (report.report.device, ==, FX_DEVICE_CPU);
  g_assert_nonnull (strstr (report.report.fallback, "GPU memory"));
}

#endif

/* ---- main ---- */

/* Takes --device=NAME out of the arguments. */
static gboolean
parse_device (int *argc, char **argv)
{
  int n = 1;

  device = FX_DEVICE_AUTO;
  for (int i = 1; i < *argc; i++)
    if (strcmp (argv[i], "--device=cpu") == 0)
      device = FX_DEVICE_CPU;
    else if (strcmp (argv[i], "--device=gpu") == 0)
      device = FX_DEVICE_GPU;
    else
      argv[n++] = argv[i];
  argv[ *argc = n] = NULL;
  return device != FX_DEVICE_AUTO;
}

/* FALSE with the reason where there is no GPU. */
static gboolean
probe_gpu (GError **error)
{
  const BlurParams p = { .sigma_x = 1.0, .device = FX_DEVICE_GPU };
  const FxView v = { 1.0, { 0, 0, 1, 1 } };
  g_auto (Subject) s = { 0 };
  guint8 rgba[4];

  subject_init (&s, engine, rgba8, FALSE, 1, 1);
  return fx_preview_render (s.preview, &p, &v, rgba, NULL, NULL, NULL, error);
}

static void
add_tests (void)
{
  g_test_add_func ("/preview/formats", test_formats);
  g_test_add_func ("/preview/coverage", test_coverage);
  g_test_add_func ("/preview/kept", test_kept);
  g_test_add_func ("/preview/faint", test_faint);
  g_test_add_func ("/preview/nonfinite", test_nonfinite);
  g_test_add_func ("/preview/scales", test_scales);
  g_test_add_func ("/preview/odd-scales", test_odd_scales);
  g_test_add_func ("/preview/sizes", test_sizes);
  g_test_add_func ("/preview/ways", test_ways);
  g_test_add_func ("/preview/grown", test_grown);
  g_test_add_func ("/preview/chunks", test_chunks);
  g_test_add_func ("/preview/change", test_change);
  g_test_add_func ("/preview/two", test_two);
  g_test_add_func ("/preview/cancel", test_cancel);
  g_test_add_func ("/preview/arguments", test_arguments);
  g_test_add_func ("/preview/free", test_free);
  g_test_add_func ("/preview/random", test_random);
  if (device == FX_DEVICE_CPU)
    {
      g_test_add_func ("/preview/draft", test_draft);
      g_test_add_func ("/preview/no-draft", test_no_draft);
      g_test_add_func ("/preview/mix", test_mix);
      g_test_add_func ("/preview/keep", test_keep);
      g_test_add_func ("/preview/mask-convert", test_mask_convert);
    }
#ifdef SHIM
  g_test_add_func ("/preview/warming", test_warming);
  g_test_add_func ("/preview/given-back", test_given_back);
  g_test_add_func ("/preview/never-warm", test_never_warm);
  g_test_add_func ("/preview/failures", test_failures);
  g_test_add_func ("/preview/memory", test_memory);
  g_test_add_func ("/preview/memory-limit", test_memory_limit);
#endif
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int status;

  if (! parse_device (&argc, argv))
    {
      g_printerr ("Usage: %s --device=cpu|gpu [GLib's test options]\n", argv[0]);
      return 2;
    }
  seed_test_init (&argc, &argv);
  engine = fx_engine_new ();
  if (device == FX_DEVICE_GPU && ! probe_gpu (&error) &&
      g_error_matches (error, FX_ERROR, FX_ERROR_UNAVAILABLE))
    {
      g_print ("1..0 # SKIP %s\n", error->message);
      fx_engine_free (engine);
      return 77;
    }
  add_tests ();
  status = g_test_run ();
  fingerprint_print ();
  fx_engine_free (engine);
  return status;
}
