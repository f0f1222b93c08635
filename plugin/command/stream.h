/* An image between its loader and its saver: the engine filters it band by band as the saver asks
 * for rows. */
#pragma once

#include "filter.h"

#include <vips/vips.h>

/* The engine, which the streams of all threads share. */
typedef struct {
  FxEngine *engine;
  const FilterSettings *settings;
  GMutex lock; /* of the engine */
} StreamEngine;

typedef struct Stream Stream;

/* Creates the stream that filters source, an image from image_open whose samples are in format.
 * Takes a reference to source; engine must outlive the stream. Never returns NULL. */
Stream *stream_new (StreamEngine *engine, VipsImage *source, const FxFormat *format);
void stream_free (Stream *stream); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Stream, stream_free)

/* Returns the most bytes of memory that the stream takes, not counting the engine's. */
guint64 stream_get_need (const Stream *stream);

/* Returns the image to save, which belongs to the stream: small images are loaded by this call,
 * others while they are saved. Returns NULL with IMAGE_ERROR_DAMAGED on failure. */
VipsImage *stream_start (Stream *stream, GError **error);

/* If saving failed because the filter or the loader failed, replaces error by their error. */
void stream_replace_error (Stream *stream, GError **error);

/* Returns what the engine did, with the time of all bands; NULL if the settings change nothing. */
const FxReport *stream_get_report (const Stream *stream);
