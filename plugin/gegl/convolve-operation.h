/* The convolution matrix as an operation: cuda:convolve. */
#ifndef CONVOLVE_OPERATION_H
#define CONVOLVE_OPERATION_H

#include "operation.h"

extern const OperationDescription convolve_operation;

#endif
