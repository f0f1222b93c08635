#include "format.h"

#include "error.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The tolerance for rounded coefficients. Those of Rec. 709, which have three decimals, leave a gap
 * of 6e-5 between its segments. */
#define ROUNDING 1e-3

static const struct {
  gsize size;
  double maximum;
} samples[] = {
  [FX_SAMPLE_U8] = { sizeof (guint8), G_MAXUINT8 },
  [FX_SAMPLE_U16] = { sizeof (guint16), G_MAXUINT16 },
  [FX_SAMPLE_U32] = { sizeof (guint32), G_MAXUINT32 },
  [FX_SAMPLE_HALF] = { sizeof (guint16) },
  [FX_SAMPLE_FLOAT] = { sizeof (float) },
  [FX_SAMPLE_DOUBLE] = { sizeof (double) },
};

gsize
fx_sample_size (FxSample sample)
{
  return samples[sample].size;
}

double
fx_sample_get_maximum (FxSample sample)
{
  return samples[sample].maximum;
}

gsize
fx_format_size (const FxFormat *format)
{
  return fx_sample_size (format->sample) * format->channels;
}

gboolean
fx_trc_equal (const FxTrc *a, const FxTrc *b)
{
  return a->g == b->g && a->a == b->a && a->b == b->b && a->c == b->c && a->d == b->d &&
         a->e == b->e && a->f == b->f && a->table == b->table;
}

gboolean
fx_format_equal (const FxFormat *a, const FxFormat *b)
{
  return a->sample == b->sample && a->channels == b->channels && ! a->gamma == ! b->gamma &&
         fx_trc_equal (&a->trc, &b->trc);
}

/* Returns whether value can be a divisor. */
static gboolean
is_slope (float value)
{
  return value > 0.0f && isfinite (1.0f / value);
}

static gboolean
is_curve (const FxTrc *trc)
{
  double base = trc->a * (double) trc->d + trc->b; /* the base at the start of the power segment */

  if (! isfinite (trc->b) || ! isfinite (trc->d) || ! isfinite (trc->e) || ! isfinite (trc->f) ||
      ! (trc->g >= 0.1f && trc->g <= 10.0f) || ! isfinite (trc->a) || ! is_slope (trc->a) ||
      ! isfinite (trc->c) || ! (trc->c == 0.0f || is_slope (trc->c)))
    return FALSE;
  return base >= -ROUNDING &&
         trc->c * (double) trc->d + trc->f <= pow (MAX (base, 0.0), trc->g) + trc->e + ROUNDING;
}

static gboolean
check_trc (const FxTrc *trc, GError **error)
{
  const FxTrc no_parameters = { .table = trc->table }; /* sRGB's curve or a table */

  if (fx_trc_equal (trc, &no_parameters) || (! trc->table && is_curve (trc)))
    return TRUE;
  return fx_refuse (
    error,
    _ ("trc is g %g, a %g, b %g, c %g, d %g, e %g, f %g, but must be a curve that does "
       "not fall, with g of 0.1 to 10"),
    trc->g, trc->a, trc->b, trc->c, trc->d, trc->e, trc->f);
}

gboolean
fx_format_check (const FxFormat *format, GError **error)
{
  if (format->channels >= 1 && format->channels <= FX_CHANNELS_MAX && (int) format->sample >= 0 &&
      format->sample <= FX_SAMPLE_DOUBLE)
    return check_trc (&format->trc, error);
  return fx_refuse (
    error, _ ("format is %d channels of sample type %d, but must be 1 to 4 of type 0 to %d"),
    format->channels, (int) format->sample, FX_SAMPLE_DOUBLE);
}
