/* The dialog's preview: shows the filtered drawable at any scale, beside or in place of the
 * original, with zoom buttons, scroll bars and switches. */
#pragma once

#include "renderer.h"

#include <gtk/gtk.h>

typedef struct Viewer Viewer;

/* Called when the viewer needs another view, or another picture of it; when the user drags the
 * point to another place, in parts of the drawable's width and height; and, each time that the
 * viewer draws, for the lines over the picture, as FilterDescription has them. */
typedef struct {
  void (*changed) (gpointer data);
  void (*drag_point) (gpointer data, double x, double y); /* NULL: there is never a point */
  gboolean (*get_line) (gpointer data, guint number, double error, GArray *points); /* NULL: none */
} ViewerFuncs;

/* Creates a viewer for target, which must outlive it. At first it shows all of it. funcs is copied.
 * hint explains the point and the lines; translated, or NULL. Never returns NULL. */
Viewer *viewer_new (const ApplyTarget *target, const ViewerFuncs *funcs, gpointer data,
                    const char *hint);
void viewer_free (Viewer *viewer); /* free it after its widget; NULL is legal */

GtkWidget *viewer_get_widget (const Viewer *viewer);

/* Sets by how many transparent pixels the drawable is enlarged on each side. */
void viewer_set_growth (Viewer *viewer, int grow_x, int grow_y);

/* Shows a cross at the point, in parts of the drawable's width and height, and the lines as they
 * are now. NULL: no cross. */
void viewer_set_point (Viewer *viewer, const double point[2]);

/* Sets request's view, its generation and which pictures are missing; its view.draft is an input.
 * The viewer's picture of the original is reused unless it is a draft and the request is not.
 * Returns FALSE if nothing needs to be rendered; request is set all the same. */
gboolean viewer_get_request (const Viewer *viewer, RendererView *request);

/* Sets x and y to the position of the view's first pixel on the screen. */
void viewer_get_place (const Viewer *viewer, int *x, int *y);

/* Shows the pictures in result, and takes them. Returns whether they are on the screen now. */
gboolean viewer_show (Viewer *viewer, RendererView *result);

/* Tells the viewer that the drawable's pixels have changed. */
void viewer_forget (Viewer *viewer);
