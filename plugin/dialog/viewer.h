/* The dialog's preview: the blurred drawable at any scale, beside or in place of what it was, with
 * its zoom, its scroll bars and its switches. */
#ifndef VIEWER_H
#define VIEWER_H

#include "renderer.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct Viewer Viewer;

/* Called when another view, or another of its pictures, is to be shown. */
typedef void (*ViewerChangedFunc) (gpointer data);

/* width, height: of the drawable, in pixels. It first shows all of that. */
Viewer *viewer_new (int width, int height, ViewerChangedFunc changed, gpointer data);
void viewer_free (Viewer *viewer); /* after its widget; NULL is legal */

GtkWidget *viewer_get_widget (const Viewer *viewer);

/* Transparent pixels that the drawable is enlarged by on each side. */
void viewer_set_growth (Viewer *viewer, int grow_x, int grow_y);

/* Sets the view that request is to be for, and which of its pictures are missing: of those that the
 * viewer has, before is still good unless it is a draft and request is not. FALSE if none is
 * wanted. */
gboolean viewer_get_request (const Viewer *viewer, RendererView *request);

/* Where the view's first pixel is on the screen. */
void viewer_get_place (const Viewer *viewer, int *x, int *y);

/* Shows what was rendered, and takes it. Returns TRUE if it is on the screen now. */
gboolean viewer_show (Viewer *viewer, RendererViewResult *result);

/* Says that the drawable is no longer what it was. */
void viewer_forget (Viewer *viewer);

G_END_DECLS

#endif
