/* A copy of a drawable's pixels and selection in this process, for the preview. It is read from
 * GIMP once, a few tiles at a time. For the main thread only, except that one other thread may read
 * the pixels and the mask while it holds the copy. */
#pragma once

#include "apply-target.h"

typedef struct DrawableCopy DrawableCopy;

/* Called when rows y to y + rows - 1 of the pixels or of the mask have changed. Also called, for
 * all rows, when the mask comes or goes, or when drawable_copy_get_locked changes. */
typedef void (*DrawableCopyChangedFunc) (gpointer data, int y, int rows);

/* Creates a copy of target, all zero; drawable_copy_begin starts reading it. Returns NULL with
 * FX_ERROR_MEMORY if the pixels would take more than half of this machine's memory or cannot be
 * allocated. Free it with drawable_copy_free. */
DrawableCopy *drawable_copy_new (const ApplyTarget *target, GError **error);
void drawable_copy_free (DrawableCopy *copy); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DrawableCopy, drawable_copy_free)

/* Sets the function to call on changes, with data. changed may be NULL. */
void drawable_copy_set_changed (DrawableCopy *copy, DrawableCopyChangedFunc changed, gpointer data);

/* Starts reading everything again; pixels already read stay until new ones replace them. Returns
 * FALSE with error if the drawable is gone, can no longer be filtered, or has another size or
 * format, or if there is no memory for its selection. The copy then keeps what it has, and nothing
 * is being read. */
gboolean drawable_copy_begin (DrawableCopy *copy, GError **error);

/* Returns whether this machine has room for bytes more, so that these and the pixels together take
 * at most half of its memory. */
gboolean drawable_copy_has_room (const DrawableCopy *copy, double bytes);

/* Continues reading until the monotonic time until, in microseconds, but for at least one tile.
 * Reads the rows of first before others. If the drawable or the selection no longer is what is
 * being read, starts again, as drawable_copy_begin does. Returns TRUE while there is more to
 * read. */
gboolean drawable_copy_read (DrawableCopy *copy, const FxRect *first, gint64 until);

/* Returns the pixels: rows in the drawable's format, without padding. Owned by copy. */
gconstpointer drawable_copy_get_pixels (const DrawableCopy *copy);

/* Returns the selection over the drawable: rows of bytes without padding, from 0 for unselected to
 * 255. Returns NULL if no selection limits the filter. Owned by copy, and valid until copy is
 * freed. */
const guint8 *drawable_copy_get_mask (const DrawableCopy *copy);

/* Returns the channels that no filter changes, because the alpha is locked or a component is not
 * active: bits, as for fx_restore_channels. */
guint drawable_copy_get_locked (const DrawableCopy *copy);

/* Sets rect to the part of the drawable that is selected, in the drawable's pixels; all of it if no
 * selection limits the filter. Returns FALSE if that is empty, and before drawable_copy_begin. */
gboolean drawable_copy_get_selected (const DrawableCopy *copy, FxRect *rect);

/* Hold and release the copy, on the thread that reads it. In between, neither the pixels nor the
 * mask change: what is read from GIMP takes their place at the release. */
void drawable_copy_hold (DrawableCopy *copy);
void drawable_copy_release (DrawableCopy *copy);

/* Copies rect to pixels, in rows that are stride bytes apart; fills what lies outside of the
 * drawable with zeros. */
void drawable_copy_get_rect (const DrawableCopy *copy, const FxRect *rect, gpointer pixels,
                             gsize stride);
