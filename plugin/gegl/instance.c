#include "instance.h"

const OperationDescription *
instance_get_description (gpointer operation)
{
  return ((OperationClass *) G_OBJECT_GET_CLASS (operation))->description;
}

void
instance_invalidate (Operation *operation)
{
  g_clear_pointer (&operation->plan, fx_plan_free);
  operation->stale = gegl_rectangle_infinite_plane ();
}
