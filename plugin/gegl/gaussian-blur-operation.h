/* The operation cuda:gaussian-blur. */
#ifndef GAUSSIAN_BLUR_OPERATION_H
#define GAUSSIAN_BLUR_OPERATION_H

#include "operation.h"

extern const OperationDescription gaussian_blur_operation;

#endif
