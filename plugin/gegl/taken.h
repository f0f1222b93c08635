/* GEGL's classes that are taken over, and our operations that compute for theirs. */
#pragma once

#include "instance.h"

typedef struct {
  const TakeOver *take_over;
  const char *operation;                     /* of the filter */
  GType type;                                /* of that operation */
  GeglOperationClass theirs;                 /* the class as it was */
  void (*update) (GeglOperation *operation); /* the same of a graph's class; may be NULL */
} Taken;

/* Records that ours takes the class over, before its functions are replaced. Does nothing and
 * returns FALSE if it is taken over already, by this copy of the module or by another one. The
 * record stays as long as the process. */
gboolean taken_record (GeglOperationClass *class, const TakeOver *take_over,
                       const OperationClass *ours);

/* Return the record of a class that is taken over: of the operation's, and of that type. */
const Taken *taken_get (GeglOperation *operation);
const Taken *taken_find (GType type);

/* Returns the name of the filter's property. */
const char *taken_get_own_name (const TakeOverProperty *property);

/* Converts settings that are GEGL's, for an input at geometry. */
void taken_convert (const TakeOver *take_over, const FxGeometry *geometry,
                    FilterSettings *settings);

/* Returns whether the user wants a new operation, whose class must be taken over, to be ours. */
gboolean taken_is_wanted (GeglOperation *operation);

/* Returns whether the operation is part of a graph, whose result is computed with, as in unsharp
 * mask, and must not be rounded to the format of a layer. GIMP makes the node of a filter alone. */
gboolean taken_is_part (const GeglOperation *operation);

/* Sets the properties of ours as those of theirs: converted for an input at geometry, or as they
 * are if that is NULL. Returns FALSE if one is out of range. */
gboolean taken_set_ours (GeglOperation *ours, GeglOperation *theirs, const FxGeometry *geometry);

/* Has the operation compute in the place of theirs, at its node, which outlives it, with the
 * settings that it fixes. The result then has the bounding box of theirs, and an alpha if it has
 * one; the pads keep the formats that theirs sets. Call this before those of evaluate.h. */
void taken_set_theirs (GeglOperation *operation, GeglOperation *theirs);

/* Has the operation, which is part of a graph of GEGL's, take its settings for those of GEGL's
 * operation, and convert them. Call this before those of evaluate.h. */
void taken_set_take_over (GeglOperation *operation, const TakeOver *take_over);

/* Returns whether an operation in the place of another one, which was prepared, gives the samples
 * that it gives (has_same_samples of TakeOver). */
gboolean taken_has_same_samples (GeglOperation *operation);

/* Returns whether the result within the input is another one than beyond it (keeps_edges of
 * TakeOver). */
gboolean taken_keeps_edges (const Operation *operation);
