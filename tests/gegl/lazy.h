/* A buffer whose pixels are made when somebody reads them, as GIMP's projection is: by a graph of
 * its own. */
#ifndef LAZY_H
#define LAZY_H

#include "scene.h"

G_BEGIN_DECLS

/* Of the blur that scene tells, of picture. Both must outlive it. */
GeglBuffer *lazy_new (const Scene *scene, GeglBuffer *picture);

G_END_DECLS

#endif
