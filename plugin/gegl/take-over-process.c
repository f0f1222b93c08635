/* This file writes into classes that are GEGL's. So does take-over-graph.c, for an operation that
 * is a graph.
 *
 * What it touches: six function pointers of GeglOperationClass, named in take_over_process_replace
 * alone. Nothing else of GEGL's is written to, but for data under our quarks.
 *
 * Why that is safe: take_over_begin checks first that GEGL's structures have the sizes that this
 * code was compiled with, and that the operation has the functions and the properties that are used
 * here. It runs in a class_init, before a node can be made. taken.c keeps a copy of the class as it
 * was, and each function here calls GEGL's own of that copy, unless the operation has a pair that
 * fits. Each pointer is replaced in one atomic step, in any order, because only attach makes pairs.
 * The class has a reference that is never given back, and -z nodelete keeps this code, so the
 * pointers stay valid. All of this relies on no class deriving from one that is taken over: it
 * would inherit these functions, but have no record of its own (taken_get).
 *
 * What undoes it: the switch, for the nodes that are made after it is off; a node made before it
 * keeps its pair until it ends, which frees the pair. The pointers themselves stay for as long as
 * the process. */
#include "take-over-process.h"

#include "evaluate.h"
#include "rectangles.h"
#include "taken.h"

#include <string.h>

/* The data that is attached to an operation of GEGL's. */
typedef struct {
  GeglOperation *ours;
  gint fits; /* ours is set as theirs was when GEGL last prepared it; atomic */
} Pair;

static GQuark
get_quark (void)
{
  return g_quark_from_static_string ("cuda-blur-pair");
}

/* Returns NULL if the operation is GEGL's own. */
static Pair *
get_pair (GeglOperation *theirs)
{
  return g_object_get_qdata (G_OBJECT (theirs), get_quark ());
}

/* Returns our operation if it is to compute, or NULL. */
static GeglOperation *
get_ours (GeglOperation *theirs)
{
  Pair *pair = get_pair (theirs);

  return pair && g_atomic_int_get (&pair->fits) ? pair->ours : NULL;
}

static void
free_pair (gpointer data)
{
  Pair *pair = data;

  g_object_unref (pair->ours);
  g_free (pair);
}

static void
attach (GeglOperation *theirs)
{
  const Taken *taken = taken_get (theirs);
  gboolean floats = ! taken->take_over->has_same_samples && taken_is_part (theirs);
  Pair *pair;

  taken->theirs.attach (theirs);
  if (! taken_is_wanted (theirs))
    return;
  pair = g_new0 (Pair, 1);
  pair->ours = g_object_new (taken->type, "floats", floats, NULL);
  taken_set_theirs (pair->ours, theirs);
  g_object_set_qdata_full (G_OBJECT (theirs), get_quark (), pair, free_pair);
}

/* Sets ours as theirs. Returns FALSE if ours cannot compute that. */
static gboolean
set_ours (GeglOperation *ours, GeglOperation *theirs)
{
  const GeglRectangle *box = gegl_operation_source_get_bounding_box (theirs, "input");
  FxGeometry geometry;

  if (! box || gegl_rectangle_is_empty (box) || gegl_rectangle_is_infinite_plane (box) ||
      gegl_node_get_producer (theirs->node, "aux", NULL))
    return FALSE;
  geometry = rectangles_get_geometry (box);
  return taken_set_ours (ours, theirs, &geometry);
}

static void
prepare (GeglOperation *theirs)
{
  Pair *pair = get_pair (theirs);
  gboolean set;

  taken_get (theirs)->theirs.prepare (theirs);
  if (! pair)
    return;
  set = set_ours (pair->ours, theirs);
  evaluate_prepare (pair->ours);
  g_atomic_int_set (&pair->fits, set && taken_has_same_samples (pair->ours));
}

/* GEGL's own code may have to compute after all. */
static GeglRectangle
get_required_for_output (GeglOperation *theirs, const gchar *pad, const GeglRectangle *roi)
{
  GeglRectangle required = taken_get (theirs)->theirs.get_required_for_output (theirs, pad, roi);
  GeglOperation *ours = get_ours (theirs);

  if (ours && strcmp (pad, "input") == 0)
    {
      const GeglRectangle also = evaluate_get_required_for_output (ours, pad, roi);

      gegl_rectangle_bounding_box (&required, &required, &also);
    }
  return required;
}

/* Ours keeps the input on the GPU, so it must learn of each change. */
static GeglRectangle
get_invalidated_by_change (GeglOperation *theirs, const gchar *pad, const GeglRectangle *changed)
{
  const GeglOperationClass *class = &taken_get (theirs)->theirs;
  GeglRectangle invalid = class->get_invalidated_by_change (theirs, pad, changed);
  Pair *pair = get_pair (theirs);

  if (pair && strcmp (pad, "input") == 0)
    {
      const GeglRectangle also = evaluate_get_invalidated_by_change (pair->ours, pad, changed);

      gegl_rectangle_bounding_box (&invalid, &invalid, &also);
    }
  return invalid;
}

static GeglRectangle
get_cached_region (GeglOperation *theirs, const GeglRectangle *roi)
{
  const GeglOperationClass *class = &taken_get (theirs)->theirs;
  GeglOperation *ours = get_ours (theirs);

  if (ours)
    return evaluate_get_cached_region (ours, roi);
  return class->get_cached_region ? class->get_cached_region (theirs, roi) : *roi;
}

static gboolean
process (GeglOperation *theirs, GeglOperationContext *context, const gchar *pad,
         const GeglRectangle *roi, gint level)
{
  GeglOperation *ours = get_ours (theirs);

  if (ours)
    {
      g_autoptr (GObject) input = gegl_operation_context_dup_object (context, "input");
      GeglBuffer *output = gegl_operation_context_get_target (context, pad);

      if (evaluate_process (ours, (GeglBuffer *) input, NULL, output, roi, level))
        return TRUE;
    }
  return taken_get (theirs)->theirs.process (theirs, context, pad, roi, level);
}

void
take_over_process_replace (GeglOperationClass *class)
{
  /* Each one hands on to GEGL's own until an operation is attached by ours. */
  g_atomic_pointer_set ((gpointer *) &class->prepare, (gpointer) prepare);
  g_atomic_pointer_set ((gpointer *) &class->get_required_for_output,
                        (gpointer) get_required_for_output);
  g_atomic_pointer_set ((gpointer *) &class->get_invalidated_by_change,
                        (gpointer) get_invalidated_by_change);
  g_atomic_pointer_set ((gpointer *) &class->get_cached_region, (gpointer) get_cached_region);
  g_atomic_pointer_set ((gpointer *) &class->process, (gpointer) process);
  g_atomic_pointer_set ((gpointer *) &class->attach, (gpointer) attach);
}
