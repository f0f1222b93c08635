/* The result for a part of a drawable, in a widget that scrolls and has GIMP's own switch for the
 * preview. It is computed in this process from the drawable's pixels, which are read alone. For the
 * main thread. */
#pragma once

#include "filter.h"

#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

typedef struct DesignerPreview DesignerPreview;

/* Creates a preview of a drawable that is in an image. Never returns NULL. */
DesignerPreview *designer_preview_new (GimpDrawable *drawable);
void designer_preview_free (DesignerPreview *preview); /* free it after its widget; NULL is legal */

GtkWidget *designer_preview_get_widget (const DesignerPreview *preview);

/* Shows the result of settings soon. They are copied, and must have passed
 * filter_settings_check. */
void designer_preview_show (DesignerPreview *preview, const FilterSettings *settings);
