/* The image in GIMP's window, for the window's tests: made, painted, selected and looked at as
 * serve.c is asked to. */
#pragma once

#include "subject.h"

typedef struct {
  Subject subject; /* image -1 before the first one */
  gint32 display;
  Raster *original; /* the layer's pixels before any blur */
  Args args;        /* of the blur that is expected */
  guint kept;       /* channels that it leaves alone: bits */
} ServeImage;

void serve_image_init (ServeImage *image);
void serve_image_clear (ServeImage *image);

/* Requests, with what stands in the line after the first word; the answers are to be freed. All but
 * the first need an image. */

/* TYPE [WIDTHxHEIGHT [PRECISION]]: a new image in the window in place of the last one. TYPE is rgb,
 * rgba, grey or greya, PRECISION 8, 16 (both gamma) or float (linear). One with alpha has a layer
 * mask and an offset. */
char *serve_image_make (ServeImage *image, const char *what);

/* X Y WIDTH HEIGHT: other pixels in that part of the layer, without an undo step. */
char *serve_image_paint (ServeImage *image, const char *where);

/* LEVEL...: the image gets a profile, AdobeRGB or for gray a gamma of 1.8, and all of its layer,
 * which has 8 bits and no alpha, those levels. */
char *serve_image_set_profile (ServeImage *image, const char *levels);

/* X Y WIDTH HEIGHT FEATHER, in the image; all 0: no selection. */
char *serve_image_select (ServeImage *image, const char *where);

/* WHAT: which channels of the layer a blur is to leave alone from now on: "lock", its alpha is
 * locked; red, grey or alpha, that component of the image is not active; or none. */
char *serve_image_keep (ServeImage *image, const char *what);

/* Has filters change the layer's mask from now on. */
char *serve_image_edit_mask (ServeImage *image, const char *unused);

/* SIGMA GROW [KERNEL-SIZE]: the values that the dialog begins with. */
char *serve_image_set_settings (ServeImage *image, const char *values);

/* SIGMA-X SIGMA-Y KERNEL-SIZE ABYSS LIGHT GROW: what is expected from now on, whatever the dialog
 * began with. */
char *serve_image_expect (ServeImage *image, const char *values);

/* The layer's place, and sums over every byte of it and of its mask. */
char *serve_image_get_state (ServeImage *image, const char *unused);

/* The layer's ID and width. */
char *serve_image_get_layer (ServeImage *image, const char *unused);

/* Whether the layer is its original, blurred as expected; whether the preview on the canvas is the
 * layer, blurred as expected. */
char *serve_image_check_blurred (ServeImage *image, const char *unused);
char *serve_image_check_shown (ServeImage *image, const char *unused);

/* For what looks at it. */

/* Pixels that the blur is expected to enlarge the layer by on each side. */
void serve_image_get_growth (const ServeImage *image, int *x, int *y);

/* The selection's share of each of the layer's pixels, or NULL: all is selected; g_free it. */
double *serve_image_get_selection (const ServeImage *image);
