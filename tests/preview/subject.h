/* A subject of the tests: an image, its mask and its preview. */
#pragma once

#include "blur.h"
#include "preview.h"

typedef struct {
  FxFormat format;
  gboolean coverage;
  int width, height;
  guint8 *pixels;
  guint8 *mask; /* or NULL */
  guint locked; /* channels: bits */
  FxPreview *preview;
} Subject;

/* Waves with noise on them; every second channel count has a hole with a soft edge in the
   middle. */
void subject_init (Subject *s, FxEngine *engine, FxFormat format, gboolean coverage, int width,
                   int height);
void subject_clear (Subject *s);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Subject, subject_clear)

/* Fills rows y0 to y1 - 1 again; noise is 0 to 1. Does not call fx_preview_change. */
void subject_fill (Subject *s, int y0, int y1, double noise);

/* Sets a mask: a disc of all, with a soft edge, on nothing. */
void subject_mask (Subject *s, double radius);

/* Sets the locked channels. */
void subject_keep (Subject *s, guint channels);

#define SUBJECT_VIEW_MAX 64 /* pixels, of each side */

/* A part of the scaled image of at most SUBJECT_VIEW_MAX pixels a side, which may reach out
   of it. */
FxRect subject_get_rect (const Subject *s, double scale);

/* All of the scaled image, and some more. */
FxRect subject_get_whole (const Subject *s, double scale, int grow_x, int grow_y);

/* Free it with g_free. */
char *subject_describe (const Subject *s, const BlurParams *p, const FxView *v);

#define SUBJECT_SCALES 7
extern const double subject_scales[SUBJECT_SCALES];

extern const FxFormat subject_rgba8, subject_rgb8;
