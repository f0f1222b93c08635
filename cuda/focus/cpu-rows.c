#include "cpu-rows.h"

#include "rows.h"

#include <string.h>

int
focus_plan_get_step (const FocusPlan *plan)
{
  int channels = focus_plan_get_channels (plan);

  return channels > 4 ? FOCUS_STEP_MAX : fx_interleave_get_step (channels);
}

/* Spreads n decoded pixels of row y to cells with their weights. */
static void
weigh (const FxCpuBlocks *run, const float *floats, int y, int n, float *cells)
{
  const FocusPlan *plan = (const FocusPlan *) run->base.plan;
  const FxStrip *strip = &run->base.strip;
  int channels = plan->base.codec.format.channels, from = fx_interleave_get_step (channels);
  int step = focus_plan_get_step (plan);
  float weights[FOCUS_COLUMNS];

  for (int first = 0; first < n; first += FOCUS_COLUMNS)
    {
      int count = MIN (FOCUS_COLUMNS, n - first);

      focus_plan_get_weights (plan, strip->x + strip->source_x0 + first, strip->y + y, count,
                              weights);
      for (int i = 0; i < count; i++, floats += from, cells += step)
        {
          for (int c = 0; c < channels; c++)
            cells[c] = weights[i] * floats[c];
          cells[channels] = weights[i];
          for (int c = channels + 1; c < step; c++)
            cells[c] = 0.0f;
        }
    }
}

void
focus_fill_beyond (const FxCpuBlocks *run, const float *cells, gsize distance, int n, float *beyond)
{
  const FocusPlan *plan = (const FocusPlan *) run->base.plan;
  int step = focus_plan_get_step (plan), channels = plan->base.codec.format.channels;
  gboolean weighs = plan->args.keep_sharp > 0.0f;

  for (int i = 0; i < n; i++, cells += distance, beyond += step)
    {
      float weight = weighs ? cells[channels] : 1.0f;

      memcpy (beyond, cells, step * sizeof (float));
      for (int c = 0; c < channels && plan->base.abyss != FX_ABYSS_CLAMP; c++)
        beyond[c] = weight * plan->base.border[c];
    }
}

void
focus_decode_row (const FxCpuBlocks *run, const guint8 *source, int y, int before, int after,
                  float *cells)
{
  const FocusPlan *plan = (const FocusPlan *) run->base.plan;
  int n = fx_cpu_blocks_get_source_width (&run->base.strip), step = focus_plan_get_step (plan);
  int from = fx_interleave_get_step (plan->base.codec.format.channels);
  float *first = cells + (gsize) before * step, *end = first + (gsize) n * step;
  float *floats = end - (gsize) n * from; /* they are spread from left to right */

  fx_codec_decode_pixels (&plan->base.codec, source, n, floats);
  if (plan->args.keep_sharp > 0.0f)
    weigh (run, floats, y, n, first);
  focus_fill_beyond (run, first, 0, before, cells);
  focus_fill_beyond (run, end - step, 0, after, end);
}

void
focus_filter_row (const FxCpuBlocks *run, int x, int y, int n, FocusCompute *compute,
                  gconstpointer data, guint8 *result)
{
  const FocusPlan *plan = (const FocusPlan *) run->base.plan;
  const FxCodec *codec = &plan->base.codec;
  const FxStrip *strip = &run->base.strip;
  int step = fx_interleave_get_step (codec->format.channels);
  gsize size = fx_format_size (&codec->format);
  const guint8 *stored = fx_cpu_blocks_get_stored (run, x, y);
  float strengths[FOCUS_COLUMNS], pixels[FOCUS_COLUMNS * FX_CHANNELS_MAX] = { 0 };

  focus_plan_get_shares (plan, strip->x + x, strip->y + y, n, strengths);
  for (int i = 0; i < n; i++)
    {
      strengths[i] *= plan->args.strength;
      if (! focus_plan_keeps (plan, strengths[i]))
        compute (data, x + i, y, strengths[i], pixels + i * step);
    }
  fx_codec_encode_pixels (codec, pixels, n, result);
  for (int i = 0; i < n; i++)
    if (focus_plan_keeps (plan, strengths[i]))
      memcpy (result + i * size, stored + i * size, size);
}
