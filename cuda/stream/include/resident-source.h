/* Records which rows of an image's source are resident on a device, so that a later run reads only
 * the rows that have changed. */
#pragma once

#include "image.h"

FX_BEGIN_API

/* Creates a record for images of one size and format, with no rows resident. Returns NULL
 * if memory runs out. */
FxResidentSource *fx_resident_source_new (int height);
void fx_resident_source_free (FxResidentSource *resident); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxResidentSource, fx_resident_source_free)

/* Marks rows y to y + rows - 1 as changed, so that the next run reads them again. Rows outside of
 * the image are ignored. Do not call this while a run uses resident. */
void fx_resident_source_change (FxResidentSource *resident, int y, int rows);

FX_END_API

/* For runs: return whether all of the rows are resident, and mark them as resident. The rows must
 * lie within the image. */
gboolean fx_resident_source_has (const FxResidentSource *resident, int y, int rows);
void fx_resident_source_add (FxResidentSource *resident, int y, int rows);
