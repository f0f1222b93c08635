/* A drawable as the engine sees it: whether it can be filtered, and its format. For the main thread
 * only, as all of libgimp. This needs neither GEGL nor babl, which take longer to start than a
 * filter takes to run. */
#pragma once

#include "engine.h"

typedef struct {
  gint32 drawable;   /* its ID in GIMP */
  char encoding[32]; /* the babl name of the drawable's format, in which its pixels are exchanged */
  FxFormat format;   /* the same format, for the engine, with the curve of the image's profile */
  int width, height; /* in pixels */
  gboolean coverage; /* a channel or a mask: light does not apply to it */
  gboolean no_curve; /* the profile has none that all channels share, so that it is sRGB's */
} RenderTarget;

typedef enum {
  RENDER_ERROR_REFUSED, /* the drawable cannot be filtered; the message says why */
  RENDER_ERROR_GIMP,    /* GIMP refused a call; the message is GIMP's */
  RENDER_ERROR_FILE,    /* a temporary file failed */
  RENDER_ERROR_CHANGED, /* the drawable, the selection or the shadow was changed during the call, so
                           the result was discarded */
  RENDER_ERROR_LATE,    /* the same, but during the merge: the drawable may have changed */
} RenderError;

#define RENDER_ERROR (render_error_quark ())
GQuark render_error_quark (void);

/* Describes drawable in target. Returns FALSE with RENDER_ERROR_REFUSED if it cannot be filtered;
 * target is then undefined. drawable may be any number. */
gboolean render_target_init (RenderTarget *target, gint32 drawable, GError **error);

/* Checks that the drawable still exists, with the size and the format in target; its locks do not
 * matter. Returns FALSE with RENDER_ERROR_CHANGED otherwise. Call this before tiles are
 * transferred: GIMP ends a process that asks for tiles that do not exist. */
gboolean render_target_check (const RenderTarget *target, GError **error);

/* Returns whether a filter may change the drawable's alpha. */
gboolean render_target_can_change_alpha (const RenderTarget *target);

/* Returns whether target can be enlarged: it must be a layer with alpha, which no lock, no inactive
 * component and no floating selection protects, in an image without a selection. */
gboolean render_target_can_grow (const RenderTarget *target);

/* Returns a sentence that says why target cannot be enlarged, translated and static; NULL if it
 * can. */
const char *render_target_get_grow_refusal (const RenderTarget *target);

/* Sets error to RENDER_ERROR_GIMP, with GIMP's message for the call that has just failed. Returns
 * FALSE. */
gboolean render_fail_gimp (GError **error);

/* The same after a call for target, unless what has become of target is the better reason. */
gboolean render_fail_target (const RenderTarget *target, GError **error);

/* Sets error to RENDER_ERROR_CHANGED, for a layer that can no longer grow. Returns FALSE. */
gboolean render_fail_grow (const RenderTarget *target, GError **error);
