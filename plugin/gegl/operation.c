#include "operation.h"

#include "error.h"
#include "matrix-text.h"
#include "message.h"
#include "properties.h"
#include "rectangles.h"
#include "run.h"
#include "source.h"
#include "translations.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The class of an operation. */
typedef struct {
  GeglOperationFilterClass parent;
  const OperationDescription *description;
} OperationClass;

typedef struct {
  GeglOperationFilter parent;

  /* Set on the thread that owns the graph, and read on the thread that processes. */
  GMutex lock; /* protects the fields below */
  FilterSettings *settings;
  char *text;           /* of the matrix, as it was set; NULL: not set, or too long for memory */
  GError *unreadable;   /* the reason why text is not the settings' matrix, or NULL */
  GError *problem;      /* the reason why the plan is not the settings', or NULL */
  gboolean shown;       /* a problem was shown: only once, because a text may be incomplete */
  char *told;           /* the property "problem" as it was told last, or NULL */
  GParamSpec *replaced; /* a property whose number was replaced last, or NULL */
  guint sum;            /* the property that is a sum of bits; 0: its switches count */
  guint bits;           /* the switches; if none is on, no pixel changes */
  gboolean clip;        /* the result is no larger than the input */
  gboolean floats;      /* the result is in floats */
  PixelsWanted wanted;  /* the request when the operation was last prepared */
  Pixels pixels;        /* the pads' format for that; babl is NULL before */
  FxPlan *plan;         /* made from settings, pixels and box; NULL: to be made */
  GeglRectangle box;    /* the input's */
  FxGeometry geometry;  /* the same for plans */
  GeglRectangle stale;  /* the part of the result not computed since it changed */
  Source source;
} Operation;

static GObjectClass *parent_class;

static const OperationDescription *
get_description (gpointer operation)
{
  return ((OperationClass *) G_OBJECT_GET_CLASS (operation))->description;
}

/* Properties. */

/* Marks the whole result as stale. Call this under the lock. */
static void
operation_invalidate (Operation *operation)
{
  g_clear_pointer (&operation->plan, fx_plan_free);
  operation->stale = gegl_rectangle_infinite_plane ();
}

/* Returns a copy of text, or NULL if text is NULL or memory runs out. */
static char *
copy_text (const char *text)
{
  gsize size = text ? strlen (text) + 1 : 0;
  char *copy = text ? g_try_malloc (size) : NULL;

  return copy ? memcpy (copy, text, size) : NULL;
}

/* Call this under the lock. */
static void
operation_set_matrix (Operation *operation, guint index, const char *text)
{
  const FilterProperty *property = &get_description (operation)->filter->properties[index];
  g_autoptr (FilterMatrix) matrix = NULL;

  g_free (operation->text);
  operation->text = copy_text (text ? text : "");
  g_clear_error (&operation->unreadable);
  if (operation->text)
    matrix = matrix_text_parse (operation->text, -1, (int) property->maximum,
                                &operation->unreadable);
  else
    fx_set_no_memory (&operation->unreadable);
  if (matrix)
    filter_settings_set_matrix (operation->settings, index, matrix);
}

/* Returns the bits that are on, by the sum or else by the switches. Call this under the lock. */
static guint
get_bits (const Operation *operation)
{
  return operation->sum ? operation->sum : operation->bits;
}

/* All switches together are automatic, which the sum is if it is 0. Call this under the lock. */
static void
take_bits (Operation *operation, guint index)
{
  guint all = (guint) get_description (operation)->filter->properties[index].maximum;

  filter_settings_set (operation->settings, index,
                       ! operation->sum && operation->bits == all ? 0 : get_bits (operation));
}

/* Call this under the lock. */
static void
set_bit (Operation *operation, const Property *property, gboolean on)
{
  guint all = (guint) get_description (operation)->filter->properties[property->index].maximum;
  guint bit = 1u << property->bit, bits = get_bits (operation) & all;

  operation->bits = on ? bits | bit : bits & ~bit;
  operation->sum = 0;
  take_bits (operation, property->index);
}

/* Call this under the lock. Returns whether the value was replaced. */
static gboolean
set_setting (Operation *operation, guint index, const GValue *value)
{
  const OperationDescription *description = get_description (operation);

  if (! description->filter->properties[index].bits)
    return properties_set (description, operation->settings, index, value);
  operation->sum = (guint) g_value_get_int (value);
  take_bits (operation, index);
  return FALSE;
}

/* Call this under the lock. */
static void
get_setting (const Operation *operation, guint index, GValue *value)
{
  const OperationDescription *description = get_description ((gpointer) operation);

  if (description->filter->properties[index].bits)
    g_value_set_int (value, (int) operation->sum);
  else
    properties_get (description, operation->settings, index, value);
}

/* Call this under the lock. Returns whether the value was replaced. */
static gboolean
operation_set (Operation *operation, const Property *property, const GValue *value)
{
  switch (property->kind)
    {
    case PROPERTY_SETTING:
      return set_setting (operation, property->index, value);
    case PROPERTY_MATRIX:
      operation_set_matrix (operation, property->index, g_value_get_string (value));
      break;
    case PROPERTY_BIT:
      set_bit (operation, property, g_value_get_boolean (value));
      break;
    case PROPERTY_CLIP_EXTENT:
      operation->clip = g_value_get_boolean (value);
      break;
    case PROPERTY_FLOATS:
      operation->floats = g_value_get_boolean (value);
      break;
    case PROPERTY_PROBLEM:
    case PROPERTY_INVALID:
      break;
    }
  return FALSE;
}

/* Returns FALSE with what is wrong with the settings. Call this under the lock. */
static gboolean
operation_check (const Operation *operation, GError **error)
{
  if (! operation->unreadable)
    return filter_settings_check (operation->settings, error);
  if (error)
    *error = g_error_copy (operation->unreadable);
  return FALSE;
}

/* Tells GIMP's dialog what is wrong. */
static void
tell_problem (Operation *operation)
{
  g_autoptr (GError) error = NULL;
  const char *problem;
  gboolean changed;

  g_mutex_lock (&operation->lock);
  operation_check (operation, &error);
  problem = error ? error->message : "";
  changed = g_strcmp0 (problem, operation->told) != 0;
  if (changed)
    {
      g_free (operation->told);
      operation->told = g_strdup (problem);
    }
  g_mutex_unlock (&operation->lock);
  if (! changed)
    return;
  g_object_notify (G_OBJECT (operation), "problem");
  g_object_notify (G_OBJECT (operation), "invalid");
}

/* Tells GIMP's dialog what other properties have become when this one was set. */
static void
tell (Operation *operation, const Property *property)
{
  const FilterProperty *of = &get_description (operation)->filter->properties[property->index];
  guint i;

  if (property->kind == PROPERTY_BIT)
    g_object_notify (G_OBJECT (operation), of->name);
  for (i = 0; property->kind == PROPERTY_SETTING && of->bits && of->bits[i].name; i++)
    g_object_notify (G_OBJECT (operation), of->bits[i].name);
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (operation), "problem"))
    tell_problem (operation);
}

/* Tells GIMP's dialog which number has replaced the one that it set. */
static gboolean
tell_replaced (Operation *operation)
{
  g_object_notify_by_pspec (G_OBJECT (operation), operation->replaced);
  return G_SOURCE_REMOVE;
}

/* While GIMP sets a property, it does not listen to it. */
static void
tell_later (Operation *operation, GParamSpec *replaced)
{
  GSource *source = g_idle_source_new ();

  operation->replaced = replaced;
  g_source_set_closure (source, g_cclosure_new_object_swap (G_CALLBACK (tell_replaced),
                                                            G_OBJECT (operation)));
  g_source_attach (source, NULL);
  g_source_unref (source);
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  const Property property = properties_find (get_description (object), id);
  Operation *operation = (Operation *) object;
  gboolean replaced;

  if (property.kind == PROPERTY_PROBLEM || property.kind == PROPERTY_INVALID)
    return; /* these are read alone; GIMP sets all that it shows */
  g_mutex_lock (&operation->lock);
  replaced = operation_set (operation, &property, value);
  operation_invalidate (operation);
  g_mutex_unlock (&operation->lock);
  tell (operation, &property);
  if (replaced)
    tell_later (operation, spec);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  const Property property = properties_find (get_description (object), id);
  Operation *operation = (Operation *) object;

  g_mutex_lock (&operation->lock);
  switch (property.kind)
    {
    case PROPERTY_SETTING:
      get_setting (operation, property.index, value);
      break;
    case PROPERTY_MATRIX:
      g_value_take_string (value, copy_text (operation->text));
      break;
    case PROPERTY_PROBLEM:
      g_value_set_string (value, operation->told);
      break;
    case PROPERTY_INVALID:
      g_value_set_boolean (value, operation->told && *operation->told);
      break;
    case PROPERTY_BIT:
      g_value_set_boolean (value, (get_bits (operation) >> property.bit & 1) != 0);
      break;
    case PROPERTY_CLIP_EXTENT:
      g_value_set_boolean (value, operation->clip);
      break;
    case PROPERTY_FLOATS:
      g_value_set_boolean (value, operation->floats);
      break;
    }
  g_mutex_unlock (&operation->lock);
}

/* Rectangles. */

/* Returns the input's bounding box, which is empty if there is no input. */
static GeglRectangle
get_input_box (GeglOperation *base)
{
  const GeglRectangle *box = gegl_operation_source_get_bounding_box (base, "input");

  return box ? *box : (GeglRectangle) { 0, 0, 0, 0 };
}

/* Sets x and y to the pixels by which the result is larger than an input with that box on each
 * side, and returns whether it is. Call this under the lock. */
static gboolean
operation_get_growth (Operation *operation, const GeglRectangle *box, int *x, int *y)
{
  const FxGeometry geometry = rectangles_get_geometry (box);

  *x = *y = 0;
  if (! operation->clip)
    get_description (operation)->get_growth (operation->settings, &geometry, x, y);
  return *x > 0 || *y > 0;
}

/* Returns the place of the whole result of an input with that box. Call this under the lock. */
static GeglRectangle
operation_get_frame (Operation *operation, const GeglRectangle *box)
{
  int x, y;

  if (gegl_rectangle_is_empty (box) || gegl_rectangle_is_infinite_plane (box))
    return *box;
  operation_get_growth (operation, box, &x, &y);
  return rectangles_enlarge (box, x, x, y, y);
}

static GeglRectangle
get_bounding_box (GeglOperation *base)
{
  Operation *operation = (Operation *) base;
  GeglRectangle box = get_input_box (base), frame;

  g_mutex_lock (&operation->lock);
  frame = operation_get_frame (operation, &box);
  g_mutex_unlock (&operation->lock);
  return frame;
}

/* Returns a copy of the settings as the result needs them; free it. Call this under the lock. */
static FilterSettings *
operation_copy_settings (Operation *operation)
{
  FilterSettings *settings = filter_settings_copy (operation->settings);
  int x, y;

  if (operation_get_growth (operation, &operation->box, &x, &y))
    filter_settings_set_grown (settings);
  return settings;
}

/* Makes the plan. Invalid settings leave the input as it is. Call this under the lock. */
static FxPlan *
operation_make_plan (Operation *operation)
{
  const FilterDescription *filter = get_description (operation)->filter;
  const FxFormat *format = &operation->pixels.format;
  g_autoptr (FilterSettings) settings = operation_copy_settings (operation);

  g_clear_error (&operation->problem);
  if (operation_check (operation, &operation->problem) && get_bits (operation) != 0)
    return filter->make_plan (settings, format, &operation->geometry, FALSE);
  return fx_plan_new_identity (format);
}

/* Sets the input's box. If the plan depends on the place, it was for another one. Call this under
 * the lock. */
static void
set_box (Operation *operation, const GeglRectangle *box)
{
  if (operation->plan && operation->plan->reach.find_source &&
      ! gegl_rectangle_equal (&operation->box, box))
    operation_invalidate (operation);
  operation->box = *box;
  operation->geometry = rectangles_get_geometry (box);
}

/* Returns the settings' plan for an input with that box, or NULL before the operation is prepared.
 * Makes the plan when it is first needed: GIMP sets properties one by one, and prepares a graph
 * some ten times before processing it. Call this under the lock. */
static FxPlan *
peek_plan (Operation *operation, const GeglRectangle *box)
{
  set_box (operation, box);
  if (! operation->plan && operation->pixels.babl)
    operation->plan = operation_make_plan (operation);
  return operation->plan;
}

/* Like peek_plan, but takes the lock and returns a reference; free it. */
static FxPlan *
operation_get_plan (Operation *operation, const GeglRectangle *box)
{
  FxPlan *plan;

  g_mutex_lock (&operation->lock);
  plan = peek_plan (operation, box);
  if (plan)
    fx_plan_ref (plan);
  g_mutex_unlock (&operation->lock);
  return plan;
}

/* Returns the part of rect within box, or the nearest pixels of box if there is none. */
static GeglRectangle
move_into (const GeglRectangle *rect, const GeglRectangle *box)
{
  gint64 box_x1 = (gint64) box->x + box->width, box_y1 = (gint64) box->y + box->height;
  gint64 x0 = CLAMP (rect->x, box->x, box_x1 - 1), y0 = CLAMP (rect->y, box->y, box_y1 - 1);

  return rectangles_between (x0, y0, CLAMP ((gint64) rect->x + rect->width, x0 + 1, box_x1),
                             CLAMP ((gint64) rect->y + rect->height, y0 + 1, box_y1));
}

static GeglRectangle
get_required_for_output (GeglOperation *base, const gchar *pad, const GeglRectangle *roi)
{
  GeglRectangle box = get_input_box (base), required;
  g_autoptr (FxPlan) plan = operation_get_plan ((Operation *) base, &box);

  if (! plan || gegl_rectangle_is_empty (roi) || gegl_rectangle_is_empty (&box))
    return box;
  required = rectangles_get_source (roi, &plan->reach);
  return gegl_rectangle_is_infinite_plane (&box) ? required : move_into (&required, &box);
}

static GeglRectangle
get_invalidated_by_change (GeglOperation *base, const gchar *pad, const GeglRectangle *changed)
{
  Operation *operation = (Operation *) base;
  GeglRectangle stale = gegl_rectangle_infinite_plane ();

  g_mutex_lock (&operation->lock);
  if (operation->plan && ! operation->plan->reach.find_source &&
      ! gegl_rectangle_is_infinite_plane (changed))
    {
      const FxReach *reach = &operation->plan->reach;

      stale = rectangles_enlarge (changed, reach->right, reach->left, reach->below, reach->above);
    }
  gegl_rectangle_bounding_box (&operation->stale, &operation->stale, &stale);
  source_change (&operation->source, changed);
  g_mutex_unlock (&operation->lock);
  return stale;
}

/* Returns the region to compute together with roi. This is the whole stale part, because a call for
 * each tile costs more than the work, but no more than takes a second, so that GIMP can handle
 * Cancel in between. */
static GeglRectangle
get_cached_region (GeglOperation *base, const GeglRectangle *roi)
{
  Operation *operation = (Operation *) base;
  GeglRectangle input = get_input_box (base), box = get_bounding_box (base), region = *roi;
  g_autoptr (FxPlan) plan = operation_get_plan (operation, &input);

  if (! plan || gegl_rectangle_is_empty (roi) || gegl_rectangle_is_infinite_plane (&box))
    return *roi;
  g_mutex_lock (&operation->lock);
  if (! gegl_rectangle_intersect (&region, &operation->stale, &box))
    region = box; /* the result that was computed is lost */
  g_mutex_unlock (&operation->lock);
  gegl_rectangle_bounding_box (&region, &region, roi);
  return run_cut (plan, &region, roi);
}

/* Processing. */

/* Returns a message to show before the work begins, or NULL; free it. Call this under the lock. */
static char *
take_problem (Operation *operation)
{
  if (! operation->problem || operation->shown)
    return NULL;
  operation->shown = TRUE;
  return g_strdup_printf (_ ("%s: the pixels stay as they are"), operation->problem->message);
}

/* Returns whether the settings ask for perceptual light. */
static gboolean
is_perceptual (const Operation *operation)
{
  const FilterDescription *filter = filter_settings_get_filter (operation->settings);
  guint i;

  for (i = 0; i < filter->n_properties; i++)
    if (filter->properties[i].role == FILTER_ROLE_LIGHT)
      return filter_settings_get (operation->settings, i) == FX_LIGHT_PERCEPTUAL;
  return FALSE;
}

static void
operation_prepare (GeglOperation *base)
{
  Operation *operation = (Operation *) base;
  PixelsWanted *last = &operation->wanted, wanted = { 0 };
  const GeglRectangle box = get_input_box (base);
  const Babl *babl;
  int x, y;

  wanted.source = gegl_operation_get_source_format (base, "input");
  g_mutex_lock (&operation->lock);
  wanted.floats = operation->floats;
  wanted.perceptual = is_perceptual (operation);
  /* As a part of GEGL's graphs it has the format of GEGL's own blur: beyond is black. */
  wanted.alpha = operation_get_growth (operation, &box, &x, &y) && ! operation->floats;
  if (! operation->pixels.babl || wanted.source != last->source || wanted.floats != last->floats ||
      wanted.perceptual != last->perceptual || wanted.alpha != last->alpha)
    {
      pixels_init (&operation->pixels, &wanted);
      operation_invalidate (operation);
    }
  *last = wanted;
  babl = operation->pixels.babl;
  g_mutex_unlock (&operation->lock);
  gegl_operation_set_format (base, "input", babl);
  gegl_operation_set_format (base, "output", babl);
}

/* Begins a run, whose first fields are set. The input and the settings may have changed since GEGL
 * asked for the result: all of run is of this moment, and the result is the part of it that is
 * still there. Returns FALSE if none is. Clear run with end_run. */
static gboolean
begin_run (Operation *operation, Run *run, char **problem)
{
  const GeglRectangle box = get_input_box (run->operation);
  gboolean there;

  g_mutex_lock (&operation->lock);
  run->frame = operation_get_frame (operation, &box);
  there = run->input && gegl_rectangle_intersect (&run->result, &run->result, &run->frame);
  if (there)
    {
      run->plan = fx_plan_ref (peek_plan (operation, &box));
      run->settings = operation_copy_settings (operation);
      run->pixels = operation->pixels;
      run->clip = operation->clip;
      *problem = take_problem (operation);
      if (run->level == 0)
        run->resident = source_lend (&operation->source, run->input, &run->frame, run->pixels.babl);
    }
  g_mutex_unlock (&operation->lock);
  return there;
}

static void
end_run (Operation *operation, Run *run)
{
  g_mutex_lock (&operation->lock);
  source_take_back (&operation->source, run->resident, run->result.y);
  if (run->level == 0 && run->plan == operation->plan)
    {
      gegl_rectangle_intersect (&operation->stale, &operation->stale, &run->frame);
      gegl_rectangle_subtract_bounding_box (&operation->stale, &operation->stale, &run->result);
    }
  if (run->plan->missing && run->plan == operation->plan)
    g_clear_pointer (&operation->plan, fx_plan_free); /* there may be memory for the next call */
  g_mutex_unlock (&operation->lock);
  fx_plan_free (run->plan);
  filter_settings_free (run->settings);
}

/* Never returns FALSE: GEGL would still use the contents of output as the result. */
static gboolean
process (GeglOperation *base, GeglBuffer *input, GeglBuffer *output, const GeglRectangle *result,
         gint level)
{
  Operation *operation = (Operation *) base;
  Run run = { .operation = base,
              .description = get_description (base),
              .input = input,
              .output = output,
              .result = *result,
              .level = level };
  g_autofree char *problem = NULL;
  gboolean there = begin_run (operation, &run, &problem);

  if (! there || ! gegl_rectangle_equal (&run.result, result))
    gegl_buffer_clear (output, result);
  if (! there)
    return TRUE;
  if (problem)
    message_show_once (problem);
  run_process (&run);
  end_run (operation, &run);
  return TRUE;
}

/* The class. */

static void
init (GTypeInstance *instance, gpointer class)
{
  Operation *operation = (Operation *) instance;

  g_mutex_init (&operation->lock);
  operation->settings = filter_settings_new (((OperationClass *) class)->description->filter);
  operation->bits = G_MAXUINT;
  operation_invalidate (operation);
}

static void
finalize (GObject *object)
{
  Operation *operation = (Operation *) object;

  g_clear_pointer (&operation->plan, fx_plan_free);
  filter_settings_free (operation->settings);
  g_free (operation->text);
  g_free (operation->told);
  g_clear_error (&operation->unreadable);
  g_clear_error (&operation->problem);
  source_clear (&operation->source);
  g_mutex_clear (&operation->lock);
  parent_class->finalize (object);
}

static void
set_keys (GeglOperationClass *class, const OperationDescription *description)
{
  const FilterDescription *filter = description->filter;

  gegl_operation_class_set_keys (class, "name", description->filter->operation, "title",
                                 _ (filter->title), "categories", description->categories,
                                 "description", _ (filter->blurb), "gimp:menu-path",
                                 filter->menu_path, "gimp:menu-label", _ (filter->menu_label),
                                 NULL);
}

static void
init_class (gpointer class, gpointer data)
{
  const OperationDescription *description = data;
  GObjectClass *object_class = class;
  GeglOperationClass *operation_class = class;
  GeglOperationFilterClass *filter_class = class;

  parent_class = g_type_class_peek_parent (class);
  ((OperationClass *) class)->description = description;
  object_class->set_property = set_property;
  object_class->get_property = get_property;
  object_class->finalize = finalize;
  operation_class->prepare = operation_prepare;
  operation_class->get_bounding_box = get_bounding_box;
  operation_class->get_required_for_output = get_required_for_output;
  operation_class->get_invalidated_by_change = get_invalidated_by_change;
  operation_class->get_cached_region = get_cached_region;
  operation_class->threaded = FALSE; /* the engine has its own threads */
  filter_class->process = process;
  properties_install (object_class, description);
  set_keys (operation_class, description);
  if (description->begin)
    description->begin ();
}

void
operation_register (GTypeModule *module, const OperationDescription *description)
{
  const GTypeInfo info = {
    .class_size = sizeof (OperationClass),
    .class_init = init_class,
    .class_data = description,
    .instance_size = sizeof (Operation),
    .instance_init = init,
  };

  fx_translations_bind ();
  properties_register (module, description);
  g_type_module_register_type (module, GEGL_TYPE_OPERATION_FILTER, description->type_name, &info,
                               0);
}
