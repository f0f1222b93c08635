/* The operation cuda:gaussian-blur. */
#ifndef BLUR_OPERATION_H
#define BLUR_OPERATION_H

#include "operation.h"

extern const OperationDescription blur_operation;

#endif
