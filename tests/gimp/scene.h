/* An image around a subject, for the canvas: layers below and above it, and what can be seen. */
#pragma once

#include "subject.h"

/* The subject is a layer of 290 x 250 in a group, with an offset, a mode, an opacity and a mask,
 * and linked, over one layer and under another. */
Subject scene_new (GimpPrecision precision, GimpImageType type, GRand *rand);

/* Returns the visible image; free it with raster_free. */
Raster *scene_see (gint32 image);

/* All of it but the unsaved changes: each layer with its properties and checksums of its pixels and
 * of its mask, what is active, and whether undo is enabled; g_free it. */
char *scene_describe (gint32 image);

/* The layer of the image's that the canvas shows, by its name, or -1. */
gint32 scene_find_shown (gint32 image);

/* A copy of the image, and the layer in it that is called as that of subject. */
Subject scene_copy (Subject subject);
