/* The common parts of the cases in C. A problem is a newly allocated text that
 * says what is wrong, or NULL. */
#pragma once

#include "subject.h"

static const GimpImageType image_types[] = {
  GIMP_RGB_IMAGE,
  GIMP_RGBA_IMAGE,
  GIMP_GRAY_IMAGE,
  GIMP_GRAYA_IMAGE,
};
static const char *const type_names[] = { "RGB", "RGBA", "grey", "grey and alpha" };

/* Ends a case: it failed if there is a problem, which is taken. */
void report (char *problem, const char *name, ...) G_GNUC_PRINTF (2, 3);

/* Prints a measured value, for the reader. */
void note (const char *text, ...) G_GNUC_PRINTF (1, 2);

/* Each case has its own random numbers, so that one added does not change the others'. */
GRand *case_rand (const char *name);

/* Defines a function that changes the image or the layer of a Subject called subject. */
#define CHANGE(name, change)         \
  static void name (Subject subject) \
  {                                  \
    change;                          \
  }

/* An image with random pixels that depend on the case's name. */
Subject subject_for (const char *name, GimpPrecision precision, GimpImageType type, int width,
                     int height);

/* An empty channel of the subject's image. */
gint32 add_channel (Subject subject);

void cases_canvas (void);
void cases_canvas_user (void);
void cases_canvas_kill (void);
void cases_copy (void); /* what the dialog reads */
