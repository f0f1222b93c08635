/* What a GPU keeps of an operation's input from call to call.
 *
 * That stays right as long as the input is in the same storage, and GEGL has not said that it has
 * changed: by these two GEGL's own caches go. */
#ifndef SOURCE_H
#define SOURCE_H

#include "kept.h"

#include <gegl.h>

G_BEGIN_DECLS

/* All 0: nothing is kept. */
typedef struct {
  FxKept *kept;      /* of the frame's rows */
  gboolean lent;     /* to a call */
  GeglBuffer *input; /* the last one, held so that no other gets its storage */
  const Babl *format;
  GeglRectangle frame;
  GeglRectangle changed; /* since kept was last lent */
} Source;

/* Says that part of the input has changed. */
void source_change (Source *source, const GeglRectangle *changed);

/* Lends what is kept of that input, a part of frame that is read in format; NULL while it is lent
 * already. */
FxKept *source_lend (Source *source, GeglBuffer *input, const GeglRectangle *frame,
                     const Babl *format);

/* Takes it back; row y was used, unless no GPU was. NULL is legal. */
void source_take_back (Source *source, FxKept *kept, int y);

/* Forgets everything. Not while it is lent. */
void source_clear (Source *source);

G_END_DECLS

#endif
