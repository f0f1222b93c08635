/* The viewer's parts. viewer.c makes its widgets and holds its pictures, viewer-draw.c knows what
 * is where and draws, viewer-lines.c draws the filter's lines, viewer-move.c scrolls, zooms, and
 * answers the pointer and the keys. */
#pragma once

#include "viewer.h"

#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

#define VIEWER_KEY_STEP 32 /* pixels that an arrow key scrolls */

/* A rendered picture. */
typedef struct {
  FxView view;
  guint8 *rgba; /* in the display's colours; may be NULL */
} Picture;

#define VIEWER_ARM 8 /* pixels of the cross on each side of its middle */

typedef enum { DRAG_NONE, DRAG_PAN, DRAG_DIVIDER, DRAG_POINT } Drag;

struct Viewer {
  const ApplyTarget *target;
  ViewerFuncs funcs;
  gpointer data;
  GtkWidget *widget;
  GtkWidget *area;
  GtkAdjustment *columns, *rows; /* the scaled drawable's pixel at the area's left and top */
  GtkWidget *preview, *split;    /* check buttons */
  GtkWidget *percent;            /* a label */
  GimpZoomModel *zoom;
  int width, height, grow_x, grow_y;
  gboolean moving; /* both adjustments are being set, for a single new view */
  gboolean fit;    /* the scale follows the area's size */
  double anchor_x,
    anchor_y;     /* the point of the area that a zoom leaves in place, in shares of its size */
  double scale;   /* the scale of the adjustments */
  double divider; /* share of the width that shows the result */
  gboolean has_point;
  double point[2]; /* in parts of the drawable's width and height */
  Picture after, before;
  guint generation; /* of the drawable's pixels */
  Drag drag;
  double drag_x, drag_y;        /* the pointer's position when the drag began */
  double drag_column, drag_row; /* the adjustments then, or the point's pixel */
};

/* One axis: the scaled drawable, and the part of the area that it takes. */
typedef struct {
  int first, end; /* of the scaled drawable, with its growth */
  int area;       /* in pixels */
  int origin;     /* the scaled drawable's pixel at the area's first pixel */
  double exact;   /* the same, not rounded: zooms that follow each other do not drift */
} Extent;

/* viewer-draw.c */

Extent viewer_get_columns (const Viewer *viewer);
Extent viewer_get_rows (const Viewer *viewer);

/* Returns the visible part of the scaled drawable. */
FxRect viewer_get_visible (const Viewer *viewer);

/* Returns the area's column of the line between the result and the original. */
int viewer_get_divider (const Viewer *viewer);

/* Sets x and y to the area's pixel with the point. Returns FALSE if none has it. */
gboolean viewer_find_point (const Viewer *viewer, int *x, int *y);

/* Return whether the result is shown, and whether the original is beside it. */
gboolean viewer_has_preview (const Viewer *viewer);
gboolean viewer_is_split (const Viewer *viewer);

/* Draws the pictures; does nothing until there is one at the viewer's scale. */
void viewer_draw (const Viewer *viewer);

/* Draws the divider, the lines, the point and the focus when the area is exposed. */
void viewer_connect_drawing (Viewer *viewer, GtkWidget *area);

/* viewer-lines.c */

/* Draws the filter's lines. */
void viewer_draw_lines (const Viewer *viewer, cairo_t *cr);

/* viewer-move.c */

/* Draws the pictures and asks the caller of viewer_new for another view, unless both adjustments
 * are being set. */
void viewer_update (Viewer *viewer);

/* Fits the scroll bars to the drawable's scaled size, and leaves their values if they are still
 * legal. */
void viewer_configure (Viewer *viewer);

void viewer_zoom_in (Viewer *viewer);
void viewer_zoom_out (Viewer *viewer);
void viewer_zoom_original (Viewer *viewer); /* to 100% */
void viewer_zoom_fit (Viewer *viewer);

/* Creates viewer->zoom, which follows the area's size from now on. */
void viewer_make_zoom (Viewer *viewer);

/* Has the area answer the pointer, the keys, and a new size. */
void viewer_connect_input (Viewer *viewer, GtkWidget *area);
