/* Which rows of an image's source a device keeps from run to run, so that only those that have
 * changed are read again. */
#ifndef FX_KEPT_H
#define FX_KEPT_H

#include "image.h"

FX_BEGIN_API

/* For images of one size and format; of no row at first. Never NULL. */
FxKept *fx_kept_new (int height);
void fx_kept_free (FxKept *kept); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxKept, fx_kept_free)

/* Says that rows y to y + rows - 1 have changed; what of them lies beyond the image is passed over.
 * Not while a run uses kept. */
void fx_kept_change (FxKept *kept, int y, int rows);

FX_END_API

G_BEGIN_DECLS

/* The runs' side: whether all of those rows are there; that they are from now on. */
gboolean fx_kept_has (const FxKept *kept, int y, int rows);
void fx_kept_add (FxKept *kept, int y, int rows);

G_END_DECLS

#endif
