/* The operation cuda:convolve, the convolution matrix. */
#ifndef CONVOLUTION_MATRIX_OPERATION_H
#define CONVOLUTION_MATRIX_OPERATION_H

#include "operation.h"

extern const OperationDescription convolution_matrix_operation;

#endif
