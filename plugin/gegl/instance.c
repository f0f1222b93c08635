#include "instance.h"

char *
instance_get_type_name (const FilterDescription *filter)
{
  GString *name = g_string_new (NULL);

  for (const char *c = filter->operation; *c; c++)
    if (c == filter->operation || ! g_ascii_isalnum (c[-1]))
      g_string_append_c (name, g_ascii_toupper (*c));
    else if (g_ascii_isalnum (*c))
      g_string_append_c (name, *c);
  return g_string_free (name, FALSE);
}

const FilterDescription *
instance_get_filter (gpointer operation)
{
  return ((OperationClass *) G_OBJECT_GET_CLASS (operation))->filter;
}

void
instance_invalidate (Operation *operation)
{
  g_clear_pointer (&operation->plan, fx_plan_free);
  operation->stale = gegl_rectangle_infinite_plane ();
}
