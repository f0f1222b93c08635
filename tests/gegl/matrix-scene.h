/* A case of the convolution as GEGL sees it: a picture of noise in a buffer, convolved by a node.
 */
#pragma once

#include "convolve.h"
#include "engine.h"

#include <gegl.h>

#define MATRIX_OPERATION "cuda:convolve"

typedef struct {
  FxFormat format;
  ConvolveParams params;
  FxDevice device;
  int width, height, x, y; /* of the picture: its size, and the place of its first pixel */
} MatrixScene;

/* Matrix number n of some that differ in size, sum and signs; format and light go by n too. */
MatrixScene matrix_scene_make (guint n, FxFormat format);

const Babl *matrix_scene_get_babl (const MatrixScene *scene);
GeglRectangle matrix_scene_get_rect (const MatrixScene *scene);

/* Colours anywhere in the range, alpha never nearly nothing. */
GeglBuffer *matrix_scene_make_buffer (const MatrixScene *scene);

/* The values as text, in lines or in one; free it. */
char *matrix_scene_print (const MatrixScene *scene, gboolean lines);

/* A source in graph and the operation behind it, which is returned; and its properties alone. */
GeglNode *matrix_scene_add (const MatrixScene *scene, GeglNode *graph, GeglBuffer *buffer);
void matrix_scene_set (const MatrixScene *scene, GeglNode *node);

/* Asks node for a part of the result, NULL for all, and fails the test if that is not the
 * convolution of the buffer. */
void matrix_scene_check_node (const MatrixScene *scene, GeglBuffer *buffer, GeglNode *node,
                              const GeglRectangle *part);

/* The same, but the result must be the buffer's contents, byte for byte. */
void matrix_scene_check_unchanged (const MatrixScene *scene, GeglBuffer *buffer, GeglNode *node);

/* All of it: buffer, graph, result. */
void matrix_scene_check (const MatrixScene *scene);
