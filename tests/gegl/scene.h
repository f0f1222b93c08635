/* A case of the blur's contract as GEGL sees it: a picture in a buffer, blurred by a node. */
#pragma once

#include "case.h"

#include <gegl.h>

/* A space's own curve, in the test's own words: from stored value to light, and back. */
typedef struct {
  double (*to_linear) (double value);
  double (*to_gamma) (double light);
} SceneCurve;

typedef struct {
  Case c;                  /* its region is the requested one, from the picture's first pixel */
  const Babl *babl;        /* what c.format is to babl */
  const SceneCurve *curve; /* NULL: sRGB's */
  double least;            /* that all of the picture's samples are raised to; 0: as they are */
  int x, y;                /* the place of the picture's first pixel */
  gboolean extended;       /* clip-extent is off, so that nothing is beyond the picture */
} Scene;

/* Number n of a table, on the device under test: seed, picture and abyss are its own. */
Scene scene_make (guint n, FxFormat format, FxLight light, int width, int height, double sigma_x,
                  double sigma_y);

/* The format's name: "R'G'B'A u8". gamma: what marks a curve, ' or ~. */
const Babl *scene_get_babl (const FxFormat *format, char gamma, const Babl *space);

/* The picture, in a buffer; the values in it, to free. */
GeglBuffer *scene_make_buffer (const Scene *scene);
double *scene_read_values (const Scene *scene, GeglBuffer *buffer);

/* A source in graph, and a blur of it; and the blur alone. Both are the graph's. */
GeglNode *scene_add (const Scene *scene, GeglNode *graph, GeglBuffer *buffer);
GeglNode *scene_add_blur (const Scene *scene, GeglNode *graph);
void scene_set (const Scene *scene, GeglNode *blur);

/* The format of what comes out of a node. */
const Babl *scene_get_output (GeglNode *node);

/* Returns the place of the scene's region in GEGL's coordinates. */
GeglRectangle scene_get_rect (const Scene *scene);

/* Returns the expected values of the region, unrounded; free them. */
double *scene_expect (const Scene *scene, const double *source);

/* Fails the test if samples of the region's are not those, by the contract times slack. */
void scene_judge (const Scene *scene, const double *source, const double *expected,
                  gconstpointer result, double slack);

/* Asks node for the region, and judges it as the blur of source. */
void scene_check_node (const Scene *scene, const double *source, GeglNode *node);

/* All of it: buffer, graph, result. */
void scene_check (const Scene *scene);
