/* A drawable as the engine sees it: what can be filtered, and how. For the main thread only, as all
 * of libgimp. Needs neither GEGL nor babl, whose start takes longer than a filter. */
#ifndef RENDER_TARGET_H
#define RENDER_TARGET_H

#include "engine.h"

G_BEGIN_DECLS

typedef struct {
  gint32 drawable;   /* its ID */
  char encoding[32]; /* babl's name of the drawable's format, in which its pixels are exchanged */
  FxFormat format;   /* the same to the engine */
  int width, height; /* pixels */
  gboolean coverage; /* a channel or a mask: light does not touch it */
} RenderTarget;

typedef enum {
  RENDER_ERROR_REFUSED, /* the drawable is none that can be filtered; the message says why */
  RENDER_ERROR_GIMP,    /* GIMP refused a call; the message has its words */
  RENDER_ERROR_FILE,    /* a temporary file failed */
  RENDER_ERROR_CHANGED, /* what it was made for was changed meanwhile, so that it was given up */
  RENDER_ERROR_LATE,    /* the same, but in the moment in which it was put into the drawable */
} RenderError;

#define RENDER_ERROR (render_error_quark ())
GQuark render_error_quark (void);

/* Describes drawable, or says in error why it cannot be filtered; target is then undefined. */
gboolean render_target_init (RenderTarget *target, gint32 drawable, GError **error);

/* Whether the drawable still has the size and the format that target says, whatever its locks. To
 * be asked before tiles cross: GIMP ends a process that wants tiles which are not there. */
gboolean render_target_check (const RenderTarget *target, GError **error);

/* Whether a filter may change the drawable's alpha. */
gboolean render_target_can_change_alpha (const RenderTarget *target);

/* Whether target can be enlarged: a layer with alpha that nothing holds, and no selection. */
gboolean render_target_can_grow (const RenderTarget *target);

/* Sets error to what GIMP said to the call that has just failed; returns FALSE. */
gboolean render_fail_gimp (GError **error);

/* Sets error to that of a layer that can no longer grow; returns FALSE. */
gboolean render_fail_grow (const RenderTarget *target, GError **error);

G_END_DECLS

#endif
