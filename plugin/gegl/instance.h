/* The instance of an operation, which the files of this folder share. */
#pragma once

#include "filter.h"
#include "map.h"
#include "pixels.h"
#include "source.h"

#include <gegl-plugin.h>

/* The class of an operation. That of a filter with a map is a composer's, which has the same
 * layout. */
typedef struct {
  GeglOperationFilterClass parent;
  const FilterDescription *filter;
} OperationClass;

typedef struct {
  GeglOperationFilter parent;
  GeglOperation *theirs;     /* the operation in whose place this one computes, or NULL; set once */
  const TakeOver *take_over; /* its settings are GEGL's, as there, or NULL; set once */

  /* Set on the thread that owns the graph, and read on the thread that processes. */
  GMutex lock; /* protects the fields below */
  FilterSettings *settings;
  char *text;           /* of the matrix, as it was set; NULL: not set, or too long for memory */
  GError *unreadable;   /* the reason why text is not the settings' matrix, or NULL */
  GError *problem;      /* the reason why the plan is not the settings', or NULL */
  gboolean shown;       /* a problem was shown: only once, because a text may be incomplete */
  char *reported;       /* the property "problem" as it was last reported, or NULL */
  GParamSpec *replaced; /* a property whose number was replaced last, or NULL */
  guint sum;            /* the property that is a sum of bits; 0: its switches count */
  guint bits;           /* the switches; if none is on, no pixel changes */
  gboolean clip;        /* the result is no larger than the input */
  gboolean floats;      /* the result is in floats */
  PixelsWanted wanted;  /* the request when the operation was last prepared */
  Pixels pixels;        /* the format for that; babl is NULL before */
  FxPlan *plan;         /* made from settings, pixels and box; NULL: to be made */
  GeglRectangle box;    /* the input's */
  FxGeometry geometry;  /* the same for plans */
  GeglRectangle stale;  /* the part of the result not computed since it changed */
  Source source;
  Map map;          /* of a filter that has one */
  int map_place[2]; /* how far it lies from its place in the graph: x and y */
} Operation;

/* Returns the name of the class, CudaName for cuda:name; free it. It also begins the names of the
 * class's enums. */
char *instance_get_type_name (const FilterDescription *filter);

const FilterDescription *instance_get_filter (gpointer operation);

/* Marks the whole result as stale. Call this under the lock. */
void instance_invalidate (Operation *operation);
