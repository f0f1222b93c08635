/* A drawable's pixels in this process: read from GIMP once, a few tiles at a time, for the preview.
 * For the main thread only, but that other threads may look at the pixels. */
#ifndef SOURCE_H
#define SOURCE_H

#include "render.h"

G_BEGIN_DECLS

typedef struct Source Source;

/* Says that rows y to y + rows - 1 of the pixels, or of the mask, are other than they were, or
 * are kept in other channels. */
typedef void (*SourceChangedFunc) (gpointer data, int y, int rows);

/* Nothing is read yet, and all is zero. NULL with FX_ERROR_MEMORY where the drawable would take
 * more than half of this machine's memory. */
Source *source_new (const RenderTarget *target, GError **error);
void source_free (Source *source); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Source, source_free)

/* Whom to tell; changed may be NULL. */
void source_set_changed (Source *source, SourceChangedFunc changed, gpointer data);

/* Begins to read everything anew: what is there stays until other pixels come in. FALSE where the
 * drawable is gone or no longer has that size or format: then the source keeps what it has. */
gboolean source_begin (Source *source);

/* Whether this machine's memory has room for so many bytes beside the pixels: half of it at the
 * most. */
gboolean source_has_room (const Source *source, double bytes);

/* Reads on, until that monotonic time, a tile at least, rows of first before others. TRUE while
 * there is more to read. */
gboolean source_read (Source *source, const FxRect *first, gint64 until);

/* The pixels: rows in the drawable's format, without padding. */
gconstpointer source_get_pixels (const Source *source);

/* The selection over the drawable: rows of bytes, 0 for unselected to 255; NULL where it does not
 * limit the blur. It stays allocated until the source is freed. */
const guint8 *source_get_mask (const Source *source);

/* The channels that stay as they are whatever a blur makes of them, because the alpha is locked or
 * a component is not active: bits, as fx_keep has them. */
guint source_get_kept (const Source *source);

/* The part of the drawable that is selected. FALSE if there is none. */
gboolean source_get_selected (const Source *source, FxRect *rect);

/* Fills pixels with rect, with zeros where it reaches beyond the drawable; for any thread. */
void source_copy (const Source *source, const FxRect *rect, gpointer pixels, gsize stride);

G_END_DECLS

#endif
