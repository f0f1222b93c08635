/* Declarations shared by kernels and the C code that launches them: arguments, whose pointers are
 * device pointers, and constants. */
#ifndef FX_ARGS_H
#define FX_ARGS_H

#ifdef __cplusplus
#define FX_ASSERT_SIZE(type, size) static_assert (sizeof (type) == (size), #type)
#else
#define FX_ASSERT_SIZE(type, size) _Static_assert(sizeof (type) == (size), #type)
#endif

/* The types of pixels, which are opaque to C. */
#ifndef FX_STORED
#define FX_STORED void
#define FX_PIXEL  void
#endif

/* Entries of the table that decodes 8-bit colour: floats in a block's shared memory. */
#define FX_COLOR_TABLE 256

/* The parameters of highlights, which codec.h declares for C. */
#ifdef HIGHLIGHTS
struct FxHighlights {
  float threshold, bend;
  float gain;
};
#endif

/* Part of an image that has columns left to right - 1 and rows top to bottom - 1; outside of these
 * is the abyss. Memory has columns x0 to x1 - 1 of rows y0 to y1 - 1 or, in a ring, of the latest
 * of these rows. Row y is in slot y + offset, minus slots if that is not less than slots. Slots are
 * pitch pixels apart. */
typedef struct {
  const FX_STORED *pixels;
  int slots, offset;
  int pitch;
  int left, right, top, bottom;
  int x0, x1, y0, y1;
} FxSource;

FX_ASSERT_SIZE (FxSource, 56);

/* Columns x_first to x_first + columns - 1 of rows y_first to y_first + rows - 1 of a grid or, in a
 * ring, of the latest of these rows, without padding. Row y is in slot y + offset, minus slots if
 * that is not less than slots. Cells outside equal the outermost cell; in a ring, they follow the
 * abyss policy above the rows if beyond_low is set, and below them if beyond_high is set. */
typedef struct {
  FX_PIXEL *cells;
  int slots, offset;
  int x_first, columns;
  int y_first, rows;
  int beyond_low, beyond_high;
} FxGrid;

FX_ASSERT_SIZE (FxGrid, 40);

#endif
