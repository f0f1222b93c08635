/* The layer effect that shows what the window has: a new one, or one of the layer's that is being
 * edited. Until it is kept, no change to it is an undo step or counts as unsaved. For the main
 * thread. */
#ifndef DESIGNER_EFFECT_H
#define DESIGNER_EFFECT_H

#include "filter.h"

#include <libgimp/gimp.h>

G_BEGIN_DECLS

typedef struct DesignerEffect DesignerEffect;

/* Returns why no effect can be shown on drawable, translated, or NULL if one can. */
const char *designer_effect_get_refusal (GimpDrawable *drawable);

/* Prepares to edit the topmost effect of the filter that the drawable has, and sets settings to its
 * configuration; if there is none, makes one, which the drawable does not have yet. Changes nothing
 * in the image. Returns NULL with EFFECT_ERROR_GIMP if GIMP has no such operation. */
DesignerEffect *designer_effect_new (GimpDrawable *drawable, FilterSettings *settings,
                                     GError **error);

/* Takes the effect back, if it is not kept, and frees it. NULL is legal. */
void designer_effect_free (DesignerEffect *effect);

/* Returns whether the effect is one of the layer's that is being edited. */
gboolean designer_effect_is_edited (const DesignerEffect *effect);

/* Shows the effect with settings soon, or hides it if settings is NULL. Of several calls the last
 * one counts. */
void designer_effect_show (DesignerEffect *effect, const FilterSettings *settings);

/* Leaves the effect with settings on the layer or, if not as_effect, applies settings to the
 * drawable's pixels. Returns FALSE on failure, after which the drawable is as it was. */
gboolean designer_effect_keep (DesignerEffect *effect, const FilterSettings *settings,
                               gboolean as_effect, GError **error);

G_END_DECLS

#endif
