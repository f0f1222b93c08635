/* A buffer whose pixels another graph computes when they are read, as in GIMP's projection. */
#pragma once

#include "scene.h"

/* Creates the buffer of picture blurred as scene says. Both must outlive it. */
GeglBuffer *lazy_new (const Scene *scene, GeglBuffer *picture);
