#include "cpu-codes.h"
#include "light-codes.h"

#include <string.h>

#define PIECE FX_LIGHT_CODES_PIECE /* pixels at a time */

enum { PIXEL_MAX = FX_CHANNELS_MAX * sizeof (double) };

/* Copies n samples; NaN becomes infinity. */
static void
copy_samples (FxSample sample, const guint8 *from, int n, guint8 *to)
{
  memcpy (to, from, n * fx_sample_size (sample));
  for (int i = 0; i < n; i++)
    if (sample == FX_SAMPLE_HALF)
      ((guint16 *) to)[i] = median_restore_half (median_order_half (((guint16 *) to)[i]));
    else if (sample == FX_SAMPLE_FLOAT)
      ((guint32 *) to)[i] = median_restore_float (median_order_float (((guint32 *) to)[i]));
    else if (sample == FX_SAMPLE_DOUBLE)
      ((guint64 *) to)[i] = median_restore_double (median_order_double (((guint64 *) to)[i]));
}

static gint64
get_integer (FxSample sample, const guint8 *samples, int i)
{
  return sample == FX_SAMPLE_U8    ? samples[i]
         : sample == FX_SAMPLE_U16 ? ((const guint16 *) samples)[i]
                                   : ((const guint32 *) samples)[i];
}

/* Sets changes to whether integers of n pixels differ by more than is kept. */
static void
compare_integers (const MedianPlan *plan, const guint8 *before, const guint8 *after, int n,
                  gboolean *changes)
{
  const FxFormat *format = &plan->base.codec.format;
  int colors = median_plan_get_colors (plan);

  for (int i = 0; i < n; i++)
    for (int c = 0; c < colors; c++)
      {
        int at = i * format->channels + c;
        gint64 difference = get_integer (format->sample, after, at) -
                            get_integer (format->sample, before, at);

        changes[i] |= ABS (difference) > plan->window.delta_u32;
      }
}

static void
decode (const MedianPlan *plan, const guint8 *pixels, int n, float (*values)[PIECE])
{
  float *const planes[] = { values[0], values[1], values[2], values[3] };

  if (plan->compared == MEDIAN_CODES)
    fx_light_codes_decode (plan->lights, &plan->base.codec.format, pixels, n, planes);
  else
    fx_codec_decode (&plan->base.codec, pixels, n, planes);
}

/* The same of codes, and of floats in single precision. Two infinities do not differ. */
static void
compare_floats (const MedianPlan *plan, const guint8 *before, const guint8 *after, int n,
                gboolean *changes)
{
  float old[FX_CHANNELS_MAX][PIECE], new[FX_CHANNELS_MAX][PIECE];
  float delta = plan->compared == MEDIAN_CODES ? (float) plan->window.delta_u32
                                               : plan->window.delta;

  decode (plan, before, n, old);
  decode (plan, after, n, new);
  for (int c = 0; c < median_plan_get_colors (plan); c++)
    for (int i = 0; i < n; i++)
      changes[i] |= fabsf (new[c][i] - old[c][i]) > delta;
}

void
median_threshold_apply (const MedianPlan *plan, const guint8 *source, int n, guint8 *result)
{
  const FxFormat *format = &plan->base.codec.format;
  gsize pixel = fx_format_size (format);
  gsize colors = median_plan_get_colors (plan) * fx_sample_size (format->sample);
  gboolean changes[PIECE] = { FALSE };
  guint8 before[PIECE * PIXEL_MAX] __attribute__ ((aligned (sizeof (double))));

  copy_samples (format->sample, source, n * format->channels, before);
  if (plan->compared == MEDIAN_STORED && fx_sample_get_maximum (format->sample) > 0.0)
    compare_integers (plan, before, result, n, changes);
  else
    compare_floats (plan, before, result, n, changes);
  for (int i = 0; i < n; i++)
    if (! changes[i])
      memcpy (result + i * pixel, before + i * pixel, colors);
}
