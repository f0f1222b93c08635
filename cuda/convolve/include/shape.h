/* The weights of a shape as a matrix: the integral of its brightness over each pixel. Pure
 * arithmetic, without a device or I/O. */
#pragma once

#include <glib.h>

/* A shape, described by its outline. All places are in pixels from the middle of the matrix, y
 * downwards. */
typedef struct ConvolveShape ConvolveShape;

/* The brightness at dx, dy: level + x dx + y dy + xx dx^2 + yy dy^2. */
typedef struct {
  double level, x, y, xx, yy;
} ConvolveBrightness;

/* Creates a shape without an outline, for a matrix of that size, which must contain it. Never
 * returns NULL; free it with convolve_shape_free. */
ConvolveShape *convolve_shape_new (int columns, int rows, const ConvolveBrightness *brightness);
void convolve_shape_free (ConvolveShape *shape);

/* Add an edge of the outline, which goes clockwise and must be closed: a line from x, y; and an arc
 * from begin to end, in radians, each of whose points is x + width cos t, y + height sin t. */
void convolve_shape_add_line (ConvolveShape *shape, double x, double y, double width,
                              double height);
void convolve_shape_add_arc (ConvolveShape *shape, double x, double y, double width, double height,
                             double begin, double end);

/* Fills values, row by row, with the weights. Their sum is 1. */
void convolve_shape_fill (const ConvolveShape *shape, double *values);
