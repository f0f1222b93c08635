/* What kernels and the C that launches them share, read by both: arguments, whose pointers are the
 * device's, and numbers. */
#ifndef FX_ARGS_H
#define FX_ARGS_H

#ifdef __cplusplus
#define FX_ASSERT_SIZE(type, size) static_assert (sizeof (type) == (size), #type)
#else
#define FX_ASSERT_SIZE(type, size) _Static_assert(sizeof (type) == (size), #type)
#endif

/* The types of pixels, which C does not look into. */
#ifndef FX_STORED
#define FX_STORED void
#define FX_PIXEL  void
#endif

/* Entries of the table through which 8-bit colour is decoded, floats in a block's shared memory. */
#define FX_COLOR_TABLE 256

/* A block of reduce.cu. */
#define FX_REDUCE_THREADS 256

/* Rows of an image of width x height pixels: columns x0 to x1 - 1 and rows y0 to y1 - 1 of it are
 * here, or, of a ring, the latest of those rows. Row y is at slot y + offset, less slots if that is
 * not below slots; slots are pitch pixels apart. */
typedef struct {
  const FX_STORED *pixels;
  int slots, offset;
  int pitch;
  int width, height;
  int x0, x1, y0, y1;
} FxSource;

FX_ASSERT_SIZE (FxSource, 48);

/* Columns x_first to x_first + columns - 1 and rows y_first to y_first + rows - 1 of a grid, or, of
 * a ring, the latest of those rows; without padding. Row y is at slot y + offset, less slots if
 * that is not below slots. Further out lies the outermost cell; of a ring, what the abyss policy
 * says, above or below the rows, where beyond_low or beyond_high is set. */
typedef struct {
  FX_PIXEL *cells;
  int slots, offset;
  int x_first, columns;
  int y_first, rows;
  int beyond_low, beyond_high;
} FxGrid;

FX_ASSERT_SIZE (FxGrid, 40);

/* Rows from top on of a filtered image, columns left to right - 1, in the stored image's
 * coordinates. pixels NULL: it is the image as it is. */
typedef struct {
  const FX_STORED *pixels;
  int left, right, top;
} FxResult;

FX_ASSERT_SIZE (FxResult, 24);

#endif
