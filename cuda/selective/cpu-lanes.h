/* Sums over the windows of a block of pixels, by each kind of vector unit. */
#pragma once

#include "cpu-rows.h"

#define COLORS_MAX 3

/* How pixels are compared. */
typedef enum { HARD_FLOATS, HARD_WORDS, SOFT } Comparison;

/* Adds the rows of the windows, as selective_window_filter has them, to planes of sums, which are 0
 * before: of each colour times its weights, and then of the weights. */
typedef void SelectiveSum (const SelectiveLayout *layout, const float *const *rows, int column,
                           Comparison comparison, float (*sums)[SELECTIVE_BLOCK]);

SelectiveSum selective_sum_plain, selective_sum_avx2, selective_sum_avx512;
