/* The engine's contract (blur.h), on one device: test-engine --device=cpu|gpu, then the options of
 * GLib's tests. Exits 77 where there is no GPU to test.
 *
 * In the manner of dav1d's checkasm: random and extreme images in every format against a plain
 * reference. A mismatch prints the case with its seed and the worst place; the same
 * CUDA_BLUR_TEST_SEED with -p and the test's path repeats it, and -m slow searches longer. */
#include "fingerprint.h"
#include "gpu.h"
#include "pairs.h"
#include "reference.h"
#include "seed.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#define MISMATCHES_SHOWN 10
#define ALPHA_MIN        (8.0 / 255.0) /* below that, colour is compared times alpha */

static FxDevice device; /* GPU or CPU: the one to test */
static gboolean has_gpu;
static FxEngine *engine; /* shared, so that the GPU is opened once */

/* ---- cases ---- */

typedef enum {
  IMAGE_RANDOM,
  IMAGE_ZERO,
  IMAGE_MAX,
  IMAGE_EDGE, /* a hard corner of white on black */
  IMAGE_DOTS, /* single bright pixels on black */
  IMAGE_CHECKER,
  IMAGE_HOLES,      /* alpha 0 with colour in it, next to opaque pixels */
  IMAGE_FAINT,      /* alpha 0 or as little as 8-bit, 16-bit or 32-bit can say */
  IMAGE_DARK_EDGE,  /* nearly black next to white: the curve magnifies errors 12.9 times */
  IMAGE_FAINT_EDGE, /* the same, and the dark side has alpha 9/255: another 28 times */
  IMAGE_HDR,        /* from here on no integers: values of -2 to 16 */
  IMAGE_HDR_EDGE,   /* nearly black next to 16, which is 688 in linear light */
  IMAGE_SUBNORMAL,
  IMAGE_KINDS,
} ImageKind;

static const char *const image_names[] = {
  "random", "zero",      "max",        "edge", "dots",     "checker",   "holes",
  "faint",  "dark edge", "faint edge", "HDR",  "HDR edge", "subnormal",
};
static const char *const sample_names[] = { "u8", "u16", "u32", "half", "float", "double" };
static const char *const abyss_names[] = { "clamp", "none", "black", "white" };
static const char *const light_names[] = { "linear", "perceptual" };

typedef struct {
  guint32 seed;
  ImageKind kind;
  FxFormat format;
  int width, height;
  FxRect region; /* all 0: the whole image */
  BlurParams params;
} Case;

static gboolean
is_integer (FxSample sample)
{
  return sample <= FX_SAMPLE_U32;
}

static FxRect
get_region (const Case *c)
{
  return c->region.width ? c->region : (FxRect) { 0, 0, c->width, c->height };
}

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

static gpointer
make_image (const Case *c)
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

static char *
describe (const Case *c)
{
  const FxRect r = get_region (c);

  return g_strdup_printf (
    "seed %u, image \"%s\", %s, %d channels, %s, %dx%d, region %dx%d at %d,%d, sigma %.9g x %.9g, "
    "kernel %d, abyss %s, light %s",
    c->seed, image_names[c->kind], sample_names[c->format.sample], c->format.channels,
    c->format.gamma ? "gamma" : "linear", c->width, c->height, r.width, r.height, r.x, r.y,
    c->params.sigma_x, c->params.sigma_y, c->params.kernel_size, abyss_names[c->params.abyss],
    light_names[c->params.light]);
}

/* ---- a run, and what its callbacks may see ---- */

typedef struct {
  const Case *c;
  FxRect region, reach; /* reach: what the kernel reaches from region */
  int shift_x, shift_y; /* where the case's image lies in the one that the engine is told of */
  gsize pixel;          /* bytes */
  guint8 *source, *result, *written;
  GThread *thread;
  int reads, writes, steps;          /* calls so far */
  int fail_read, fail_write, cancel; /* the call to fail, from 1; 0: none */
  gboolean no_progress;              /* pass none */
  double fraction;
  char *complaint; /* the first breach of the contract */
} Job;

static void complain (Job *job, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
complain (Job *job, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (! job->complaint)
    job->complaint = g_strdup_vprintf (format, args);
  va_end (args);
}

static GQuark
get_own_domain (void)
{
  return g_quark_from_static_string ("test-engine");
}

/* Takes the shift off rect, and checks that it lies within outer and rows do not overlap. */
static FxRect
check_rect (Job *job, const char *what, const FxRect *rect, const FxRect *outer, gsize stride)
{
  const FxRect r = { rect->x - job->shift_x, rect->y - job->shift_y, rect->width, rect->height };

  if (g_thread_self () != job->thread)
    complain (job, "%s on another thread", what);
  if (r.width < 1 || r.height < 1 || r.x < outer->x || r.y < outer->y ||
      r.x + r.width > outer->x + outer->width || r.y + r.height > outer->y + outer->height)
    complain (job, "%s of %dx%d at %d,%d, outside %dx%d at %d,%d", what, r.width, r.height, r.x,
              r.y, outer->width, outer->height, outer->x, outer->y);
  if (r.height > 1 && stride < r.width * job->pixel)
    complain (job, "%s with a stride of %" G_GSIZE_FORMAT " bytes for %d pixels", what, stride,
              r.width);
  return r;
}

/* Fills the gap behind each row too, with bytes that are NaN or white: they must not matter. */
static gboolean
read_rect (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  Job *job = data;
  const FxRect r = check_rect (job, "read", rect, &job->reach, stride);

  if (++job->reads == job->fail_read)
    {
      g_set_error (error, get_own_domain (), 42, "read %d fails", job->reads);
      return FALSE;
    }
  for (int y = 0; ! job->complaint && y < r.height; y++)
    {
      guint8 *row = (guint8 *) pixels + y * stride;

      memcpy (row, job->source + ((gsize) (r.y + y) * job->c->width + r.x) * job->pixel,
              r.width * job->pixel);
      if (y < r.height - 1)
        memset (row + r.width * job->pixel, 0xff, stride - r.width * job->pixel);
    }
  return TRUE;
}

/* A second pass is legal where a device failed, and begins anew. */
static void
check_restart (Job *job, const FxRect *r)
{
  const FxRect *region = &job->region;

  if (r->x != region->x || r->y != region->y || ! job->written[0] ||
      job->c->params.device == FX_DEVICE_CPU)
    return;
  memset (job->written, 0, (gsize) region->width * region->height);
}

static gboolean
write_rect (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  Job *job = data;
  const FxRect r = check_rect (job, "write", rect, &job->region, stride);

  if (++job->writes == job->fail_write)
    {
      g_set_error (error, get_own_domain (), 43, "write %d fails", job->writes);
      return FALSE;
    }
  if (job->complaint)
    return TRUE;
  check_restart (job, &r);
  for (int y = 0; y < r.height; y++)
    {
      const gsize to = (gsize) (r.y + y - job->region.y) * job->region.width + r.x - job->region.x;

      memcpy (job->result + to * job->pixel, (const guint8 *) pixels + y * stride,
              r.width * job->pixel);
      for (int x = 0; x < r.width; x++)
        if (job->written[to + x]++)
          complain (job, "pixel %d,%d written twice", r.x + x, r.y + y);
    }
  return TRUE;
}

static gboolean
show_progress (gpointer data, double fraction)
{
  Job *job = data;

  if (g_thread_self () != job->thread)
    complain (job, "progress on another thread");
  if (job->steps == 0 && fraction != 0.0)
    complain (job, "progress begins at %g", fraction);
  if (! (fraction >= 0.0 && fraction <= 1.0) ||
      (fraction < job->fraction && job->c->params.device == FX_DEVICE_CPU))
    complain (job, "progress of %.17g after %.17g", fraction, job->fraction);
  job->fraction = fraction;
  return ++job->steps != job->cancel;
}

static void
job_init (Job *job, const Case *c)
{
  const int rx = reference_radius (c->params.sigma_x, c->params.kernel_size);
  const int ry = reference_radius (c->params.sigma_y, c->params.kernel_size);
  const FxRect r = get_region (c);
  const int x0 = MAX (0, r.x - rx);
  const int y0 = MAX (0, r.y - ry);
  const int x1 = MIN (c->width, r.x + r.width + rx);
  const int y1 = MIN (c->height, r.y + r.height + ry);

  *job = (Job) {
    .c = c,
    .region = r,
    .reach = { x0, y0, x1 - x0, y1 - y0 },
    .pixel = fx_format_size (&c->format),
    .source = make_image (c),
    .written = g_malloc0 ((gsize) r.width * r.height),
    .thread = g_thread_self (),
  };
  job->result = g_malloc0 (r.width * r.height * job->pixel);
}

static void
job_clear (Job *job)
{
  g_free (job->source);
  g_free (job->result);
  g_free (job->written);
  g_free (job->complaint);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

/* Runs the engine once more, and checks what must hold when it says TRUE. */
static gboolean
job_run (Job *job, FxEngine *with, FxReport *report, GError **error)
{
  const Case *c = job->c;
  const FxRect *r = &job->region;
  const FxImage image = {
    .format = c->format,
    .width = c->width + job->shift_x,
    .height = c->height + job->shift_y,
    .region = { r->x + job->shift_x, r->y + job->shift_y, r->width, r->height },
    .read = read_rect,
    .write = write_rect,
    .progress = job->no_progress ? NULL : show_progress,
    .data = job,
  };

  job->reads = job->writes = job->steps = 0;
  job->fraction = 0.0;
  memset (job->written, 0, (gsize) r->width * r->height);
  if (! fx_engine_run (with, &c->params, &image, report, error))
    return FALSE;
  for (gsize i = 0; i < (gsize) r->width * r->height; i++)
    if (! job->written[i])
      complain (job, "pixel %d,%d not written", (int) (r->x + i % r->width),
                (int) (r->y + i / r->width));
  if (! job->no_progress && job->fraction != 1.0)
    complain (job, "progress ends at %.17g", job->fraction);
  fingerprint_add (job->result, (gsize) r->width * r->height * job->pixel);
  return TRUE;
}

/* ---- comparing ---- */

typedef struct {
  double worst; /* error over bound, NaN counts as infinite */
  gsize place;  /* sample */
  double expected, got;
  gsize compared, equal; /* samples, but for colours at low alpha */
} Verdict;

/* The distance between halves around value. */
static double
get_half_ulp (double value)
{
  int exponent;

  frexp (value, &exponent);
  return ldexp (1.0, value == 0.0 ? -24 : MAX (exponent - 11, -24));
}

static double
get_bound (FxSample sample, double expected, double range)
{
  switch (sample)
    {
    case FX_SAMPLE_U8:
      return 1.0 / 255.0;
    case FX_SAMPLE_U16:
      return 2.0 / 65535.0;
    case FX_SAMPLE_HALF:
      return MAX (get_half_ulp (expected), 1e-5 * range);
    default:
      return 1e-5 * range;
    }
}

/* Of colour times alpha. A half's rounding counts in both. */
static double
get_product_bound (FxSample sample, double color, double alpha, double range)
{
  const double rounding = fabs (color) * get_half_ulp (alpha) + fabs (alpha) * get_half_ulp (color);

  if (sample == FX_SAMPLE_HALF)
    return MAX (rounding, 1e-5 * range);
  return get_bound (sample, 0.0, range);
}

static void
judge (Verdict *v, gsize place, double expected, double got, double bound)
{
  double ratio = fabs (got - expected) / (bound * (1.0 + 1e-9)); /* 1 level is 1 level */

  if (isnan (ratio))
    ratio = INFINITY;
  if (ratio > v->worst || v->compared == 0)
    {
      v->worst = MAX (v->worst, ratio);
      v->place = place;
      v->expected = expected;
      v->got = got;
    }
}

/* value: unrounded. Next to a tie either neighbour is right: no arithmetic in single precision
 * could tell them apart. */
static gboolean
is_equal (FxSample sample, double value, double expected, double got)
{
  const double levels = sample == FX_SAMPLE_U8 ? 255.0 : 65535.0;
  const double v = CLAMP (value, 0.0, 1.0) * levels;
  const double tie = sample == FX_SAMPLE_U8 ? 1e-3 : 0.004; /* 65535 * 2^-24 */

  return got == expected ||
         (fabs (v - floor (v) - 0.5) < tie && fabs (got * levels - v) < 0.5 + 2.0 * tie);
}

static double
get_range (const Case *c, const double *source)
{
  double range = 1.0;

  for (gsize i = 0; i < (gsize) c->width * c->height * c->format.channels; i++)
    range = MAX (range, fabs (source[i]));
  return range;
}

static double *
decode_all (const Case *c, gconstpointer samples)
{
  const gsize n = (gsize) c->width * c->height * c->format.channels;
  double *values = g_new (double, n);

  for (gsize i = 0; i < n; i++)
    values[i] = reference_decode (c->format.sample, samples, i);
  return values;
}

/* Compares one sample. alpha: the pixel's by the reference and as the engine has it, else 1. */
static void
judge_sample (Verdict *v, FxSample sample, gsize i, double value, double got, double alpha,
              double got_alpha, double range)
{
  guint64 rounded;
  double expected = value;

  if (alpha < ALPHA_MIN)
    {
      judge (v, i, value * alpha, got * got_alpha, get_product_bound (sample, value, alpha, range));
      return;
    }
  if (sample != FX_SAMPLE_FLOAT && sample != FX_SAMPLE_DOUBLE)
    {
      reference_encode (sample, value, &rounded, 0);
      expected = reference_decode (sample, &rounded, 0);
    }
  judge (v, i, expected, got, get_bound (sample, expected, range));
  v->compared++;
  v->equal += is_equal (sample, value, expected, got);
}

static Verdict
compare (const Case *c, gconstpointer source, gconstpointer result)
{
  const FxRect region = get_region (c);
  const int channels = c->format.channels;
  g_autofree double *in = decode_all (c, source);
  g_autofree double *values = reference_blur (&c->params, &c->format, c->width, c->height, &region,
                                              in);
  const double range = get_range (c, in);
  Verdict v = { .worst = 0.0 };

  for (gsize i = 0; i < (gsize) region.width * region.height * channels; i++)
    {
      const gsize last = i - i % channels + channels - 1;
      const gboolean color = channels % 2 == 0 && i != last;

      judge_sample (&v, c->format.sample, i, values[i],
                    reference_decode (c->format.sample, result, i), color ? values[last] : 1.0,
                    color ? reference_decode (c->format.sample, result, last) : 1.0, range);
    }
  return v;
}

/* How many of the samples must be equal. */
static double
get_quota (FxSample sample)
{
  return sample == FX_SAMPLE_U8 ? 0.99 : sample == FX_SAMPLE_U16 ? 0.5 : 0.0;
}

/* ---- failing ---- */

static void fail_case (const Case *c, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
fail_case (const Case *c, const char *format, ...)
{
  static int shown;
  g_autofree char *what = NULL;
  g_autofree char *where = describe (c);
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  if (shown++ < MISMATCHES_SHOWN)
    g_test_message ("MISMATCH: %s\n  in %s", what, where);
  else if (shown == MISMATCHES_SHOWN + 1)
    g_test_message ("MISMATCH: further ones are not shown");
  g_test_fail ();
}

static void
check_pixels (Job *job)
{
  const Case *c = job->c;
  const FxRect *r = &job->region;
  const Verdict v = compare (c, job->source, job->result);
  const gsize pixel = v.place / c->format.channels;

  if (v.worst > 1.0)
    fail_case (c,
               "%.3f times the bound at %d,%d channel %d: expected %.9g, got %.9g; "
               "%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " samples equal",
               v.worst, (int) (r->x + pixel % r->width), (int) (r->y + pixel / r->width),
               (int) (v.place % c->format.channels), v.expected, v.got, v.equal, v.compared);
  else if (v.compared >= 1000 && v.equal < get_quota (c->format.sample) * v.compared)
    fail_case (c,
               "only %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " samples equal, worst %.3f "
               "times the bound",
               v.equal, v.compared, v.worst);
}

/* Whether nothing is to happen: bytes stay as they are. */
static gboolean
is_identity (const Case *c)
{
  return reference_radius (c->params.sigma_x, c->params.kernel_size) == 0 &&
         reference_radius (c->params.sigma_y, c->params.kernel_size) == 0;
}

static void
check_report (const Case *c, const FxReport *report)
{
  /* Nobody is to be credited with nothing. */
  const FxDevice asked = is_identity (c) ? FX_DEVICE_AUTO : c->params.device;

  if (asked != FX_DEVICE_AUTO && report->device != asked)
    fail_case (c, "device %d did it, asked for was %d", report->device, asked);
  if (asked != FX_DEVICE_AUTO && report->fallback[0])
    fail_case (c, "fallback says \"%s\"", report->fallback);
  if (! report->device_name[0])
    fail_case (c, "the device has no name");
  if (! (report->milliseconds >= 0.0 && report->milliseconds < 1e6))
    fail_case (c, "it took %g ms", report->milliseconds);
}

static void
check_identity (Job *job)
{
  const FxRect *r = &job->region;

  for (int y = 0; y < r->height; y++)
    if (memcmp (job->result + (gsize) y * r->width * job->pixel,
                job->source + ((gsize) (r->y + y) * job->c->width + r->x) * job->pixel,
                r->width * job->pixel) != 0)
      {
        fail_case (job->c, "row %d is not as it was", r->y + y);
        return;
      }
}

/* The heart: one case against the reference. */
static void
check_job (Job *job)
{
  const Case *c = job->c;
  g_autoptr (GError) error = NULL;
  FxReport report;

  if (! job_run (job, engine, &report, &error))
    fail_case (c, "error: %s", error->message);
  else if (job->complaint)
    fail_case (c, "%s", job->complaint);
  else
    {
      check_report (c, &report);
      if (is_identity (c))
        check_identity (job);
      else
        check_pixels (job);
    }
}

static void
check_case (const Case *c)
{
  g_auto (Job) job = { 0 };

  job_init (&job, c);
  check_job (&job);
}

/* ---- tables ---- */

/* One format of each sample, with and without alpha, curve and colour. */
static const struct {
  FxFormat format;
  FxLight light;
} mixed[] = {
  { { FX_SAMPLE_U8, 4, TRUE }, FX_LIGHT_LINEAR },
  { { FX_SAMPLE_U8, 3, TRUE }, FX_LIGHT_PERCEPTUAL },
  { { FX_SAMPLE_U16, 2, TRUE }, FX_LIGHT_LINEAR },
  { { FX_SAMPLE_U16, 3, FALSE }, FX_LIGHT_LINEAR },
  { { FX_SAMPLE_U32, 1, TRUE }, FX_LIGHT_LINEAR },
  { { FX_SAMPLE_HALF, 4, FALSE }, FX_LIGHT_PERCEPTUAL },
  { { FX_SAMPLE_FLOAT, 4, TRUE }, FX_LIGHT_LINEAR },
  { { FX_SAMPLE_FLOAT, 1, FALSE }, FX_LIGHT_LINEAR },
  { { FX_SAMPLE_DOUBLE, 2, FALSE }, FX_LIGHT_LINEAR },
};

/* Case number n of a table: the seed is its own, and abyss and image take turns. */
static Case
make_case (guint n, guint format, int width, int height, double sigma_x, double sigma_y)
{
  static const ImageKind kinds[] = {
    IMAGE_RANDOM, IMAGE_FAINT_EDGE, IMAGE_DOTS, IMAGE_DARK_EDGE, IMAGE_HOLES,
  };

  return (Case) {
    .seed = g_test_rand_int (),
    .kind = kinds[n % G_N_ELEMENTS (kinds)],
    .format = mixed[format].format,
    .width = width,
    .height = height,
    .params = { .sigma_x = sigma_x,
                .sigma_y = sigma_y,
                .abyss = n / 2 % 4,
                .light = mixed[format].light,
                .device = device },
  };
}

/* ---- the reference itself ---- */

static void
test_half (void)
{
  static const struct {
    double value, stored;
  } cases[] = {
    { 1.0 + 1.0 / 2048, 1.0 },   { 1.0 + 3.0 / 2048, 1.0 + 4.0 / 2048 },
    { 65519.9, 65504.0 },        { 65520.0, INFINITY },
    { 3e-8, 1.0 / (1 << 24) },   { 2.9e-8, 0.0 },
    { -1e-3, -0.0010004043579 },
  };

  for (guint bits = 0; bits < 65536; bits++)
    {
      const guint16 in = bits;
      guint16 out;

      if ((bits & 0x7fff) > 0x7c00) /* NaN */
        continue;
      reference_encode (FX_SAMPLE_HALF, reference_decode (FX_SAMPLE_HALF, &in, 0), &out, 0);
      g_assert_cmphex (out, ==, in);
    }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint16 out;
      double back;

      reference_encode (FX_SAMPLE_HALF, cases[i].value, &out, 0);
      back = reference_decode (FX_SAMPLE_HALF, &out, 0);
      g_assert_true (back == cases[i].stored || fabs (back - cases[i].stored) < 1e-12);
    }
}

static void
test_curve (void)
{
  static const struct {
    double value, light;
  } cases[] = {
    { 0.0, 0.0 },
    { 1.0, 1.0 },
    { 0.5, 0.21404114048223255 },
    { 0.02, 0.02 / 12.92 },
    { -0.5, -0.5 / 12.92 },
    { 0.8, 0.6038273388553378 },
    { 16.0, 688.1115390271982 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const double light = reference_to_linear (cases[i].value);

      g_assert_cmpfloat_with_epsilon (light, cases[i].light, 1e-8 * MAX (1.0, light));
      g_assert_cmpfloat_with_epsilon (reference_to_gamma (light), cases[i].value, 1e-6);
    }
}

/* Separable and not, over every format of pixel, abyss and light, and an axis left alone. */
static void
test_separable (void)
{
  static const BlurParams params[] = {
    { .sigma_x = 0.9, .sigma_y = 1.3 },
    { .sigma_x = 2.0, .sigma_y = 0.0 },
    { .sigma_x = 0.19, .sigma_y = 0.7 },
    { .sigma_x = 3.0, .sigma_y = 1.0, .kernel_size = 7 },
  };
  const FxRect region = { 1, 2, 5, 3 };

  for (guint i = 0; i < G_N_ELEMENTS (params) * 4 * 4 * 4; i++)
    {
      Case c = { .seed = g_test_rand_int (), .kind = IMAGE_HDR, .width = 7, .height = 6 };
      g_autofree gpointer image = NULL;
      g_autofree double *source = NULL, *a = NULL, *b = NULL;

      c.params = params[i / 64];
      c.params.abyss = i % 4;
      c.params.light = i / 16 % 2;
      c.format = (FxFormat) { FX_SAMPLE_DOUBLE, i / 4 % 4 + 1, i / 32 % 2 };
      image = make_image (&c);
      source = decode_all (&c, image);
      a = reference_blur (&c.params, &c.format, c.width, c.height, &region, source);
      b = reference_blur_2d (&c.params, &c.format, c.width, c.height, &region, source);
      for (int k = 0; k < region.width * region.height * c.format.channels; k++)
        g_assert_cmpfloat_with_epsilon (a[k], b[k], 1e-11);
    }
}

/* A dot's answer is the kernel itself. */
static void
test_impulse (void)
{
  const BlurParams params = { .sigma_x = 2.0, .abyss = FX_ABYSS_NONE };
  const FxFormat format = { FX_SAMPLE_DOUBLE, 1, FALSE };
  const FxRect region = { 0, 0, 25, 1 };
  double source[25] = { 0.0 }, sum = 0.0;
  g_autofree double *out = NULL;

  source[12] = 1.0;
  out = reference_blur (&params, &format, 25, 1, &region, source);
  for (int i = 0; i < 25; i++)
    sum += out[i];
  g_assert_cmpfloat_with_epsilon (sum, 1.0, 1e-14);
  g_assert_cmpfloat_with_epsilon (out[12], 0.19947114020071635, 1e-8);
  g_assert_cmpfloat_with_epsilon (out[10] / out[12], exp (-0.5), 1e-14);
  g_assert_cmpfloat_with_epsilon (out[0] / out[12], exp (-18.0), 1e-14);
}

/* ---- pixels ---- */

/* One sample type in every format, sigma and abyss, chosen pairwise with the other sample types',
 * on every image: the GPU compiles programs for each row. */
static void
test_format (gconstpointer data)
{
  static const double sigmas[] = { 0.7, 1.5, 3.3, 6.0, 10.0 };
  static const int sizes[][2] = { { 67, 49 }, { 131, 37 }, { 33, 130 } };
  /* Of samples, channels, gamma, light, abyss and sigma. */
  static const int factors[] = { FX_SAMPLE_DOUBLE + 1, 4, 2, 2, 4, G_N_ELEMENTS (sigmas) };
  const FxSample sample = GPOINTER_TO_INT (data);
  const int kinds = is_integer (sample) ? IMAGE_HDR : IMAGE_KINDS;
  g_autoptr (GArray) rows = pairs_new (factors, G_N_ELEMENTS (factors));

  for (guint i = 0; i < rows->len; i++)
    for (int kind = 0; kind < kinds; kind++)
      {
        const int *v = g_array_index (rows, PairsRow, i).values;
        const Case c = {
          .seed = g_test_rand_int (),
          .kind = kind,
          .format = { sample, v[1] + 1, v[2] },
          .width = sizes[kind % 3][0],
          .height = sizes[kind % 3][1],
          .params = { .sigma_x = sigmas[v[5]],
                      .sigma_y = sigmas[v[5]],
                      .abyss = v[4],
                      .light = v[3],
                      .device = device },
        };

        if (v[0] == (int) sample)
          check_case (&c);
      }
}

/* Dark next to bright in linear light, far from the edge: what an early cut of the kernel costs. */
static void
test_tails (void)
{
  static const ImageKind kinds[] = { IMAGE_EDGE, IMAGE_DARK_EDGE, IMAGE_FAINT_EDGE,
                                     IMAGE_HDR_EDGE };
  const double sigma = 14.0;

  for (int sample = 0; sample <= FX_SAMPLE_DOUBLE; sample++)
    for (int i = 0; i < 16; i++)
      {
        const Case c = {
          .seed = g_test_rand_int (),
          .kind = is_integer (sample) && i % 4 == 3 ? IMAGE_RANDOM : kinds[i % 4],
          .format = { sample, 1 + i / 4 % 2, TRUE },
          .width = i / 8 ? 260 : 9,
          .height = i / 8 ? 9 : 260,
          .params = { .sigma_x = i / 8 ? sigma : 0.0,
                      .sigma_y = i / 8 ? 0.0 : sigma,
                      .light = FX_LIGHT_LINEAR,
                      .device = device },
        };

        check_case (&c);
      }
}

static void
test_sizes (void)
{
  static const int sizes[][2] = {
    { 1, 1 },   { 1, 2 },     { 2, 1 },     { 1, 131 }, { 131, 1 }, { 3, 3 },     { 5, 7 },
    { 127, 2 }, { 128, 128 }, { 129, 127 }, { 257, 3 }, { 3, 257 }, { 131, 259 }, { 259, 131 },
  };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint f = 0; f < G_N_ELEMENTS (mixed); f++, n++)
      {
        const double sigma = (n + f) % 2 ? 0.5 : 4.0;
        const Case c = make_case (n, f, sizes[i][0], sizes[i][1], sigma, sigma);

        check_case (&c);
      }
}

static void
test_sigmas (void)
{
  static const double sigmas[][2] = {
    { 0.2, 0.2 }, { 0.25, 0.25 }, { 0.5, 0.5 }, { 0.8, 0.8 },  { 1, 1 },      { 1.7, 1.7 },
    { 2, 2 },     { 3, 3 },       { 5, 5 },     { 5.6, 5.6 },  { 8, 8 },      { 12, 12 },
    { 17, 17 },   { 25, 25 },     { 50, 50 },   { 100, 100 },  { 250, 250 },  { 1000, 1000 },
    { 0, 3 },     { 3, 0 },       { 0.19, 2 },  { 2, 0.1999 }, { 12, 0.5 },   { 0.5, 12 },
    { 0, 1000 },  { 300, 1 },     { 1, 300 },   { 5000, 0 },   { 0.3, 5000 },
  };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++)
    for (guint f = 0; f < G_N_ELEMENTS (mixed); f++, n++)
      {
        const gboolean large = MAX (sigmas[i][0], sigmas[i][1]) > 60.0;
        const Case c = make_case (n, f, large ? 61 : 131, large ? 43 : 97, sigmas[i][0],
                                  sigmas[i][1]);

        check_case (&c);
      }
}

static void
test_kernels (void)
{
  static const int sizes[] = { 1, 3, 7, 61, 255, 9999 };
  static const double sigmas[][2] = { { 0.3, 0.3 }, { 2, 2 }, { 10, 1 }, { 0, 40 }, { 700, 700 } };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint s = 0; s < G_N_ELEMENTS (sigmas); s++)
      for (guint f = (i + s) % 2; f < G_N_ELEMENTS (mixed); f += 2, n++)
        {
          const gboolean large = sizes[i] > 1000;
          Case c = make_case (n, f, large ? 23 : 61, large ? 19 : 43, sigmas[s][0], sigmas[s][1]);

          c.params.kernel_size = sizes[i];
          check_case (&c);
        }
}

/* Radii at which a kernel's tile comes to the limits of shared memory, on small devices most of
 * all. */
static void
test_tiles (void)
{
  static const int radii[] = { 16, 17, 20, 21, 38, 41, 45, 48, 49 };
  static const struct {
    FxFormat format;
    FxLight light;
    double sigma;
  } formats[] = {
    { { FX_SAMPLE_U8, 3, TRUE }, FX_LIGHT_LINEAR, 0.0 }, /* which has a table as well */
    { { FX_SAMPLE_U8, 4, TRUE }, FX_LIGHT_LINEAR, 0.0 },
    { { FX_SAMPLE_FLOAT, 3, FALSE }, FX_LIGHT_LINEAR, 0.0 },
    { { FX_SAMPLE_HALF, 3, TRUE }, FX_LIGHT_LINEAR, 15.9 }, /* the longest FIR of a grid */
    { { FX_SAMPLE_U8, 1, TRUE }, FX_LIGHT_PERCEPTUAL, 0.0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (radii); i++)
    for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
      {
        double sigma = formats[f].sigma > 0.0 ? formats[f].sigma - 0.1 * i : radii[i] / 3.0;
        Case c = make_case (i + f, 0, 150, 60, sigma, sigma);

        c.format = formats[f].format;
        c.params.light = formats[f].light;
        c.params.kernel_size = formats[f].sigma > 0.0 ? 0 : 2 * radii[i] + 1;
        check_case (&c);
      }
}

static void
test_abyss (void)
{
  static const double sigmas[] = { 1.5, 9.0, 70.0 };

  for (guint i = 0; i < 4 * G_N_ELEMENTS (sigmas) * G_N_ELEMENTS (mixed); i++)
    {
      Case c = make_case (i, i / 12, 37, 29, sigmas[i / 4 % 3], sigmas[i / 4 % 3]);

      c.params.abyss = i % 4;
      c.kind = i / 4 % 2 ? IMAGE_MAX : IMAGE_RANDOM;
      check_case (&c);
    }
}

static void
test_regions (void)
{
  static const FxRect regions[] = {
    { 0, 0, 1, 1 },   { 89, 69, 1, 1 }, { 40, 30, 1, 1 },  { 20, 10, 37, 41 }, { 0, 35, 90, 1 },
    { 45, 0, 1, 70 }, { 0, 0, 13, 70 }, { 77, 0, 13, 70 }, { 0, 60, 90, 10 },  { 1, 1, 88, 68 },
  };
  static const double sigmas[][2] = { { 1.5, 1.5 }, { 0, 3 }, { 3, 0 }, { 20, 20 }, { 0, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (regions); i++)
    for (guint s = 0; s < G_N_ELEMENTS (sigmas); s++)
      for (guint f = (i + s) % 2; f < G_N_ELEMENTS (mixed); f += 2)
        {
          Case c = make_case (i + s, f, 90, 70, sigmas[s][0], sigmas[s][1]);

          c.region = regions[i];
          check_case (&c);
        }
}

/* The last corner of an image as large as int can say, whole and in many bands: sums of places and
 * sizes must not overflow. */
static void
test_far (void)
{
  for (guint f = 0; f < 2 * G_N_ELEMENTS (mixed); f++)
    {
      g_auto (Job) job = { 0 };
      Case c = make_case (f, f / 2, 200, 60, 2.0, 2.0);

      c.region = (FxRect) { 20, 20, 180, 40 };
      job_init (&job, &c);
      job.shift_x = FX_SIZE_MAX - c.width;
      job.shift_y = FX_SIZE_MAX - c.height;
      if (f % 2)
        g_setenv ("CUDA_BLUR_MEMORY_LIMIT", "64K", TRUE);
      check_job (&job);
      g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
    }
}

/* Bytes stay, whatever they mean: colour under alpha 0, subnormals, all 64 bits of a double. */
static void
test_identity (void)
{
  static const BlurParams params[] = {
    { .sigma_x = 0.0, .sigma_y = 0.0 },
    { .sigma_x = 0.19, .sigma_y = 0.1999 },
    { .sigma_x = 10.0, .sigma_y = 10.0, .kernel_size = 1 },
    { .sigma_x = 0.0, .sigma_y = 0.0, .kernel_size = 9 },
    { .sigma_x = 0.0, .sigma_y = 50.0, .kernel_size = 1 },
  };
  static const ImageKind kinds[] = { IMAGE_RANDOM, IMAGE_HOLES, IMAGE_FAINT };

  for (guint i = 0; i < G_N_ELEMENTS (params); i++)
    for (guint k = 0; k < 24 * G_N_ELEMENTS (kinds); k++)
      {
        Case c = { .seed = g_test_rand_int (), .kind = kinds[k / 24], .width = 41, .height = 23 };

        c.params = params[i];
        c.params.device = device;
        c.params.light = k % 2;
        c.format = (FxFormat) { k % 6, k / 6 % 4 + 1, k / 2 % 2 };
        if (! is_integer (c.format.sample) && k / 24 == 2)
          c.kind = IMAGE_SUBNORMAL;
        g_assert_true (blur_params_is_identity (&c.params));
        check_case (&c);
      }
  g_assert_false (blur_params_is_identity (&(BlurParams) { .sigma_x = 0.2 }));
  g_assert_false (blur_params_is_identity (&(BlurParams) { .sigma_y = 1.0, .kernel_size = 3 }));
}

/* ---- infinities and NaN ---- */

#define REACH_MOST  9.0 /* in sigmas, along each axis: no value of these reaches further */
#define REACH_LEAST 4.0 /* so far each does, or to the end of an explicit kernel */

/* A sample to set. A finite value the reference gets too. */
typedef struct {
  int x, y;
  int channel;
  double value;
} Poke;

/* What of these a sample of the result has in reach. */
typedef struct {
  gboolean plus, minus; /* NaN, and an alpha for its colours, count as both */
  gboolean near;        /* one of them is so near that it must show */
} Reached;

static double
get_reach (const Case *c, double sigma, double sigmas)
{
  const double reach = sigma < 0.2 ? 0.0 : sigmas * sigma;

  return c->params.kernel_size ? MIN (reach, reference_radius (sigma, c->params.kernel_size))
                               : reach;
}

static gboolean
is_within (const Case *c, double sigmas, int dx, int dy)
{
  return abs (dx) <= get_reach (c, c->params.sigma_x, sigmas) &&
         abs (dy) <= get_reach (c, c->params.sigma_y, sigmas);
}

/* in: the reference's source, which says where the image is transparent: there a colour is nothing.
 */
static Reached
get_reached (const Case *c, const double *in, const Poke *pokes, guint n, int x, int y, int channel)
{
  const int channels = c->format.channels;
  const int alpha = channels % 2 == 0 ? channels - 1 : -1;
  Reached reached = { 0 };

  for (guint i = 0; i < n; i++)
    {
      const Poke *p = &pokes[i];
      const double *pixel = in + ((gsize) p->y * c->width + p->x) * channels;
      const gboolean both = isnan (p->value) || p->channel != channel;

      if (isfinite (p->value) || (p->channel != channel && p->channel != alpha) ||
          ! is_within (c, REACH_MOST, x - p->x, y - p->y) ||
          (p->channel != alpha && alpha >= 0 && pixel[alpha] == 0.0))
        continue;
      reached.plus |= both || p->value > 0.0;
      reached.minus |= both || p->value < 0.0;
      reached.near |= is_within (c, REACH_LEAST, x - p->x, y - p->y);
    }
  return reached;
}

static gboolean
is_largest (FxSample sample, double value)
{
  return fabs (value) >= (sample == FX_SAMPLE_HALF ? 65504.0 : (double) G_MAXFLOAT);
}

/* What is wrong with a sample, or NULL. v: its verdict beside the value that it would have without.
 */
static const char *
find_fault (const Case *c, const Reached *reached, const Verdict *v, double got)
{
  if (! reached->plus && ! reached->minus)
    return v->worst > 1.0 ? "out of reach" : NULL;
  if (isnan (got))
    return "not a number";
  if (is_largest (c->format.sample, got))
    return (got > 0.0 ? reached->plus : reached->minus) ? NULL : "the wrong sign";
  if (reached->near)
    return "within reach, yet finite";
  return v->worst > 1.0 ? "neither infinite nor exact" : NULL;
}

/* Compares every sample; stops at the first that is wrong. */
static void
check_poked (const Job *job, const double *in, const Poke *pokes, guint n)
{
  const Case *c = job->c;
  const FxSample sample = c->format.sample;
  const int channels = c->format.channels;
  g_autofree double *values = reference_blur (&c->params, &c->format, c->width, c->height,
                                              &job->region, in);
  const double range = get_range (c, in);

  for (gsize i = 0; i < (gsize) c->width * c->height * channels; i++)
    {
      const int channel = i % channels, x = i / channels % c->width, y = i / channels / c->width;
      const gsize last = i - channel + channels - 1;
      const gboolean color = channels % 2 == 0 && i != last;
      const Reached reached = get_reached (c, in, pokes, n, x, y, channel);
      const double got = reference_decode (sample, job->result, i);
      const char *fault;
      Verdict v = { .worst = 0.0 };

      judge_sample (&v, sample, i, values[i], got, color ? values[last] : 1.0,
                    color ? reference_decode (sample, job->result, last) : 1.0, range);
      fault = find_fault (c, &reached, &v, got);
      if (fault)
        {
          fail_case (c,
                     "%s: %.9g, expected %.9g, at %d,%d channel %d; the first of %u is %g at "
                     "%d,%d channel %d",
                     fault, got, values[i], x, y, channel, n, pokes[0].value, pokes[0].x,
                     pokes[0].y, pokes[0].channel);
          return;
        }
    }
}

/* The reference gets the finite ones alone. */
static void
check_pokes (const Case *c, const Poke *pokes, guint n)
{
  g_auto (Job) job = { 0 };
  g_autofree double *in = NULL;
  g_autoptr (GError) error = NULL;

  job_init (&job, c);
  for (int finite = 1; finite >= 0; finite--)
    {
      for (guint i = 0; i < n; i++)
        if ((isfinite (pokes[i].value) != 0) == finite)
          reference_encode (c->format.sample, pokes[i].value, job.source,
                            ((gsize) pokes[i].y * c->width + pokes[i].x) * c->format.channels +
                              pokes[i].channel);
      if (finite)
        in = decode_all (c, job.source);
    }
  if (job_run (&job, engine, NULL, &error))
    check_poked (&job, in, pokes, n);
  else
    fail_case (c, "error: %s", error->message);
}

/* One after the other: alone, in a corner, with its opposite, in an alpha, under an alpha of 0, on
 * an otherwise transparent image, as NaN. */
static void
check_nonfinite (guint n, FxFormat format, FxLight light, const BlurParams *params, int width,
                 int height)
{
  const int x = width / 2, y = height / 2, last = format.channels - 1;
  const gboolean has_alpha = format.channels % 2 == 0;
  const struct {
    ImageKind kind;
    guint n;
    Poke pokes[3];
  } sets[] = {
    { IMAGE_RANDOM, 1, { { x, y, 0, INFINITY } } },
    { IMAGE_HDR, 1, { { width - 1, 0, 0, -INFINITY } } },
    { IMAGE_RANDOM,
      3,
      { { x, y, 0, INFINITY }, { x / 2, y / 2, 0, -INFINITY }, { 0, 0, 0, INFINITY } } },
    { IMAGE_HOLES, 2, { { x, y, 0, INFINITY }, { 0, y, 0, -INFINITY } } },
    { IMAGE_RANDOM, 1, { { x, y, 0, NAN } } },
    { IMAGE_DARK_EDGE, 1, { { x, y, last, INFINITY } } },
    { IMAGE_RANDOM, 2, { { x, y, last, 0.0 }, { x, y, 0, INFINITY } } },
    { IMAGE_ZERO, 2, { { x, y, last, 1.0 }, { x, y, 0, -INFINITY } } },
    { IMAGE_RANDOM, 1, { { x, y, last, NAN } } },
  };
  Case c = {
    .seed = g_test_rand_int (),
    .format = format,
    .width = width,
    .height = height,
    .params = *params,
  };

  n %= has_alpha ? G_N_ELEMENTS (sets) : 5;
  c.kind = sets[n].kind;
  c.params.abyss = n % 4;
  c.params.light = light;
  c.params.device = device;
  check_pokes (&c, sets[n].pokes, sets[n].n);
}

/* Every way of the blur: one FIR, two, an explicit kernel; stages along one axis and both, one to
 * three of them, with the fewest cells to a sigma, whose reach is the longest. */
static void
test_nonfinite (void)
{
  static const struct {
    double sigma_x, sigma_y;
    int kernel_size, width, height;
  } shapes[] = {
    { 0.2, 0.2, 0, 23, 17 },   { 0.6, 2.0, 0, 41, 47 },    { 3.0, 0.0, 0, 67, 5 },
    { 2.0, 2.0, 7, 23, 29 },   { 1.0, 0.7, 255, 41, 31 },  { 4.0, 0.0, 9999, 91, 3 },
    { 20.0, 1.0, 61, 90, 31 }, { 5.3, 5.3, 0, 119, 131 },  { 8.0, 2.0, 0, 165, 41 },
    { 1.0, 12.0, 0, 31, 241 }, { 0.0, 42.4, 0, 3, 801 },   { 42.4, 0.0, 0, 801, 3 },
    { 64.0, 0.0, 0, 1201, 2 }, { 339.2, 0.0, 0, 6301, 1 }, { 5000.0, 5000.0, 0, 40, 30 },
  };
  static const struct {
    FxFormat format;
    FxLight light;
  } formats[] = {
    { { FX_SAMPLE_FLOAT, 4, TRUE }, FX_LIGHT_LINEAR },
    { { FX_SAMPLE_FLOAT, 1, FALSE }, FX_LIGHT_LINEAR },
    { { FX_SAMPLE_HALF, 4, FALSE }, FX_LIGHT_PERCEPTUAL },
    { { FX_SAMPLE_DOUBLE, 2, FALSE }, FX_LIGHT_LINEAR },
    { { FX_SAMPLE_FLOAT, 3, TRUE }, FX_LIGHT_PERCEPTUAL },
  };
  guint n = 0;

  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
    for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
      for (guint set = 0; set < 3; set++, n++)
        {
          const BlurParams params = { .sigma_x = shapes[s].sigma_x,
                                      .sigma_y = shapes[s].sigma_y,
                                      .kernel_size = shapes[s].kernel_size };

          check_nonfinite (n / 3 / G_N_ELEMENTS (formats) + f + 3 * set, formats[f].format,
                           formats[f].light, &params, shapes[s].width, shapes[s].height);
        }
}

/* A burnt-out sun: one infinity, which takes a part of the picture and leaves the rest. */
static void
test_sun (void)
{
  const Case c = {
    .seed = g_test_rand_int (),
    .kind = IMAGE_RANDOM,
    .format = { FX_SAMPLE_FLOAT, 1, FALSE },
    .width = 600,
    .height = 600,
    .params = { .sigma_x = 60.0, .sigma_y = 60.0, .device = device },
  };
  const Poke poke = { 20, 30, 0, INFINITY };

  check_pokes (&c, &poke, 1);
}

/* ---- arguments ---- */

/* The message must hold both words: the argument's name and its value. */
static void
check_refusal (const GError *error, const char *name, const char *value)
{
  g_autofree char *message = NULL;

  g_assert_error (error, FX_ERROR, FX_ERROR_ARGUMENT);
  message = g_utf8_strdown (error->message, -1);
  if (! strstr (message, name) || (value && ! strstr (message, value)))
    {
      g_test_message ("no \"%s\" with \"%s\" in: %s", name, value, error->message);
      g_test_fail ();
    }
}

static void
test_bad_params (void)
{
  static const struct {
    BlurParams params;
    const char *name, *value;
  } cases[] = {
    { { NAN, 1, 0, 0, 0, 2 }, "sigma-x", "nan" },
    { { 1, NAN, 0, 0, 0, 2 }, "sigma-y", "nan" },
    { { INFINITY, 1, 0, 0, 0, 2 }, "sigma-x", "inf" },
    { { 1, -INFINITY, 0, 0, 0, 2 }, "sigma-y", "-inf" },
    { { -0.5, 1, 0, 0, 0, 2 }, "sigma-x", "-0.5" },
    { { 1, 5001, 0, 0, 0, 2 }, "sigma-y", "5001" },
    { { 1, 1, 2, 0, 0, 2 }, "kernel", "2" },
    { { 1, 1, -3, 0, 0, 2 }, "kernel", "-3" },
    { { 1, 1, 10001, 0, 0, 2 }, "kernel", "10001" },
    { { 1, 1, G_MININT, 0, 0, 2 }, "kernel", "-2147483648" },
    { { 1, 1, 0, 4, 0, 2 }, "abyss", "4" },
    { { 1, 1, 0, -1, 0, 2 }, "abyss", "-1" },
    { { 1, 1, 0, 0, 2, 2 }, "light", "2" },
    { { 1, 1, 0, 0, -7, 2 }, "light", "-7" },
    { { 1, 1, 0, 0, 0, 3 }, "device", "3" },
    { { 1, 1, 0, 0, 0, -1 }, "device", "-1" },
    { { 0, 0, 0, 9, 0, 2 }, "abyss", "9" }, /* even where it would not be used */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case c = { .width = 5,
                       .height = 5,
                       .format = { FX_SAMPLE_U8, 1, FALSE },
                       .kind = IMAGE_RANDOM,
                       .params = { .device = FX_DEVICE_CPU } };
      Case bad = c;
      g_auto (Job) job = { 0 };
      g_autoptr (GError) checked = NULL;
      g_autoptr (GError) run = NULL;

      g_assert_false (blur_params_check (&cases[i].params, &checked));
      check_refusal (checked, cases[i].name, cases[i].value);
      job_init (&job, &c);
      bad.params = cases[i].params;
      job.c = &bad;
      g_assert_false (job_run (&job, engine, NULL, &run));
      check_refusal (run, cases[i].name, cases[i].value);
      g_assert_cmpint (job.reads + job.writes + job.steps, ==, 0);
      g_assert_false (blur_params_check (&cases[i].params, NULL));
    }
}

static void
test_good_params (void)
{
  static const BlurParams cases[] = {
    { 0, 0, 0, 0, 0, 0 },
    { 5000, 5000, 9999, 3, 1, 2 },
    { 0.2, 0, 1, 1, 0, 1 },
    { -0.0, 1e-300, 3, 2, 1, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (blur_params_check (&cases[i], &error));
      g_assert_no_error (error);
    }
}

static void
test_bad_images (void)
{
  static const struct {
    FxFormat format;
    int width, height;
    FxRect region;
    gboolean no_read, no_write;
    const char *name, *value;
  } cases[] = {
    { { 0, 4, 0 }, 0, 5, { 0, 0, 1, 1 }, 0, 0, "image", "0" },
    { { 0, 4, 0 }, 5, -5, { 0, 0, 1, 1 }, 0, 0, "image", "-5" },
    { { 0, 4, 0 }, 5, 5, { 0, 0, 0, 5 }, 0, 0, "region", "0" },
    { { 0, 4, 0 }, 5, 5, { 0, 0, 5, -1 }, 0, 0, "region", "-1" },
    { { 0, 4, 0 }, 5, 5, { -1, 0, 5, 5 }, 0, 0, "region", "-1" },
    { { 0, 4, 0 }, 5, 5, { 0, -1, 5, 5 }, 0, 0, "region", "-1" },
    { { 0, 4, 0 }, 5, 5, { 1, 0, 5, 5 }, 0, 0, "region", "1" },
    { { 0, 4, 0 }, 5, 5, { 0, 4, 5, 2 }, 0, 0, "region", "4" },
    { { 0, 4, 0 }, 5, 5, { 1, 0, G_MAXINT, 5 }, 0, 0, "region", "2147483647" },
    { { 0, 4, 0 }, 5, 5, { G_MAXINT, 0, 5, 5 }, 0, 0, "region", "2147483647" },
    { { 0, 4, 0 }, 5, 5, { 0, G_MAXINT, 5, G_MAXINT }, 0, 0, "region", "2147483647" },
    { { 0, 4, 0 }, 5, 5, { 0, 0, 5, 5 }, TRUE, FALSE, "read", NULL },
    { { 0, 4, 0 }, 5, 5, { 0, 0, 5, 5 }, FALSE, TRUE, "write", NULL },
    { { 0, 0, 0 }, 5, 5, { 0, 0, 5, 5 }, 0, 0, "channels", "0" },
    { { 0, 5, 0 }, 5, 5, { 0, 0, 5, 5 }, 0, 0, "channels", "5" },
    { { 6, 4, 0 }, 5, 5, { 0, 0, 5, 5 }, 0, 0, "sample", "6" },
    { { -1, 4, 0 }, 5, 5, { 0, 0, 5, 5 }, 0, 0, "sample", "-1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int sigma = 0; sigma <= 2; sigma += 2) /* identity is no excuse */
      {
        Job job = { .thread = g_thread_self () };
        const BlurParams params = { .sigma_x = sigma, .sigma_y = sigma, .device = device };
        const FxImage image = {
          cases[i].format,
          cases[i].width,
          cases[i].height,
          cases[i].region,
          cases[i].no_read ? NULL : read_rect,
          cases[i].no_write ? NULL : write_rect,
          show_progress,
          &job,
        };
        g_autoptr (GError) error = NULL;

        g_assert_false (fx_engine_run (engine, &params, &image, NULL, &error));
        check_refusal (error, cases[i].name, cases[i].value);
        g_assert_cmpint (job.reads + job.writes + job.steps, ==, 0);
      }
}

static void
test_sample_sizes (void)
{
  static const gsize sizes[] = { 1, 2, 4, 2, 4, 8 };

  for (int i = 0; i <= FX_SAMPLE_DOUBLE; i++)
    {
      g_assert_cmpuint (fx_sample_size (i), ==, sizes[i]);
      for (int n = 1; n <= 4; n++)
        g_assert_cmpuint (fx_format_size (&(FxFormat) { i, n, FALSE }), ==, sizes[i] * n);
    }
}

static void
test_growth (void)
{
  static const struct {
    double sigma_x, sigma_y;
    int kernel_size, x, y;
  } cases[] = {
    { 0, 0, 0, 0, 0 },       { 3, 3, 0, 12, 12 },       { 1.1, 2.51, 0, 5, 11 },
    { 0.19, 0.2, 0, 0, 1 },  { 3, 3, 1, 0, 0 },         { 3, 3, 3, 1, 1 },
    { 3, 0, 61, 30, 0 },     { 0.1, 5, 9999, 0, 4999 }, { 5000, 1000, 0, 20000, 4000 },
    { 0.25, 0.26, 0, 1, 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const BlurParams params = { .sigma_x = cases[i].sigma_x,
                                  .sigma_y = cases[i].sigma_y,
                                  .kernel_size = cases[i].kernel_size };
      int x = -1, y = -1;

      blur_params_get_growth (&params, &x, &y);
      g_assert_cmpint (x, ==, cases[i].x);
      g_assert_cmpint (y, ==, cases[i].y);
    }
}

/* ---- callbacks ---- */

/* Runs a job that is to fail. The report must stay as it was. */
static void
check_failure (Job *job, GQuark domain, int code, const char *message)
{
  g_autoptr (GError) error = NULL;
  FxReport report, before;

  memset (&report, 0xaa, sizeof report);
  before = report;
  g_assert_false (job_run (job, engine, &report, &error));
  g_assert_error (error, domain, code);
  if (message)
    g_assert_cmpstr (error->message, ==, message);
  g_assert_cmpmem (&report, sizeof report, &before, sizeof before);
  g_assert_cmpstr (job->complaint, ==, NULL);
}

/* Fails each of the calls in turn, the last one too; then the engine must work as before. */
static void
test_callbacks (void)
{
  Case c = make_case (0, 0, 150, 300, 2.0, 2.0);
  g_auto (Job) job = { 0 };
  g_autoptr (GError) error = NULL;
  int reads, writes, steps;

  g_setenv ("CUDA_BLUR_MEMORY_LIMIT", "300K", TRUE);
  job_init (&job, &c);
  g_assert_true (job_run (&job, engine, NULL, &error));
  reads = job.reads;
  writes = job.writes;
  steps = job.steps;
  g_assert_cmpint (MIN (reads, writes), >, 2);
  for (job.fail_read = 1; job.fail_read <= reads; job.fail_read++)
    {
      g_autofree char *message = g_strdup_printf ("read %d fails", job.fail_read);

      check_failure (&job, get_own_domain (), 42, message);
      g_assert_cmpint (job.reads, ==, job.fail_read); /* no more calls, and no second try */
    }
  job.fail_read = 0;
  for (job.fail_write = 1; job.fail_write <= writes; job.fail_write++)
    {
      g_autofree char *message = g_strdup_printf ("write %d fails", job.fail_write);

      check_failure (&job, get_own_domain (), 43, message);
      g_assert_cmpint (job.writes, ==, job.fail_write);
    }
  job.fail_write = 0;
  for (job.cancel = 1; job.cancel <= steps; job.cancel++)
    {
      check_failure (&job, FX_ERROR, FX_ERROR_CANCELLED, NULL);
      g_assert_cmpint (job.steps, ==, job.cancel);
    }
  job.cancel = 0;
  check_job (&job);
  g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
}

/* No progress, no report, no error: all legal. */
static void
test_nothing_asked (void)
{
  const Case c = make_case (0, 0, 20, 20, 2.0, 2.0);
  g_auto (Job) job = { 0 };

  job_init (&job, &c);
  job.no_progress = TRUE;
  g_assert_true (job_run (&job, engine, NULL, NULL));
  g_assert_cmpstr (job.complaint, ==, NULL);
  check_pixels (&job);
  job.fail_read = 1;
  g_assert_false (job_run (&job, engine, NULL, NULL));
  fx_engine_free (NULL);
}

/* ---- the environment ---- */

/* want: 'c' CPU, 'g' GPU or UNAVAILABLE, 'a' GPU or else CPU with the reason, 'x' refused. */
static void
check_device (FxDevice asked, char want)
{
  Case c = make_case (0, 0, 20, 20, 2.0, 2.0);
  g_auto (Job) job = { 0 };
  g_autoptr (GError) error = NULL;
  FxReport report = { .device = -1 };
  gboolean done;

  c.params.device = asked;
  job_init (&job, &c);
  done = job_run (&job, engine, &report, &error);
  if (want == 'x')
    check_refusal (error, "cuda_blur_device", NULL);
  else if (want == 'g' && ! has_gpu)
    g_assert_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE);
  else
    {
      const gboolean gpu = has_gpu && want != 'c';

      g_assert_no_error (error);
      g_assert_true (done);
      g_assert_cmpint (report.device, ==, gpu ? FX_DEVICE_GPU : FX_DEVICE_CPU);
      g_assert_cmpint (report.fallback[0] != 0, ==, want == 'a' && ! gpu);
      check_pixels (&job);
    }
}

static void
test_device_variable (void)
{
  static const struct {
    const char *value;
    FxDevice asked;
    char want;
  } cases[] = {
    { NULL, FX_DEVICE_AUTO, 'a' },  { "", FX_DEVICE_AUTO, 'a' },    { "auto", FX_DEVICE_AUTO, 'a' },
    { "cpu", FX_DEVICE_AUTO, 'c' }, { "gpu", FX_DEVICE_AUTO, 'g' }, { "cpu", FX_DEVICE_GPU, 'g' },
    { "gpu", FX_DEVICE_CPU, 'c' },  { "tpu", FX_DEVICE_AUTO, 'x' }, { "tpu", FX_DEVICE_CPU, 'c' },
  };
  g_autofree char *old = g_strdup (g_getenv ("CUDA_BLUR_DEVICE"));

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("CUDA_BLUR_DEVICE=%s, asked for %d", cases[i].value, cases[i].asked);
      if (cases[i].value)
        g_setenv ("CUDA_BLUR_DEVICE", cases[i].value, TRUE);
      else
        g_unsetenv ("CUDA_BLUR_DEVICE");
      check_device (cases[i].asked, cases[i].want);
    }
  if (old)
    g_setenv ("CUDA_BLUR_DEVICE", old, TRUE);
  else
    g_unsetenv ("CUDA_BLUR_DEVICE");
}

/* Without a driver, or without a GPU engine: the first automatic run names the reason that the next
 * ones name, and an engine that lasts does as well. */
static void
test_no_driver (void)
{
  g_autoptr (GError) reason = NULL;

  if (fx_gpu_has_driver (&reason))
    {
      g_test_skip ("there is a driver");
      return;
    }
  for (int lasting = 0; lasting <= 1; lasting++)
    {
      g_autoptr (FxEngine) other = fx_engine_new ();
      Case c = make_case (0, 0, 1500, 1000, 3, 3); /* worth a GPU */

      c.params.device = FX_DEVICE_AUTO;
      if (lasting)
        fx_engine_set_lasting (other);
      for (int n = 0; n < 3; n++)
        {
          g_auto (Job) job = { 0 };
          FxReport report = { 0 };

          job_init (&job, &c);
          g_assert_true (job_run (&job, other, &report, NULL));
          g_assert_cmpstr (report.fallback, ==, reason->message);
        }
    }
}

/* Runs job under a limit; the bytes must be those of job->result, which stays as it is. FALSE when
 * it lacked memory. */
static gboolean
check_limit (Job *job, const char *limit)
{
  const gsize size = (gsize) job->region.width * job->region.height * job->pixel;
  g_autofree guint8 *expected = g_memdup2 (job->result, size);
  g_autoptr (GError) error = NULL;
  FxReport report;
  gboolean done;

  g_setenv ("CUDA_BLUR_MEMORY_LIMIT", limit, TRUE);
  done = job_run (job, engine, &report, &error);
  g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
  g_test_message ("%s: %d reads, %d writes, %s", limit, job->reads, job->writes,
                  done ? "done" : error->message);
  if (job->complaint)
    fail_case (job->c, "%s", job->complaint);
  else if (done && memcmp (job->result, expected, size) != 0)
    fail_case (job->c, "another result under a limit of %s", limit);
  else if (! done && ! g_error_matches (error, FX_ERROR, FX_ERROR_MEMORY))
    fail_case (job->c, "under a limit of %s: %s", limit, error->message);
  memcpy (job->result, expected, size);
  return done;
}

/* Less memory means more and smaller bands, or a clear refusal where not even one fits. */
static void
test_memory_limit (void)
{
  static const struct {
    const char *limit;
    gboolean enough;
  } limits[] = {
    { "3M", TRUE },   { "1M", TRUE },    { "400000", TRUE }, { "100k", FALSE },
    { "64K", FALSE }, { "4096", FALSE }, { "1G", TRUE },
  };
  static const guint formats[] = { 0, 3, 5, 6 };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (int wide = 0; wide < 2; wide++)
      {
        Case c = make_case (f, formats[f], wide ? 640 : 131, wide ? 100 : 500, 3.0, 3.0);
        g_auto (Job) job = { 0 };
        g_autoptr (GError) error = NULL;

        job_init (&job, &c);
        g_assert_true (job_run (&job, engine, NULL, &error));
        check_pixels (&job);
        for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
          if (! check_limit (&job, limits[i].limit) && limits[i].enough)
            fail_case (&c, "no memory under a limit of %s", limits[i].limit);
      }
}

static void
test_bad_limits (void)
{
  static const char *const limits[] = { "x", "-1", "0", "12Q", "1.5M", "K", "99999999999G", "1M " };

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      const Case c = make_case (0, 0, 20, 20, 2.0, 2.0);
      g_auto (Job) job = { 0 };
      g_autoptr (GError) error = NULL;
      gboolean done;

      job_init (&job, &c);
      g_setenv ("CUDA_BLUR_MEMORY_LIMIT", limits[i], TRUE);
      done = job_run (&job, engine, NULL, &error);
      g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
      g_assert_false (done);
      check_refusal (error, "cuda_blur_memory_limit", limits[i][0] == '1' ? "1" : NULL);
      g_assert_cmpint (job.writes, ==, 0);
    }
}

/* ---- threads ---- */

/* What one thread is to do; jobs hold the results of an earlier run. */
typedef struct {
  Job *jobs;
  guint n, first;
} Share;

/* Runs all jobs with an engine of its own, beginning with the first-th. Returns what went wrong, or
 * NULL. */
static gpointer
run_share (gpointer data)
{
  const Share *share = data;
  g_autoptr (FxEngine) own = fx_engine_new ();

  for (guint i = 0; i < share->n; i++)
    {
      const Job *known = &share->jobs[(share->first + i) % share->n];
      g_autoptr (GError) error = NULL;
      g_auto (Job) job = { 0 };

      job_init (&job, known->c);
      if (! job_run (&job, own, NULL, &error))
        return g_strdup (error->message);
      if (job.complaint)
        return g_steal_pointer (&job.complaint);
      if (memcmp (job.result, known->result,
                  (gsize) job.region.width * job.region.height * job.pixel) != 0)
        return g_strdup ("another result than alone");
    }
  return NULL;
}

static void
test_threads (void)
{
  Case cases[12];
  Job jobs[12];
  Share shares[2];
  GThread *threads[2];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      cases[i] = make_case (i, i % G_N_ELEMENTS (mixed), 131, 70, 1.0 + i % 3, 2.0);
      job_init (&jobs[i], &cases[i]);
      check_job (&jobs[i]);
    }
  for (guint i = 0; i < 2; i++)
    {
      shares[i] = (Share) { jobs, G_N_ELEMENTS (jobs), i * 5 };
      threads[i] = g_thread_new ("blur", run_share, &shares[i]);
    }
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *message = g_thread_join (threads[i]);

      g_assert_cmpstr (message, ==, NULL);
    }
  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    job_clear (&jobs[i]);
}

/* ---- at random ---- */

static double
random_sigma (void)
{
  const double u = g_test_rand_double ();

  if (u < 0.1)
    return 0.0;
  return 0.2 * pow (u > 0.9 ? 5000.0 : 60.0, g_test_rand_double ()); /* to 1000, or to 12 */
}

static Case
random_case (void)
{
  Case c = { .seed = g_test_rand_int () };
  const int side = g_test_rand_int_range (0, 4) ? 70 : 150;

  c.format = (FxFormat) { g_test_rand_int_range (0, 6), g_test_rand_int_range (1, 5),
                          g_test_rand_int_range (0, 2) };
  c.kind = g_test_rand_int_range (0, is_integer (c.format.sample) ? IMAGE_HDR : IMAGE_KINDS);
  c.width = g_test_rand_int_range (1, side);
  c.height = g_test_rand_int_range (1, side);
  if (g_test_rand_int_range (0, 3) == 0)
    {
      c.region.x = g_test_rand_int_range (0, c.width);
      c.region.y = g_test_rand_int_range (0, c.height);
      c.region.width = g_test_rand_int_range (1, c.width - c.region.x + 1);
      c.region.height = g_test_rand_int_range (1, c.height - c.region.y + 1);
    }
  c.params = (BlurParams) { .sigma_x = random_sigma (),
                            .sigma_y = random_sigma (),
                            .abyss = g_test_rand_int_range (0, 4),
                            .light = g_test_rand_int_range (0, 2),
                            .device = device };
  if (g_test_rand_int_range (0, 4) == 0)
    c.params.sigma_y = c.params.sigma_x;
  if (g_test_rand_int_range (0, 5) == 0)
    c.params.kernel_size = 1 + 2 * g_test_rand_int_range (0, 40);
  return c;
}

/* Fewer on the GPU, for which most cases have programs of their own to be compiled. */
static void
test_random (void)
{
  const int n = (device == FX_DEVICE_GPU ? 50 : 5000) * (g_test_slow () ? 20 : 1);

  for (int i = 0; i < n; i++)
    {
      const Case c = random_case ();

      check_case (&c);
    }
}

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

/* Asks for a blur of one pixel on the GPU; FALSE with the reason where there is none. */
static gboolean
probe_gpu (GError **error)
{
  const Case c = { .width = 1,
                   .height = 1,
                   .format = { FX_SAMPLE_U8, 1, FALSE },
                   .params = { .sigma_x = 1.0, .device = FX_DEVICE_GPU } };
  g_auto (Job) job = { 0 };

  job_init (&job, &c);
  return job_run (&job, engine, NULL, error);
}

static void
add_tests (void)
{
  static const struct {
    const char *path;
    GTestFunc test;
  } tests[] = {
    { "/reference/half", test_half },
    { "/reference/curve", test_curve },
    { "/reference/separable", test_separable },
    { "/reference/impulse", test_impulse },
    { "/engine/tails", test_tails },
    { "/engine/sizes", test_sizes },
    { "/engine/sigmas", test_sigmas },
    { "/engine/kernels", test_kernels },
    { "/engine/tiles", test_tiles },
    { "/engine/abyss", test_abyss },
    { "/engine/regions", test_regions },
    { "/engine/far", test_far },
    { "/engine/identity", test_identity },
    { "/engine/nonfinite/ways", test_nonfinite },
    { "/engine/nonfinite/sun", test_sun },
    { "/engine/bad-params", test_bad_params },
    { "/engine/good-params", test_good_params },
    { "/engine/bad-images", test_bad_images },
    { "/engine/sample-sizes", test_sample_sizes },
    { "/engine/growth", test_growth },
    { "/engine/callbacks", test_callbacks },
    { "/engine/nothing-asked", test_nothing_asked },
    { "/engine/device-variable", test_device_variable },
    { "/engine/no-driver", test_no_driver },
    { "/engine/memory-limit", test_memory_limit },
    { "/engine/bad-limits", test_bad_limits },
    { "/engine/threads", test_threads },
    { "/engine/random", test_random },
  };

  for (int i = 0; i <= FX_SAMPLE_DOUBLE; i++)
    {
      g_autofree char *path = g_strconcat ("/engine/format/", sample_names[i], NULL);

      g_test_add_data_func (path, GINT_TO_POINTER (i), test_format);
    }
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_func (tests[i].path, tests[i].test);
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
  has_gpu = probe_gpu (&error);
  if (device == FX_DEVICE_GPU && g_error_matches (error, FX_ERROR, FX_ERROR_UNAVAILABLE))
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
