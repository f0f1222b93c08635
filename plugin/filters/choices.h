/* Choices that several filters share. */
#ifndef CHOICES_H
#define CHOICES_H

#include "filter.h"

G_BEGIN_DECLS

/* The choices of a property whose values are FxAbyss, FxLight or FxDevice. */
extern const FilterChoice choices_abyss[], choices_light[], choices_device[];

G_END_DECLS

#endif
