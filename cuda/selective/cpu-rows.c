#include "cpu-rows.h"

#include "rows.h"

#include <math.h>
#include <string.h>

#define PIECE 256 /* pixels decoded at a time */

SelectiveLayout
selective_layout_new (const SelectivePlan *plan, const FxStrip *strip)
{
  int radius = plan->window.radius, colors = selective_plan_get_colors (plan);
  int columns = strip->x1 - strip->x0 + 2 * radius;

  return (SelectiveLayout) {
    .plan = plan,
    .colors = colors,
    .compared = plan->apart ? colors : 0,
    .weights = plan->apart ? 2 * colors : colors,
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

/* Integers, as numbers. */
static void
read_integers (const FxFormat *format, const guint8 *pixels, int channel, int n, guint32 *numbers)
{
  int i, place;

  for (i = 0; i < n; i++)
    {
      place = i * format->channels + channel;
      numbers[i] = format->sample == FX_SAMPLE_U8    ? pixels[place]
                   : format->sample == FX_SAMPLE_U16 ? ((const guint16 *) pixels)[place]
                                                     : ((const guint32 *) pixels)[place];
    }
}

/* Replaces values by what is stored, if that is integers. */
static void
store_integers (const SelectivePlan *plan, const guint8 *pixels, int channel, int n, float *values)
{
  const FxFormat *format = &plan->base.codec.format;
  guint32 numbers[PIECE];
  int i;

  if (format->sample > FX_SAMPLE_U32)
    return;
  read_integers (format, pixels, channel, n, numbers);
  if (format->sample == FX_SAMPLE_U32)
    memcpy (values, numbers, n * sizeof *numbers);
  else
    for (i = 0; i < n; i++)
      values[i] = (float) numbers[i];
}

/* Replaces perceptual values by codes. lights are the samples, which a kernel decodes by the same
 * product if they are integers. */
static void
find_codes (const SelectivePlan *plan, const guint8 *pixels, int channel, int n, float *lights,
            float *values)
{
  static const float ones[] = { 1.0f / 255.0f, 1.0f / 65535.0f, 1.0f / 4294967295.0f };
  const FxFormat *format = &plan->base.codec.format;
  guint32 numbers[PIECE];
  int i;

  if (format->sample <= FX_SAMPLE_U32)
    {
      read_integers (format, pixels, channel, n, numbers);
      for (i = 0; i < n; i++)
        lights[i] = (float) numbers[i] * ones[format->sample];
    }
  for (i = 0; i < n; i++)
    values[i] = (float) selective_find_code (plan->lights, lights[i], values[i]);
}

/* Sets the values that are compared. */
static void
compare_piece (const SelectivePlan *plan, const guint8 *pixels, int colors, int n, float **values)
{
  float room[FX_CHANNELS_MAX][PIECE], *lights[FX_CHANNELS_MAX];
  FxCodec codec = plan->perceptual;
  int c, i;

  for (c = 0; c < FX_CHANNELS_MAX; c++)
    lights[c] = room[c];
  codec.curve = FX_CURVE_NONE;
  if (plan->compared == SELECTIVE_CODES)
    fx_codec_decode (&codec, pixels, n, lights);
  for (c = 0; c < colors; c++)
    if (plan->compared == SELECTIVE_STORED)
      store_integers (plan, pixels, c, n, values[c]);
    else if (plan->compared == SELECTIVE_CODES)
      find_codes (plan, pixels, c, n, lights[c], values[c]);
    else
      for (i = 0; i < n; i++)
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
  int i, c;

  for (i = 0; i < n; i++)
    {
      whole = weights[i] > 0.0f && is_finite (weights[i]);
      for (c = 0; c < layout->colors; c++)
        if (! is_finite (values[c][i]) || (! words && ! is_finite (compared[c][i])))
          {
            compared[c][i] = NAN;
            whole = whole && ! soft;
          }
      if (whole)
        continue;
      weights[i] = 0.0f;
      for (c = 0; c < layout->colors && soft; c++)
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
  int c, i;

  for (c = 0; c < layout->colors; c++)
    {
      values[c] = row + c * layout->pitch;
      compared[c] = row + (layout->compared + c) * layout->pitch;
    }
  values[c] = compared[c] = weights;
  fx_codec_decode (&plan->base.codec, pixels, n, values);
  if (plan->apart)
    fx_codec_decode (&plan->perceptual, pixels, n, compared);
  compare_piece (plan, pixels, layout->colors, n, compared);
  for (i = 0; i < n && ! fx_format_has_alpha (&plan->base.codec.format); i++)
    weights[i] = 1.0f;
  drop_infinities (layout, values, compared, n, weights);
}

/* Extends a plane beyond the edges. */
static void
extend (const SelectiveLayout *layout, gboolean none, float *plane)
{
  int end = layout->left + layout->source, i;

  for (i = 0; i < layout->left; i++)
    plane[i] = none ? 0.0f : plane[layout->left];
  for (i = end; i < layout->columns; i++)
    plane[i] = none ? 0.0f : plane[end - 1];
}

void
selective_layout_decode (const SelectiveLayout *layout, const guint8 *pixels, float *row)
{
  const FxPlan *plan = &layout->plan->base;
  gsize pixel = fx_format_size (&plan->codec.format);
  int first, p;

  for (first = 0; first < layout->source; first += PIECE)
    decode_piece (layout, pixels + first * pixel, MIN (PIECE, layout->source - first),
                  row + layout->left + first);
  for (p = 0; p <= layout->weights; p++)
    extend (layout, plan->abyss == FX_ABYSS_NONE && p == layout->weights, row + p * layout->pitch);
}
