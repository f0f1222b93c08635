/* JPEG, as GIMP's plug-in reads and writes it. */
#ifndef JPEG_H
#define JPEG_H

#include "kind.h"

extern const Kind jpeg_kind;

#endif
