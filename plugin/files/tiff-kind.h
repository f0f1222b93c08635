/* TIFF. */
#ifndef TIFF_KIND_H
#define TIFF_KIND_H

#include "kind.h"

G_BEGIN_DECLS

extern const Kind tiff_kind;

/* Before there are threads. */
void tiff_kind_init (void);

G_END_DECLS

#endif
