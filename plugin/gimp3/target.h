/* What GIMP 3 can filter. */
#ifndef TARGET_H
#define TARGET_H

#include <libgimp/gimp.h>

G_BEGIN_DECLS

/* Checks that drawable can be filtered, as an effect or for good. Returns FALSE with
 * EFFECT_ERROR_REFUSED, one sentence, if not. */
gboolean target_check (GimpDrawable *drawable, gboolean as_effect, GError **error);

G_END_DECLS

#endif
