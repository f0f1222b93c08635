/* Records which part of an operation's input is resident on the GPU between calls.
 *
 * It stays valid while the input is in the same storage and GEGL reports no change: GEGL's own
 * caches rely on the same two. */
#pragma once

#include "resident-source.h"

#include <gegl.h>

/* A record with all fields 0 is empty. */
typedef struct {
  FxResidentSource *resident; /* the frame's rows that are resident */
  gboolean lent;              /* a call is using resident */
  GeglBuffer *input; /* the last one; referenced, so that no other buffer gets its storage */
  const Babl *format;
  GeglRectangle frame;
  GeglRectangle changed; /* since resident was last lent */
} Source;

/* Reports that a part of the input has changed. */
void source_change (Source *source, const GeglRectangle *changed);

/* Returns the rows that are resident of input, which is a part of frame and is read in format.
 * Starts a new record if the storage, the frame or the format is not the last one. Returns NULL if
 * the record is lent already, or if frame is too high, as an infinite plane is. Give it back with
 * source_take_back. */
FxResidentSource *source_lend (Source *source, GeglBuffer *input, const GeglRectangle *frame,
                               const Babl *format);

/* Takes resident back; NULL is legal. y is a row that the call has used: if it is not resident, no
 * GPU was used, and the record is cleared. */
void source_take_back (Source *source, FxResidentSource *resident, int y);

/* Clears the record and drops the input. Do not call this while resident is lent. */
void source_clear (Source *source);
