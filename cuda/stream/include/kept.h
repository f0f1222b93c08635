/* Records which rows of an image's source are resident on a device, so that a later run reads only
 * the rows that have changed. */
#ifndef FX_KEPT_H
#define FX_KEPT_H

#include "image.h"

FX_BEGIN_API

/* Creates a record for images of one size and format, with no rows resident. Never returns NULL. */
FxKept *fx_kept_new (int height);
void fx_kept_free (FxKept *kept); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxKept, fx_kept_free)

/* Marks rows y to y + rows - 1 as changed, so that the next run reads them again. Rows outside of
 * the image are ignored. Do not call this while a run uses kept. */
void fx_kept_change (FxKept *kept, int y, int rows);

FX_END_API

G_BEGIN_DECLS

/* For runs: return whether all of the rows are resident, and mark them as resident. The rows must
 * lie within the image. */
gboolean fx_kept_has (const FxKept *kept, int y, int rows);
void fx_kept_add (FxKept *kept, int y, int rows);

G_END_DECLS

#endif
