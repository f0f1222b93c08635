#include "taken.h"

#include "take-over-switch.h"

static GQuark
get_quark (void)
{
  return g_quark_from_static_string ("cuda-blur-taken");
}

gboolean
taken_record (GeglOperationClass *class, const TakeOver *take_over, const OperationClass *ours)
{
  GType type = G_TYPE_FROM_CLASS (class);
  Taken *taken;

  if (g_type_get_qdata (type, get_quark ()))
    return FALSE;
  taken = g_new (Taken, 1);
  *taken = (Taken) { take_over, ours->filter->operation, G_TYPE_FROM_CLASS (ours), *class };
  if (g_type_is_a (type, GEGL_TYPE_OPERATION_META))
    taken->update = GEGL_OPERATION_META_CLASS (class)->update;
  g_type_set_qdata (type, get_quark (), taken);
  return TRUE;
}

const Taken *
taken_get (GeglOperation *operation)
{
  return taken_find (G_TYPE_FROM_INSTANCE (operation));
}

const Taken *
taken_find (GType type)
{
  return g_type_get_qdata (type, get_quark ());
}

const char *
taken_get_own_name (const TakeOverProperty *property)
{
  return property->name ? property->name : property->gegl_name;
}

gboolean
taken_is_wanted (GeglOperation *operation)
{
  gboolean wanted;

  return take_over_switch_read (taken_get (operation)->take_over->name, &wanted, NULL) && wanted;
}

gboolean
taken_is_part (const GeglOperation *operation)
{
  return gegl_node_get_parent (operation->node) != NULL;
}
