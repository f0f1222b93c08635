#include "cpu-rows.h"

#include "light-codes.h"
#include "rows.h"

#include <math.h>
#include <string.h>

#define PIECE FX_LIGHT_CODES_PIECE /* pixels decoded at a time */

SelectiveLayout
selective_layout_new (const SelectivePlan *plan, const FxStrip *strip)
{
  int radius = plan->window.radius, colors = selective_plan_get_colors (plan);
  int columns = strip->x1 - strip->x0 + 2 * radius;

  return (SelectiveLayout) {
    .plan = plan,
    .colors = colors,
    .compared = plan->compares_others ? colors : 0,
    .weights = plan->compares_others ? 2 * colors : colors,
    .left = strip->source_x0 - (strip->x0 - radius),
    .source = strip->source_x1 - strip->source_x0,
    .columns = columns,
    .pitch = fx_rows_get_pitch (columns + SELECTIVE_BLOCK),
  };
}

gsize
selective_layout_get_size (const SelectiveLayout *layout)
{
  return (layout->weights + 1) * layout->pitch;
}

/* Replaces values by what is stored, if that is integers; those of 32 bits stay integers. */
static void
restore_integers (const FxFormat *format, const guint8 *pixels, int channel, int n, float *values)
{
  float maximum = (float) fx_sample_get_maximum (format->sample);

  for (int i = 0; i < n && format->sample < FX_SAMPLE_U32; i++)
    values[i] = (float) (int) (values[i] * maximum + 0.5f);
  for (int i = 0; i < n && format->sample == FX_SAMPLE_U32; i++)
    memcpy (&values[i], (const guint32 *) pixels + i * format->channels + channel, sizeof *values);
}

/* Sets the values that are compared. */
static void
compare_piece (const SelectivePlan *plan, const guint8 *pixels, int colors, int n, float **values)
{
  const FxFormat *format = &plan->base.codec.format;

  if (plan->compared == SELECTIVE_CODES)
    fx_light_codes_decode (plan->lights, format, pixels, n, values);
  else if (plan->compares_others)
    fx_codec_decode (&plan->perceptual, pixels, n, values);
  for (int c = 0; c < colors; c++)
    if (plan->compared == SELECTIVE_STORED)
      restore_integers (format, pixels, c, n, values[c]);
    else if (plan->compared == SELECTIVE_VALUES)
      for (int i = 0; i < n; i++)
        values[c][i] *= plan->window.scale;
}

static gboolean
is_finite (float x)
{
  return fabsf (x) <= G_MAXFLOAT;
}

/* Takes what does not count out of a piece. */
static void
drop_infinities (const SelectiveLayout *layout, float *const *values, float *const *compared, int n,
                 float *weights)
{
  gboolean soft = layout->plan->params.edges == SELECTIVE_SOFT, whole;
  gboolean words = ! soft && layout->plan->base.codec.format.sample == FX_SAMPLE_U32;

  for (int i = 0; i < n; i++)
    {
      whole = weights[i] > 0.0f && is_finite (weights[i]);
      for (int c = 0; c < layout->colors; c++)
        if (! is_finite (values[c][i]) || (! words && ! is_finite (compared[c][i])))
          {
            compared[c][i] = NAN;
            whole = whole && ! soft;
          }
      if (whole)
        continue;
      weights[i] = 0.0f;
      for (int c = 0; c < layout->colors && soft; c++)
        values[c][i] = compared[c][i] = 0.0f;
    }
}

/* n is at most PIECE; row begins with the piece. */
static void
decode_piece (const SelectiveLayout *layout, const guint8 *pixels, int n, float *row)
{
  const SelectivePlan *plan = layout->plan;
  float *weights = row + layout->weights * layout->pitch;
  float *values[FX_CHANNELS_MAX] = { NULL }, *compared[FX_CHANNELS_MAX] = { NULL };
  int c;

  for (c = 0; c < layout->colors; c++)
    {
      values[c] = row + c * layout->pitch;
      compared[c] = row + (layout->compared + c) * layout->pitch;
    }
  values[c] = compared[c] = weights;
  fx_codec_decode (&plan->base.codec, pixels, n, values);
  compare_piece (plan, pixels, layout->colors, n, compared);
  for (int i = 0; i < n && ! fx_format_has_alpha (&plan->base.codec.format); i++)
    weights[i] = 1.0f;
  drop_infinities (layout, values, compared, n, weights);
}

/* Extends a plane beyond the edges. */
static void
extend (const SelectiveLayout *layout, gboolean none, float *plane)
{
  int end = layout->left + layout->source;

  for (int i = 0; i < layout->left; i++)
    plane[i] = none ? 0.0f : plane[layout->left];
  for (int i = end; i < layout->columns; i++)
    plane[i] = none ? 0.0f : plane[end - 1];
}

void
selective_layout_decode (const SelectiveLayout *layout, const guint8 *pixels, float *row)
{
  const FxPlan *plan = &layout->plan->base;
  gsize pixel = fx_format_size (&plan->codec.format);

  for (int first = 0; first < layout->source; first += PIECE)
    decode_piece (layout, pixels + first * pixel, MIN (PIECE, layout->source - first),
                  row + layout->left + first);
  for (int p = 0; p <= layout->weights; p++)
    extend (layout, plan->abyss == FX_ABYSS_NONE && p == layout->weights, row + p * layout->pitch);
}
