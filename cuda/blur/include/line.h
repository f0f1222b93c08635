/* One-dimensional filters on the CPU: along a line of floats, and across rows of floats. */
#ifndef FX_FILTER_H
#define FX_FILTER_H

#include "plan.h"

G_BEGIN_DECLS

/* Readable floats on both sides of a line, beside what a FIR of the line itself reaches. */
#define BLUR_LINE_MARGIN 128

/* Samples of a row of a block of columns: a cache line or a few of them. */
#define FX_COLUMN 64

/* Room for the filter of one line along one axis. */
typedef struct BlurLine BlurLine;

/* Bytes that a line takes. */
gsize blur_line_get_bytes (const BlurAxis *axis, FxSpan source);

/* axis: must outlive the line. source, result: the samples that go in and come out, in the
 * coordinates of the image; result lies within source. NULL when memory runs out. */
BlurLine *blur_line_new (const BlurAxis *axis, FxSpan source, FxSpan result);
void blur_line_free (BlurLine *line); /* NULL is legal */

/* Where the source's first sample goes. */
float *blur_line_get_source (BlurLine *line);

/* Filters the source into out, which has room for result.count rounded up to 64. left, right: what
 * lies beyond the source. */
void blur_line_filter (BlurLine *line, float left, float right, float *out);

/* out[i] = the sum over k of weights[k] * rows[k][i], for n samples, n a multiple of 64. */
void fx_rows_combine (const float *const *rows, const float *weights, int taps, gsize n,
                      float *out);

/* out[n][i] = the sum over k of weights[k] * in[n + k][i], for count rows of FX_COLUMN samples; in
 * has taps - 1 more rows than out. */
void fx_column_convolve (const float (*in)[FX_COLUMN], const float *weights, int taps, int count,
                         float (*out)[FX_COLUMN]);

/* Of a FIR of taps samples, stride floats apart, that begin at in[i] and made out[i], for n of
 * these: where out[i] is not finite, it becomes the plain sum of the samples that are not, infinity
 * of their sign or, of both signs, NaN. The FIR of a coarsest grid has negative weights, which
 * would turn infinities over. */
void fx_rows_mend (const float *in, gsize stride, int taps, gsize n, float *out);

/* out[i] += weight * row[i]. */
void fx_row_accumulate (const float *row, float weight, gsize n, float *out);

G_END_DECLS

#endif
