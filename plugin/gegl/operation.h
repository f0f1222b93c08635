/* A filter as an operation in GEGL's graph: a class that is made from the filter's description.
 *
 * An operation lives in another's process, GIMP's: it never fails, never ends that process, and
 * leaves nothing running there but what engines.h says. */
#ifndef OPERATION_H
#define OPERATION_H

#include "filter.h"

#include <gegl-plugin.h>

G_BEGIN_DECLS

/* What GEGL says otherwise than the description. */
typedef struct {
  const char *property; /* the description's name */
  const char *name;     /* the operation's */
  const int *values;    /* of a choice, each one's number in the operation; NULL: its index */
  double usual_minimum, usual_maximum, gamma; /* of a slider for a number; 0: its range */
  const char *unit, *axis;                    /* for GIMP's dialog, or NULL */
} OperationProperty;

typedef struct {
  const Filter *filter;
  const char *name;                    /* "cuda:..." */
  const char *type_name;               /* of the GObject class, and the start of its enums' */
  const char *categories;              /* GEGL's */
  const OperationProperty *properties; /* end with a property of NULL */

  /* By how many pixels the result is larger than the input on each side where it is not clipped to
   * that. */
  void (*get_growth) (const FilterSettings *settings, int *x, int *y);

  /* Links input and output by what GEGL itself has for these settings: what is to be done where
   * nothing of ours can. clip: the result is no larger than the input. */
  void (*link) (const FilterSettings *settings, gboolean clip, GeglNode *graph, GeglNode *input,
                GeglNode *output);

  /* What is done besides when the class is made, or NULL. GEGL has its lock then, knows every
   * operation, and has made no node yet that could be this one. */
  void (*begin) (void);
} OperationDescription;

/* Makes the class known to GEGL. description must stay. */
void operation_register (GTypeModule *module, const OperationDescription *description);

G_END_DECLS

#endif
