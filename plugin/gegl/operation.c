#include "operation.h"

#include "evaluate.h"
#include "instance.h"
#include "properties.h"
#include "take-over.h"
#include "translations.h"
#include "values.h"

#include <glib/gi18n-lib.h>
#include <string.h>

G_STATIC_ASSERT (sizeof (GeglOperationComposer) == sizeof (GeglOperationFilter));
G_STATIC_ASSERT (sizeof (GeglOperationComposerClass) == sizeof (GeglOperationFilterClass));

static void
init (GTypeInstance *instance, gpointer class)
{
  Operation *operation = (Operation *) instance;

  g_mutex_init (&operation->lock);
  operation->settings = filter_settings_new (((OperationClass *) class)->filter);
  operation->bits = G_MAXUINT;
  operation->clip = TRUE;
  instance_invalidate (operation);
}

/* No class derives from one of these. */
static void
finalize (GObject *object)
{
  Operation *operation = (Operation *) object;
  GObjectClass *parent_class = g_type_class_peek_parent (G_OBJECT_GET_CLASS (object));

  g_clear_pointer (&operation->plan, fx_plan_free);
  filter_settings_free (operation->settings);
  g_free (operation->text);
  g_free (operation->reported);
  g_clear_error (&operation->unreadable);
  g_clear_error (&operation->problem);
  source_clear (&operation->source);
  map_clear (&operation->map);
  g_mutex_clear (&operation->lock);
  parent_class->finalize (object);
}

static gboolean
process (GeglOperation *base, GeglBuffer *input, GeglBuffer *output, const GeglRectangle *result,
         gint level)
{
  return evaluate_process (base, input, NULL, output, result, level);
}

static void
set_keys (GeglOperationClass *class, const FilterDescription *filter)
{
  g_autofree char *category = g_ascii_strdown (strrchr (filter->menu_path, '/') + 1, -1);

  gegl_operation_class_set_keys (class, "name", filter->operation, "title", _ (filter->title),
                                 "categories", category, "description", _ (filter->blurb),
                                 "gimp:menu-path", filter->menu_path, "gimp:menu-label",
                                 _ (filter->menu_label), NULL);
}

static void
init_class (gpointer class, gpointer data)
{
  const FilterDescription *filter = data;
  GObjectClass *object_class = class;
  GeglOperationClass *operation_class = class;

  ((OperationClass *) class)->filter = filter;
  object_class->set_property = values_set_property;
  object_class->get_property = values_get_property;
  object_class->finalize = finalize;
  operation_class->prepare = evaluate_prepare;
  operation_class->get_bounding_box = evaluate_get_bounding_box;
  operation_class->get_required_for_output = evaluate_get_required_for_output;
  operation_class->get_invalidated_by_change = evaluate_get_invalidated_by_change;
  operation_class->get_cached_region = evaluate_get_cached_region;
  operation_class->threaded = FALSE; /* the engine has its own threads */
  if (filter->map.label)
    ((GeglOperationComposerClass *) class)->process = evaluate_process;
  else
    ((GeglOperationFilterClass *) class)->process = process;
  properties_install (object_class, filter);
  set_keys (operation_class, filter);
  take_over_begin (class);
}

void
operation_register (GTypeModule *module, const FilterDescription *filter)
{
  const GTypeInfo info = {
    .class_size = sizeof (OperationClass),
    .class_init = init_class,
    .class_data = filter,
    .instance_size = sizeof (Operation),
    .instance_init = init,
  };
  g_autofree char *name = instance_get_type_name (filter);

  fx_translations_bind ();
  properties_register (module, filter);
  g_type_module_register_type (module,
                               filter->map.label ? GEGL_TYPE_OPERATION_COMPOSER
                                                 : GEGL_TYPE_OPERATION_FILTER,
                               name, &info, 0);
}
