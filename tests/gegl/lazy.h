/* A buffer whose pixels are made when somebody reads them, as GIMP's projection is: by a graph of
 * its own. */
#pragma once

#include "scene.h"

/* Of the blur that scene tells, of picture. Both must outlive it. */
GeglBuffer *lazy_new (const Scene *scene, GeglBuffer *picture);
