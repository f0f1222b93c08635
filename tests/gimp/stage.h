/* A subject in its scene with a canvas, from its opening to its end, and results to set. As in
 * cases.h, a problem is a newly allocated text, or NULL. */
#pragma once

#include "canvas.h"
#include "scene.h"

static const Args gentle = { 2.0, 3.0, 0, FX_ABYSS_CLAMP, FX_LIGHT_LINEAR, 0, 0 };
static const Args growing = { 6.0, 4.0, 0, FX_ABYSS_NONE, FX_LIGHT_LINEAR, 1, 0 };

/* Something that is done to a subject's image. */
typedef struct {
  const char *name;
  void (*make) (Subject subject);
} Change;

typedef struct {
  Subject subject;
  Subject original; /* a copy of it, to blur */
  RenderTarget target;
  Raster *seen;    /* the image before */
  char *described; /* as well */
  gboolean dirty;
  Canvas *canvas;
} Stage;

/* A scene whose pixels depend on name: with 8-bit RGBA layers, or others. */
Subject stage_scene (const char *name);
Subject stage_scene_of (const char *name, GimpPrecision precision, GimpImageType type);

/* Opens the canvas of subject, which is the stage's from now on. What is active must not change. */
char *stage_open (Stage *stage, Subject subject);

/* Frees the canvas and the rest, and returns problem if it is not NULL. Otherwise returns what is
 * wrong with the image, or NULL: all must be as it was before, the user's layer must never have
 * been written, and the image must have unsaved changes if and only if stage->dirty is set. */
char *stage_close (Stage *stage, char *problem);

/* Frees all but the canvas. */
void stage_clear (Stage *stage);

/* Whether the image shows what is expected, and has unsaved changes as stage->dirty says. when: for
 * the text. */
char *stage_differs (const Stage *stage, const Raster *expected, const char *when);

/* The procedure's result for the subject. */
typedef struct {
  RenderJob job;
  Raster *pixels; /* of the layer */
  Raster *seen;   /* of the image */
} Result;

Result result_new (const Stage *stage, const Args *args);
void result_clear (Result *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Result, result_clear)

/* Sets it. changed: NULL for all of it. */
char *stage_set (Stage *stage, const Result *result, const FxRect *changed);

/* Writes what is set, all of it or one tile of it. FALSE: there is no more. */
void stage_write (Stage *stage);
gboolean stage_write_tile (Stage *stage);

/* Makes a result, sets and writes it, and wants the image to show it. */
char *stage_show (Stage *stage, const Args *args, const char *when);
