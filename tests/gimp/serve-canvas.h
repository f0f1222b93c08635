/* The canvas's part of what window-canvas.sh asks for: undo and redo need keys, and so a window. */
#pragma once

#include "subject.h"

/* Answers show, blur SIGMA GROW, hide, kill MESSAGE, clean, dirty and describe; g_free it. */
char *serve_canvas (Subject subject, const char *text);
