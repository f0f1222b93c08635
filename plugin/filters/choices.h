/* What more than one filter lets choose between. */
#ifndef CHOICES_H
#define CHOICES_H

#include "filter.h"

G_BEGIN_DECLS

/* Of a property's choices: by FxAbyss, by FxLight, by FxDevice. */
extern const FilterChoice choices_abyss[], choices_light[], choices_device[];

G_END_DECLS

#endif
