/* The screen of the X server. */
#pragma once

#include "blur.h"
#include "engine.h"

/* That part of the screen, 3 bytes a pixel, without padding; g_free it. NULL if there is no
 * screen, or none of true colour, or where rect reaches beyond it. */
guint8 *screen_grab (const FxRect *rect);

typedef struct {
  int width, height;
  int least_width, least_height; /* that it takes to show all that is in it, by its own word */
} ScreenWindow;

/* FALSE if there is no such window, or it does not say what it needs. */
gboolean screen_measure_window (gulong window, ScreenWindow *size);

/* Asks a window to close, as a window manager does for its close button. FALSE: there is no
   screen. */
gboolean screen_close_window (gulong window);
