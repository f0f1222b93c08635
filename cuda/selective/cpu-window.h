/* The mean over a pixel's window, on the CPU. */
#pragma once

#include "cpu-rows.h"

/* Computes SELECTIVE_BLOCK pixels of a row. rows are the decoded rows of their windows, from the
 * top (NULL: nothing), and column is the row's at which the first pixel's window begins. Sets
 * result to a plane of SELECTIVE_BLOCK floats for each colour, in which NaN stands for a sample
 * that stays. */
void selective_window_filter (const SelectiveLayout *layout, const float *const *rows, int column,
                              float (*result)[SELECTIVE_BLOCK]);
