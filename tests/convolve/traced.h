/* The way that a matrix is run, which the trace tells. */
#pragma once

#include "trial.h"

/* What the trace says of the convolution when a trial is run, which is then checked: one line of
 * it; free it. */
char *traced_run (const Trial *trial);
