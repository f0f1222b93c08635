#include "errors.h"

#include "../lib/reference.h"
#include "bench.h"
#include "runs.h"
#include "gegl-peer.h"
#include "picture.h"

#define LEAST_ALPHA (8.0 / 255.0)
#define OPAQUE      (254.5 / 255.0)

/* One picture in one format, with what it should become. */
typedef struct {
  FxFormat format;
  const char *name, *babl;
  int width, height;
  double sigma;
  gconstpointer source;
  double *reference; /* values, unrounded */
} Subject;

static gsize
get_samples (const Subject *subject)
{
  return (gsize) subject->width * subject->height * subject->format.channels;
}

static void
init_reference (Subject *subject)
{
  const BlurParams params = { .sigma_x = subject->sigma, .sigma_y = subject->sigma };
  const FxRect all = { 0, 0, subject->width, subject->height };
  gsize n = get_samples (subject);
  g_autofree double *values = reference_decode_all (subject->format.sample, subject->source, n);

  subject->reference = reference_blur (&params, &subject->format, subject->width, subject->height,
                                       &all, values);
}

typedef struct {
  double largest; /* of the samples that count: in levels of the rounded reference, or as floats */
  double opaque;  /* of those in opaque pixels */
  double exact;   /* percent of those that count */
} Errors;

static Errors
compare (const Subject *subject, gconstpointer result)
{
  gboolean is_u8 = subject->format.sample == FX_SAMPLE_U8;
  gsize n = get_samples (subject), counted = 0, same = 0;
  Errors errors = { 0 };

  for (gsize i = 0; i < n; i++)
    {
      double alpha = subject->reference[i | 3], want = subject->reference[i], got, off;

      if (i % 4 != 3 && alpha < LEAST_ALPHA)
        continue;
      got = reference_decode (subject->format.sample, result, i);
      off = is_u8 ? fabs (nearbyint (got * 255.0) - nearbyint (want * 255.0)) : fabs (got - want);
      errors.largest = MAX (errors.largest, off);
      if (alpha >= OPAQUE)
        errors.opaque = MAX (errors.opaque, off);
      same += off == 0.0;
      counted++;
    }
  errors.exact = 100.0 * same / MAX (counted, 1);
  return errors;
}

static void
print_error (const Subject *subject, const char *who, const char *what, const char *device,
             double value)
{
  g_autofree char *name = g_strconcat (who, "-error-", what, NULL);
  const BenchCase about = { name,          subject->width, subject->height,
                            subject->name, subject->sigma, device };

  bench_print_value (&about, value);
}

static void
print_errors (const Subject *subject, const char *who, const char *device, gconstpointer result)
{
  Errors errors = compare (subject, result);

  if (subject->format.sample != FX_SAMPLE_U8)
    {
      print_error (subject, who, "float", device, errors.largest);
      return;
    }
  print_error (subject, who, "levels", device, errors.largest);
  print_error (subject, who, "opaque", device, errors.opaque);
  print_error (subject, who, "exact", device, errors.exact);
}

static void
measure_gegl (const Subject *subject)
{
  const GeglRectangle all = { 0, 0, subject->width, subject->height };
  g_autofree gpointer result = g_malloc (get_samples (subject) *
                                         fx_sample_size (subject->format.sample));
  GeglBuffer *from = gegl_peer_new_buffer (subject->babl, subject->width, subject->height,
                                           subject->source);
  GeglBuffer *to = gegl_peer_new_buffer (subject->babl, subject->width, subject->height, NULL);

  gegl_peer_blur (from, to, subject->sigma);
  gegl_buffer_get (to, &all, 1.0, babl_format (subject->babl), result, GEGL_AUTO_ROWSTRIDE,
                   GEGL_ABYSS_NONE);
  print_errors (subject, "gegl", "cpu", result);
  g_object_unref (from);
  g_object_unref (to);
}

static gboolean
measure_ours (FxEngine *engine, FxDevice device, const Subject *subject, GError **error)
{
  g_autofree gpointer result = g_malloc (get_samples (subject) *
                                         fx_sample_size (subject->format.sample));
  const Memory memory = { subject->source, result, subject->width, subject->height,
                          subject->format };

  if (! engine_blur (engine, device, &memory, subject->sigma, NULL, NULL, error))
    return FALSE;
  print_errors (subject, "blur", device == FX_DEVICE_GPU ? "gpu" : "cpu", result);
  return TRUE;
}

static gboolean
measure_subject (FxEngine *engine, gboolean with_gpu, Subject *subject, GError **error)
{
  gboolean done;

  init_reference (subject);
  done = measure_ours (engine, FX_DEVICE_CPU, subject, error) &&
         (! with_gpu || measure_ours (engine, FX_DEVICE_GPU, subject, error));
  if (done)
    measure_gegl (subject);
  g_clear_pointer (&subject->reference, g_free);
  return done;
}

gboolean
errors_measure (FxEngine *engine, gboolean with_gpu, int width, int height, const double *sigmas,
                int n, GError **error)
{
  g_autofree guint8 *bytes = picture_new (width, height);
  g_autofree float *floats = picture_new_linear (width, height);

  for (int i = 0; i < n && ! bench_is_late (); i++)
    {
      Subject u8 = {
        { FX_SAMPLE_U8, 4, TRUE }, "u8", "R'G'B'A u8", width, height, sigmas[i], bytes
      };
      Subject real = {
        { FX_SAMPLE_FLOAT, 4, FALSE }, "float", "RGBA float", width, height, sigmas[i], floats
      };

      if (! measure_subject (engine, with_gpu, &u8, error) ||
          ! measure_subject (engine, with_gpu, &real, error))
        return FALSE;
    }
  return TRUE;
}
