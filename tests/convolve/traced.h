/* The way that a matrix is run, which the trace tells. */
#ifndef TRACED_H
#define TRACED_H

#include "trial.h"

G_BEGIN_DECLS

/* What the trace says of the convolution when a trial is run, which is then checked: one line of
 * it; free it. */
char *traced_run (const Trial *trial);

void add_traced (void);

G_END_DECLS

#endif
