#ifndef CONVOLUTION_MATRIX_H
#define CONVOLUTION_MATRIX_H

#include "filter.h"

extern const FilterDescription convolution_matrix;

#endif
