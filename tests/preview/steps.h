/* Progress that is counted, and cancelled. */
#pragma once

#include <glib.h>

typedef struct {
  int steps, cancel;
} Steps;

/* An FxProgressFunc; data: Steps. Says no at call number cancel, from 1; 0: never. */
gboolean steps_count (gpointer data, double fraction);
