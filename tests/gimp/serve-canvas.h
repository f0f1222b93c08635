/* The canvas's part of what window-canvas.sh asks for: undo and redo need keys, and so a window. */
#ifndef SERVE_CANVAS_H
#define SERVE_CANVAS_H

#include "subject.h"

G_BEGIN_DECLS

/* Answers show, blur SIGMA GROW, hide, kill MESSAGE, clean, dirty and describe; g_free it. */
char *serve_canvas (Subject subject, const char *text);

G_END_DECLS

#endif
