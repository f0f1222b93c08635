/* The operation cuda:convolve, the convolution matrix. */
#ifndef CONVOLVE_OPERATION_H
#define CONVOLVE_OPERATION_H

#include "operation.h"

extern const OperationDescription convolve_operation;

#endif
