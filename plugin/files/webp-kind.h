/* WebP. */
#ifndef WEBP_KIND_H
#define WEBP_KIND_H

#include "kind.h"

G_BEGIN_DECLS

extern const Kind webp_kind;

G_END_DECLS

#endif
