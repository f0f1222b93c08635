/* The dialog's parts: dialog.c makes the window, and dialog-preview.c fills it with pictures. */
#pragma once

#include "apply-map.h"
#include "apply-target.h"
#include "canvas.h"
#include "dialog.h"
#include "parameters.h"
#include "viewer.h"

typedef struct {
  const FilterDescription *filter;
  ApplyTarget target;
  DrawableCopy *copy;
  Renderer *renderer;
  GtkWidget *window;
  Viewer *viewer;
  Parameters *parameters;
  GtkWidget *presets;
  GtkWidget *picture;   /* of the settings; NULL if the filter has none */
  GtkWidget *on_canvas; /* a check button */
  Canvas *canvas;       /* may be NULL */
  GtkWidget *status;
  gint32 map;            /* the drawable that is chosen as the map */
  MapReader *map_reader; /* NULL: it is not being read */
  FilterMap *map_read;   /* its pixels; NULL until they are read, and if they cannot be */
  gboolean map_linear;   /* what they are read as */
  gboolean shown;        /* changes of the viewer and the parameters take effect */
  gboolean left;         /* the window lost the focus; the drawable may have changed since */
  gboolean read;         /* pixels have arrived since the last request */
  guint reading, reading_map, showing, refining, writing; /* sources of the main loop, or 0 */
} Dialog;

/* Returns the control that chooses the map, with its label. */
GtkWidget *dialog_make_map (Dialog *dialog);

/* Begins to read the map for the preview, again if it was read before. Until it is read, the status
 * says so, views show the drawable as it is, the canvas keeps its layer, and OK can be chosen: the
 * filter then reads the map by itself. If that fails, the status says why; no view is then made,
 * and OK cannot be chosen, until the user chooses another map, changes what it is read as, or comes
 * back to the window. Does nothing if the filter takes no map, or if there is no preview. */
void dialog_start_reading_map (Dialog *dialog);

/* Reads the map again in case it has changed. The last one is used until then. */
void dialog_read_map_again (Dialog *dialog);

void dialog_stop_reading_map (Dialog *dialog);

/* Return whether the map has been read, or the filter takes none; and whether it cannot be read. */
gboolean dialog_has_map (const Dialog *dialog);
gboolean dialog_lacks_map (const Dialog *dialog);

/* Lets the user choose OK if the controls are valid and the map is not known to be missing. If it
 * was read as something else than the controls say, begins to read it again. */
void dialog_allow_ok (Dialog *dialog);

/* Returns the settings of the controls, with the map; free them. */
FilterSettings *dialog_copy_settings (const Dialog *dialog);

/* Opens the preview. If there is no memory or no thread for it, the status says so and the filter
 * still works. */
void dialog_start_preview (Dialog *dialog, FxEngine *engine);

/* Waits for the renderer, which may wait for a compiler. */
void dialog_stop_preview (Dialog *dialog);

/* Begins to read the drawable's pixels, again if they were read before. */
void dialog_start_reading (Dialog *dialog);

/* Requests a view of the result, of draft quality or better. */
void dialog_request_view (Dialog *dialog, gboolean draft);

/* Requests the layer on the canvas. Does nothing if it is not shown there. */
void dialog_request_layer (Dialog *dialog);

/* Removes the layer from the canvas. */
void dialog_leave_canvas (Dialog *dialog);

/* Handlers of signals: of the check button for the canvas, and of the window's focus. */
void dialog_switch_canvas (GtkToggleButton *button, Dialog *dialog);
void dialog_change_focus (GtkWindow *window, GParamSpec *param, Dialog *dialog);
