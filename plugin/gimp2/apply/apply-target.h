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
} ApplyTarget;

typedef enum {
  APPLY_ERROR_REFUSED, /* the drawable cannot be filtered; the message says why */
  APPLY_ERROR_GIMP,    /* GIMP refused a call; the message is GIMP's */
  APPLY_ERROR_FILE,    /* a temporary file failed */
  APPLY_ERROR_CHANGED, /* the drawable, the selection or the shadow was changed during the call, so
                           the result was discarded */
  APPLY_ERROR_LATE,    /* the same, but during the merge: the drawable may have changed */
} ApplyError;

#define APPLY_ERROR (apply_error_quark ())
GQuark apply_error_quark (void);

/* Describes drawable in target. Returns FALSE with APPLY_ERROR_REFUSED if it cannot be filtered;
 * target is then undefined. drawable may be any number. */
gboolean apply_target_init (ApplyTarget *target, gint32 drawable, GError **error);

/* The same for a drawable that is only read: it may be locked or a group. It must exist. */
gboolean apply_target_describe (ApplyTarget *target, gint32 drawable, GError **error);

/* Checks that the drawable still exists, with the size and the format in target; its locks do not
 * matter. Returns FALSE with APPLY_ERROR_CHANGED otherwise. Call this before tiles are
 * transferred: GIMP ends a process that asks for tiles that do not exist. */
gboolean apply_target_check (const ApplyTarget *target, GError **error);

/* Returns whether a filter may change the drawable's alpha. */
gboolean apply_target_can_change_alpha (const ApplyTarget *target);

/* Returns whether target can be enlarged: it must be a layer with alpha, which no lock, no inactive
 * component and no floating selection protects, in an image without a selection. */
gboolean apply_target_can_grow (const ApplyTarget *target);

/* Returns a sentence that says why target cannot be enlarged, translated and static; NULL if it
 * can. */
const char *apply_target_get_grow_refusal (const ApplyTarget *target);

/* Sets error to APPLY_ERROR_GIMP, with GIMP's message for the call that has just failed. Returns
 * FALSE. */
gboolean apply_fail_gimp (GError **error);

/* The same after a call for target, unless what has become of target is the better reason. */
gboolean apply_fail_target (const ApplyTarget *target, GError **error);

/* Sets error to APPLY_ERROR_CHANGED, for a layer that can no longer grow. Returns FALSE. */
gboolean apply_fail_grow (const ApplyTarget *target, GError **error);
