/* The path of a matrix, which the trace tells. */
#pragma once

#include "trial.h"

/* Runs and checks a trial. Returns the trace's line about the convolution; free it. */
char *traced_run (const Trial *trial);
