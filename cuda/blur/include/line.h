/* The filter of one axis along a line of floats, on the CPU. */
#ifndef BLUR_LINE_H
#define BLUR_LINE_H

#include "axis.h"

G_BEGIN_DECLS

/* Readable floats on both sides of a line, beside what a FIR of the line itself reaches. */
#define BLUR_LINE_MARGIN 128

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

G_END_DECLS

#endif
