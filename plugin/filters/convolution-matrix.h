#ifndef CONVOLUTION_MATRIX_H
#define CONVOLUTION_MATRIX_H

#include "filter.h"

extern const Filter convolution_matrix;

#endif
