/* What GEGL's graph needs to know of a filter beyond the filter's description. */
#pragma once

#include "filters.h"

#include <gegl-plugin.h>

/* Differences between a property of the filter and that of the operation. */
typedef struct {
  const char *property; /* the name in the filter's description */
  const int *values;    /* the operation's numbers of the choices; NULL: their indices */
  double usual_minimum, usual_maximum, gamma; /* of a slider; 0: the default */
  const char *unit, *axis, *direction;        /* for GIMP's dialog; may be NULL */
  const char *label; /* for GIMP's dialog, translated; NULL: that of the filter */
} OperationProperty;

/* A property of one of GEGL's operations that ours has, too. */
typedef struct {
  const char *theirs, *ours; /* the names */
  GType type;                /* which theirs must have; a double unless theirs is a graph */

  /* Those that an enum must have, in order; ends with NULL. */
  const char *const *choices;

  /* Returns our value for theirs, with an input in box. NULL: the same, as always in a graph. */
  double (*convert) (double value, const GeglRectangle *box);
} TakenProperty;

/* A choice or a switch of ours that stays as it is. */
typedef struct {
  const char *name;
  int value;
} TakenSetting;

/* One of GEGL's operations whose place ours can take (take-over.h). */
typedef struct {
  const char *name;                /* with "gegl:" */
  const TakenProperty *properties; /* ends with a NULL property; ours ignores others */
  const TakenSetting *settings;    /* ends with a NULL name; NULL: none, as always in a graph */

  /* Makes the plan, without memory as the filter does. NULL: the filter's own function does, as
   * always in a graph. */
  FxPlan *(*make_plan) (const FilterSettings *settings, const FxFormat *format);

  /* Theirs leaves out what lies beyond the input, instead of taking it for transparent: an opaque
   * input is opaque afterwards. Within the input, ours takes the nearest pixels for that. */
  gboolean keeps_edges;
} TakenOperation;

/* The numbers of FxAbyss in GEGL's GeglGaussianBlurPolicy, for OperationProperty. */
extern const int operation_abysses[];

typedef struct {
  const FilterDescription *filter;
  const char *type_name;               /* of the class; also begins the names of its enums */
  const char *categories;              /* GEGL's categories */
  const OperationProperty *properties; /* ends with a NULL property */

  /* Like the filter's own function, which it replaces: sets x and y to the pixels by which the
   * result is larger than the input on each side, if it is not clipped. NULL: it does not. */
  void (*get_growth) (const FilterSettings *settings, const FxGeometry *geometry, int *x, int *y);

  const TakenOperation *taken; /* ends with a NULL name; may be NULL */
} OperationDescription;

/* The operation of each filter. */
#define OPERATION_DECLARE(name) extern const OperationDescription name##_operation;
FILTER_LIST (OPERATION_DECLARE)
#undef OPERATION_DECLARE
