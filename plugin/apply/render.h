/* A drawable as the engine sees it, and its blur. For the main thread only, as all of libgimp.
 * Needs neither GEGL nor babl, whose start takes longer than a blur. */
#ifndef RENDER_H
#define RENDER_H

#include "blur.h"
#include "engine.h"

G_BEGIN_DECLS

/* Everything a caller of the procedure may choose; what is kept as last values. */
typedef struct {
  BlurParams params;
  gboolean grow; /* enlarge the layer by the blur's reach, where that applies */
} RenderSettings;

typedef struct {
  gint32 drawable;   /* its ID */
  char encoding[32]; /* babl's name of the drawable's format, in which its pixels are exchanged */
  FxFormat format;   /* the same to the engine */
  int width, height; /* pixels */
  gboolean coverage; /* a channel or a mask: light does not touch it */
} RenderTarget;

/* One blur of a target. */
typedef struct {
  BlurParams params;
  FxImage image;      /* all but its region and its callbacks */
  int grow_x, grow_y; /* transparent pixels added on each side: where the drawable's 0, 0 lies */
} RenderPlan;

typedef enum {
  RENDER_ERROR_REFUSED, /* the drawable is none that can be blurred; the message says why */
  RENDER_ERROR_GIMP,    /* GIMP refused a call; the message has its words */
  RENDER_ERROR_FILE,    /* a temporary file failed */
  RENDER_ERROR_CHANGED, /* what the blur was made for was changed meanwhile, so that it was given up
                         */
  RENDER_ERROR_LATE,    /* the same, but in the moment in which it was put into the drawable */
} RenderError;

#define RENDER_ERROR (render_error_quark ())
GQuark render_error_quark (void);

/* Describes drawable, or says in error why it cannot be blurred; target is then undefined. */
gboolean render_target_init (RenderTarget *target, gint32 drawable, GError **error);

/* Whether the drawable still has the size and the format that target says, whatever its locks. To
 * be asked before tiles cross: GIMP ends a process that wants tiles which are not there. */
gboolean render_target_check (const RenderTarget *target, GError **error);

/* Whether a blur may change the drawable's alpha. */
gboolean render_target_can_change_alpha (const RenderTarget *target);

/* Whether target can be enlarged: a layer with alpha that nothing holds, and no selection. */
gboolean render_target_can_grow (const RenderTarget *target);

/* settings must have passed blur_params_check. */
void render_plan_init (RenderPlan *plan, const RenderTarget *target,
                       const RenderSettings *settings);

/* Blurs drawable through the selection, in one undo step. Waits until no other process of this GIMP
 * is blurring it. Where something was changed meanwhile so that the result can no longer be put
 * into it, that is the error. since: when the caller's work began, by g_get_monotonic_time, for the
 * trace. Returns TRUE too where there is nothing to do: identical parameters, or nothing of the
 * drawable selected. On FALSE the drawable is as it was, but with RENDER_ERROR_LATE. */
gboolean render_blur (FxEngine *engine, gint32 drawable, const RenderSettings *settings,
                      gint64 since, GError **error);

/* What a process may leave that is killed while it makes a layer grow: the layer enlarged, with its
 * old pixels. Takes that back, which is an undo step of its own. width, height: the layer's before.
 */
void render_repair (gint32 drawable, const RenderSettings *settings, int width, int height);

G_END_DECLS

#endif
