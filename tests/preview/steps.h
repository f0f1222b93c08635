/* Progress that is counted, and cancelled. */
#ifndef STEPS_H
#define STEPS_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  int steps, cancel;
} Steps;

/* An FxProgressFunc; data: Steps. Says no at call number cancel, from 1; 0: never. */
gboolean steps_count (gpointer data, double fraction);

G_END_DECLS

#endif
