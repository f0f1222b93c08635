/* The codes of a block's source on the CPU (cpu-window.h), and the samples that they stand for.
 * 8-bit and 16-bit samples are their own codes; others have ranks among the block's samples. */
#pragma once

#include "cpu-blocks.h"
#include "cpu-window.h"

/* A sample in the order of samples (median-args.h), and its place in the block's source. */
typedef struct {
  guint64 key;
  guint32 place;
} MedianKey;

/* A thread's memory. */
typedef struct {
  gpointer codes;     /* of one channel */
  guint16 *weights;   /* NULL: there is no alpha */
  MedianKey *keys[2]; /* NULL: codes are no ranks */
  guint64 *values;    /* keys by their ranks */
} MedianCodes;

/* The source of a block: pitch pixels in a row, of which columns are used, from pixel x, y on. */
typedef struct {
  const FxCpuBlocks *run;
  int x, y, columns, rows, pitch;
} MedianSource;

static inline gboolean
median_codes_are_ranks (FxSample sample)
{
  return fx_sample_size (sample) > 2;
}

/* Fills codes with a channel, changed by median_swap; levels 0 stands for bytes as they are stored.
 * values is set if they are ranks. Returns whether all are the same. */
gboolean median_codes_load (const MedianSource *source, int channel, int levels,
                            const MedianCodes *codes);

/* Fills weights. Returns whether all are the same. */
gboolean median_codes_weigh (const MedianSource *source, const MedianCodes *codes);

/* Makes n codes twice as wide, with their weights as the upper halves. */
void median_codes_combine (const MedianCodes *codes, int levels, int n);

/* Stores n samples, which are channels apart, of changed codes. */
void median_codes_store (const FxFormat *format, const MedianCodes *codes, const guint32 *found,
                         int n, gpointer result);

/* cpu-threshold.c: puts back those of n pixels, at most 256, whose colours the result does not
 * change by more than the threshold. */
void median_threshold_apply (const MedianPlan *plan, const guint8 *source, int n, guint8 *result);

/* cpu-ranks.c: sets values to the n keys in keys[0] without repetitions, in their order, and ranks
 * at their places, guint16 if levels is 2, else guint32. Returns the number of values. */
int median_ranks_find (const MedianCodes *codes, int n, int levels, gpointer ranks);
