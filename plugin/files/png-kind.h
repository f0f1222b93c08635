/* PNG, as GIMP's plug-in reads and writes it; blur.sh has it packed at level 6. */
#ifndef PNG_KIND_H
#define PNG_KIND_H

#include "kind.h"

extern const Kind png_kind;

#endif
