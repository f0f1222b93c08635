#ifndef GAUSSIAN_BLUR_H
#define GAUSSIAN_BLUR_H

#include "filter.h"

extern const FilterDescription gaussian_blur;

#endif
