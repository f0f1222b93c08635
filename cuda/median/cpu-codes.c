#include "cpu-codes.h"

#include <string.h>

/* Loads one channel of n pixels, whose samples are step apart, as bytes or as codes. */
typedef void Load (FxSample type, gconstpointer samples, int step, int n, gpointer to);

static void
load_bytes (FxSample type, gconstpointer samples, int step, int n, gpointer to)
{
  const guint8 *from = samples;
  guint8 *codes = to;

  for (int i = 0; i < n; i++)
    codes[i] = (guint8) median_swap (from[i * step]);
}

static void
load_plain_bytes (FxSample type, gconstpointer samples, int step, int n, gpointer to)
{
  const guint8 *from = samples;
  guint8 *bytes = to;

  for (int i = 0; i < n; i++)
    bytes[i] = from[i * step];
}

static void
load_words (FxSample type, gconstpointer samples, int step, int n, gpointer to)
{
  const guint16 *from = samples;
  guint16 *codes = to;

  for (int i = 0; i < n; i++)
    codes[i] = (guint16) median_swap (type == FX_SAMPLE_HALF ? median_order_half (from[i * step])
                                                             : from[i * step]);
}

static void
load_keys (FxSample type, gconstpointer samples, int step, int n, gpointer to)
{
  const guint32 *words = samples;
  const guint64 *doubles = samples;
  MedianKey *keys = to;

  for (int i = 0; i < n; i++)
    if (type == FX_SAMPLE_U32)
      keys[i].key = words[i * step];
    else if (type == FX_SAMPLE_FLOAT)
      keys[i].key = median_order_float (words[i * step]);
    else
      keys[i].key = median_order_double (doubles[i * step]);
}

static void
load_weights (FxSample type, gconstpointer samples, int step, int n, gpointer to)
{
  guint16 *weights = to;

  for (int i = 0; i < n; i++)
    switch (type)
      {
      case FX_SAMPLE_U8:
        weights[i] = ((const guint8 *) samples)[i * step];
        break;
      case FX_SAMPLE_U16:
        weights[i] = (guint16) median_weigh_u16 (((const guint16 *) samples)[i * step]);
        break;
      case FX_SAMPLE_U32:
        weights[i] = (guint16) median_weigh_u32 (((const guint32 *) samples)[i * step]);
        break;
      case FX_SAMPLE_HALF:
        weights[i] = (guint16) median_weigh_half (((const guint16 *) samples)[i * step]);
        break;
      case FX_SAMPLE_FLOAT:
        weights[i] = (guint16) median_weigh_float (((const float *) samples)[i * step]);
        break;
      case FX_SAMPLE_DOUBLE:
        weights[i] = (guint16) median_weigh_double (((const double *) samples)[i * step]);
        break;
      }
}

/* Fills n elements of size bytes with the one at from. */
static void
repeat (gconstpointer from, gsize size, int n, guint8 *to)
{
  for (int i = 0; i < n; i++)
    memcpy (to + i * size, from, size);
}

/* Fills row, of elements of size bytes, with the source's row y; nothing is the element beyond. */
static void
load_row (const MedianSource *source, int channel, int y, Load *load, gsize size,
          gconstpointer nothing, guint8 *row)
{
  const FxStrip *strip = &source->run->base.strip;
  const FxPlan *plan = source->run->base.plan;
  const FxFormat *format = &plan->codec.format;
  int first = MAX (source->x, 0), end = MIN (source->x + source->columns, strip->width);
  int left = first - source->x, inside = end - first, at = CLAMP (y, 0, strip->height - 1);
  gboolean none = plan->abyss == FX_ABYSS_NONE;
  guint8 *last = row + (gsize) (left + inside) * size;

  if (none && at != y)
    {
      repeat (nothing, size, source->columns, row);
      return;
    }
  load (format->sample,
        fx_cpu_blocks_get_stored (source->run, first, at) +
          channel * fx_sample_size (format->sample),
        format->channels, inside, row + left * size);
  repeat (none ? nothing : row + left * size, size, left, row);
  repeat (none ? nothing : last - size, size, source->columns - left - inside, last);
}

/* Fills plane; size is that of its elements. */
static void
load_plane (const MedianSource *source, int channel, Load *load, gsize size, gpointer plane)
{
  static const guint64 zero[FX_CHANNELS_MAX];
  guint64 nothing[2] = { 0 };
  const FxFormat *format = &source->run->base.plan->codec.format;

  load (format->sample, zero, 1, 1, nothing);
  for (int row = 0; row < source->rows; row++)
    load_row (source, channel, source->y + row, load, size, nothing,
              (guint8 *) plane + (gsize) row * source->pitch * size);
}

/* Returns whether all elements of a plane have the same bytes. */
static gboolean
is_flat (const MedianSource *source, gsize size, gconstpointer plane)
{
  const guint8 *first = plane;

  for (int row = 0; row < source->rows; row++)
    {
      const guint8 *here = first + (gsize) row * source->pitch * size;

      if (memcmp (here, first, size) != 0 ||
          memcmp (here, here + size, (source->columns - 1) * size) != 0)
        return FALSE;
    }
  return TRUE;
}

static gboolean
load_ranks (const MedianSource *source, int channel, const MedianCodes *codes, int levels)
{
  MedianKey *keys = codes->keys[0];
  int n = 0;

  load_plane (source, channel, load_keys, sizeof *keys, keys);
  for (int row = 0; row < source->rows; row++)
    for (int i = 0; i < source->columns; i++, n++)
      {
        guint32 place = (guint32) (row * source->pitch + i);

        keys[n] = (MedianKey) { keys[place].key, place };
      }
  return median_ranks_find (codes, n, levels, codes->codes) == 1;
}

gboolean
median_codes_load (const MedianSource *source, int channel, int levels, const MedianCodes *codes)
{
  FxSample sample = source->run->base.plan->codec.format.sample;
  gsize size = fx_sample_size (sample);

  if (median_codes_are_ranks (sample))
    return load_ranks (source, channel, codes, levels);
  load_plane (source, channel,
              levels == 0   ? load_plain_bytes
              : levels == 1 ? load_bytes
                            : load_words,
              size, codes->codes);
  return is_flat (source, size, codes->codes);
}

gboolean
median_codes_weigh (const MedianSource *source, const MedianCodes *codes)
{
  int alpha = source->run->base.plan->codec.format.channels - 1;

  load_plane (source, alpha, load_weights, sizeof *codes->weights, codes->weights);
  return is_flat (source, sizeof *codes->weights, codes->weights);
}

/* Codes in the memory of narrower ones. */
typedef guint16 Code16 __attribute__ ((may_alias));
typedef guint32 Code32 __attribute__ ((may_alias));
typedef guint64 Code64 __attribute__ ((may_alias));

/* From the last one on, so that none is overwritten before it is read. */
void
median_codes_combine (const MedianCodes *codes, int levels, int n)
{
  const guint16 *weights = codes->weights;
  guint8 *bytes = codes->codes;
  Code16 *words = codes->codes;
  Code32 *longs = codes->codes;
  Code64 *wide = codes->codes;

  for (int i = n - 1; i >= 0; i--)
    if (levels == 1)
      words[i] = (guint16) (bytes[i] | weights[i] << 8);
    else if (levels == 2)
      longs[i] = words[i] | (guint32) weights[i] << 16;
    else
      wide[i] = longs[i] | (guint64) weights[i] << 32;
}

/* Returns the bits of the sample that a changed code stands for. */
static guint64
get_bits (FxSample sample, const MedianCodes *codes, guint32 found)
{
  guint32 code = median_swap (found);

  switch (sample)
    {
    case FX_SAMPLE_HALF:
      return median_restore_half ((guint16) code);
    case FX_SAMPLE_U32:
      return codes->values[code];
    case FX_SAMPLE_FLOAT:
      return median_restore_float ((guint32) codes->values[code]);
    case FX_SAMPLE_DOUBLE:
      return median_restore_double (codes->values[code]);
    default:
      return code;
    }
}

void
median_codes_store (const FxFormat *format, const MedianCodes *codes, const guint32 *found, int n,
                    gpointer result)
{
  gsize size = fx_sample_size (format->sample);
  guint8 *to = result;

  for (int i = 0; i < n; i++, to += format->channels * size)
    {
      guint64 bits = found[i] == MEDIAN_FOUND_NOTHING ? 0
                                                      : get_bits (format->sample, codes, found[i]);

      switch (size)
        {
        case 1:
          *to = (guint8) bits;
          break;
        case 2:
          *(guint16 *) to = (guint16) bits;
          break;
        case 4:
          *(guint32 *) to = (guint32) bits;
          break;
        default:
          *(guint64 *) to = bits;
        }
    }
}
