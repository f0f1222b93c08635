/* OpenEXR. */
#ifndef EXR_KIND_H
#define EXR_KIND_H

#include "kind.h"

G_BEGIN_DECLS

extern const Kind exr_kind;

G_END_DECLS

#endif
