/* Applies the filter of one axis to a line of floats, on the CPU. */
#pragma once

#include "axis.h"

/* Readable floats on each side of a line, in addition to the radius of a FIR without stages. */
#define BLUR_LINE_MARGIN 128

/* The buffers for filtering one line along one axis. One thread at a time may use a line. */
typedef struct BlurLine BlurLine;

/* Returns the bytes that a line takes. */
gsize blur_line_get_bytes (const BlurAxis *axis, FxSpan source);

/* Makes a line of memory that has those bytes, and returns it. axis must outlive it. source and
 * result are the input and output samples, in the coordinates of the image; result must lie within
 * source. */
BlurLine *blur_line_init (gpointer memory, const BlurAxis *axis, FxSpan source, FxSpan result);

/* Returns the buffer for the source samples, source.count floats. Owned by line. */
float *blur_line_get_source (BlurLine *line);

/* Filters the source buffer into out, which needs room for result.count floats rounded up to a
 * multiple of 64. left and right are the border values at the ends of the source. */
void blur_line_filter (BlurLine *line, float left, float right, float *out);
