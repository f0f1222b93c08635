#include "taken.h"

#include "take-over-switch.h"

static GQuark
get_quark (void)
{
  return g_quark_from_static_string ("cuda-blur-taken");
}

gboolean
taken_record (GeglOperationClass *class, const TakenOperation *operation,
              const OperationDescription *ours)
{
  GType type = G_TYPE_FROM_CLASS (class);
  Taken *taken;

  if (g_type_get_qdata (type, get_quark ()))
    return FALSE;
  taken = g_new (Taken, 1);
  *taken = (Taken) { operation, ours, *class };
  g_type_set_qdata (type, get_quark (), taken);
  return TRUE;
}

const Taken *
taken_get (GeglOperation *operation)
{
  return g_type_get_qdata (G_TYPE_FROM_INSTANCE (operation), get_quark ());
}

gboolean
taken_is_wanted (GeglOperation *operation)
{
  gboolean wanted;

  return take_over_switch_read (taken_get (operation)->operation->name, &wanted, NULL) && wanted;
}

gboolean
taken_is_part (const GeglOperation *operation)
{
  return gegl_node_get_parent (operation->node) != NULL;
}
