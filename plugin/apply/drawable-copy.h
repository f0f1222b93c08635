/* A drawable's pixels in this process: read from GIMP once, a few tiles at a time, for the preview.
 * For the main thread only, but that other threads may look at the pixels. */
#ifndef DRAWABLE_COPY_H
#define DRAWABLE_COPY_H

#include "render-target.h"

G_BEGIN_DECLS

typedef struct DrawableCopy DrawableCopy;

/* Says that rows y to y + rows - 1 of the pixels, or of the mask, are other than they were, or are
 * kept in other channels. */
typedef void (*DrawableCopyChangedFunc) (gpointer data, int y, int rows);

/* Nothing is read yet, and all is zero. NULL with FX_ERROR_MEMORY where the drawable would take
 * more than half of this machine's memory. */
DrawableCopy *drawable_copy_new (const RenderTarget *target, GError **error);
void drawable_copy_free (DrawableCopy *copy); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DrawableCopy, drawable_copy_free)

/* Whom to tell; changed may be NULL. */
void drawable_copy_set_changed (DrawableCopy *copy, DrawableCopyChangedFunc changed, gpointer data);

/* Begins to read everything anew: what is there stays until other pixels come in. FALSE with error
 * where the drawable is gone or no longer has that size or format, or where there is no memory for
 * its selection: then the copy keeps what it has. */
gboolean drawable_copy_begin (DrawableCopy *copy, GError **error);

/* Whether this machine's memory has room for so many bytes beside the pixels: half of it at the
 * most. */
gboolean drawable_copy_has_room (const DrawableCopy *copy, double bytes);

/* Reads on, until that monotonic time, a tile at least, rows of first before others. TRUE while
 * there is more to read. */
gboolean drawable_copy_read (DrawableCopy *copy, const FxRect *first, gint64 until);

/* The pixels: rows in the drawable's format, without padding. */
gconstpointer drawable_copy_get_pixels (const DrawableCopy *copy);

/* The selection over the drawable: rows of bytes, 0 for unselected to 255; NULL where it does not
 * limit a filter. It stays allocated until the copy is freed. */
const guint8 *drawable_copy_get_mask (const DrawableCopy *copy);

/* The channels that stay as they are whatever a filter makes of them, because the alpha is locked
 * or a component is not active: bits, as fx_keep has them. */
guint drawable_copy_get_kept (const DrawableCopy *copy);

/* The part of the drawable that is selected. FALSE if there is none. */
gboolean drawable_copy_get_selected (const DrawableCopy *copy, FxRect *rect);

/* Fills pixels with rect, with zeros where it reaches beyond the drawable; for any thread. */
void drawable_copy_get_rect (const DrawableCopy *copy, const FxRect *rect, gpointer pixels,
                             gsize stride);

G_END_DECLS

#endif
