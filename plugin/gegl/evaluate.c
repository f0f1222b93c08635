#include "evaluate.h"

#include "instance.h"
#include "message.h"
#include "problems.h"
#include "rectangles.h"
#include "run.h"
#include "taken.h"
#include "values.h"

#include <string.h>

#define SOURCE_MAX (G_GINT64_CONSTANT (1) << 32) /* pixels, which are 64 GiB as floats */

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
get_growth (Operation *operation, const GeglRectangle *box, int *x, int *y)
{
  const FilterDescription *filter = instance_get_filter (operation);
  const FxGeometry geometry = rectangles_get_geometry (box);

  *x = *y = 0;
  if (operation->clip || ! filter_settings_check (operation->settings, NULL))
    return FALSE;
  if (filter->get_operation_growth)
    filter->get_operation_growth (operation->settings, &geometry, x, y);
  else
    filter_settings_get_growth (operation->settings, &geometry, x, y);
  return *x > 0 || *y > 0;
}

/* Returns the place of the whole result of an input with that box. Call this under the lock. */
static GeglRectangle
get_frame (Operation *operation, const GeglRectangle *box)
{
  int x, y;

  if (gegl_rectangle_is_empty (box) || gegl_rectangle_is_infinite_plane (box))
    return *box;
  get_growth (operation, box, &x, &y);
  return rectangles_enlarge (box, x, x, y, y);
}

/* The result of GEGL's own has no pixels beyond the map. */
static void
cut_to_map (GeglOperation *base, GeglRectangle *frame)
{
  const GeglRectangle *box = gegl_operation_source_get_bounding_box (base, "aux");

  if (! box || ! gegl_rectangle_intersect (frame, frame, box))
    *frame = (GeglRectangle) { 0, 0, 0, 0 };
}

GeglRectangle
evaluate_get_bounding_box (GeglOperation *base)
{
  Operation *operation = (Operation *) base;
  GeglRectangle box = get_input_box (base), frame;

  if (operation->theirs)
    return gegl_operation_get_bounding_box (operation->theirs);
  g_mutex_lock (&operation->lock);
  frame = get_frame (operation, &box);
  g_mutex_unlock (&operation->lock);
  if (operation->take_over && instance_get_filter (operation)->map.label)
    cut_to_map (base, &frame);
  return frame;
}

/* Returns a copy of the settings as the result needs them; free it. Call this under the lock. */
static FilterSettings *
evaluate_copy_settings (Operation *operation)
{
  FilterSettings *settings = filter_settings_copy (operation->settings);
  int x, y;

  if (operation->take_over)
    taken_convert (operation->take_over, &operation->geometry, settings);
  if (get_growth (operation, &operation->box, &x, &y))
    filter_settings_set_grown (settings);
  return settings;
}

/* Makes the plan of settings that have passed the check. Call this under the lock. */
static FxPlan *
make_checked_plan (Operation *operation, const FilterSettings *settings)
{
  const FxFormat *format = &operation->pixels.format;
  const Taken *taken = operation->theirs ? taken_get (operation->theirs) : NULL;
  FxPlan *plan;

  if (! taken || ! taken->take_over->make_plan)
    return filter_settings_make_plan (settings, format, &operation->geometry, FALSE);
  plan = taken->take_over->make_plan (settings, format);
  return plan ? plan : fx_plan_new_missing (format);
}

/* Makes the plan. Invalid settings leave the input as it is. Call this under the lock. */
static FxPlan *
evaluate_make_plan (Operation *operation)
{
  g_autoptr (FilterSettings) settings = evaluate_copy_settings (operation);

  g_clear_error (&operation->problem);
  if (problems_check (operation, &operation->problem) && values_has_bits (operation))
    return make_checked_plan (operation, settings);
  return fx_plan_new_identity (&operation->pixels.format);
}

/* Sets the input's box. If the plan depends on the place, it was for another one. Call this under
 * the lock. */
static void
set_box (Operation *operation, const GeglRectangle *box)
{
  if (operation->plan && operation->plan->placed && ! gegl_rectangle_equal (&operation->box, box))
    instance_invalidate (operation);
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
    operation->plan = evaluate_make_plan (operation);
  return operation->plan;
}

/* Like peek_plan, but takes the lock and returns a reference; free it. */
static FxPlan *
ref_plan (Operation *operation, const GeglRectangle *box)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&operation->lock);
  FxPlan *plan = peek_plan (operation, box);

  return plan ? fx_plan_ref (plan) : NULL;
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

/* Sets source to the part of an input with that box that the result in roi depends on. Returns
 * FALSE if no computer could hold it: the paths of a spin or a zoom may be as long as an infinite
 * plane. */
static gboolean
get_source (const FxPlan *plan, const GeglRectangle *roi, const GeglRectangle *box,
            GeglRectangle *source)
{
  *source = rectangles_get_source (roi, &plan->reach);
  if (! gegl_rectangle_is_infinite_plane (box))
    *source = move_into (source, box);
  return ! plan->reach.find_source || (MAX (source->width, source->height) <= FX_SIZE_MAX &&
                                       (gint64) source->width * source->height <= SOURCE_MAX);
}

/* Returns what of the map the result in roi depends on: what lies over all of the result, which may
 * be computed part by part, or else what is nearest. It is empty if there is no map. */
static GeglRectangle
get_map_box (GeglOperation *base, const FxReach *reach, const GeglRectangle *roi)
{
  const GeglRectangle *box = gegl_operation_source_get_bounding_box (base, "aux");
  GeglRectangle over = evaluate_get_bounding_box (base);
  const int *place = ((Operation *) base)->map_place;

  if (! box || gegl_rectangle_is_empty (box))
    return (GeglRectangle) { 0, 0, 0, 0 };
  if (gegl_rectangle_is_infinite_plane (&over))
    over = rectangles_get_source (roi, reach);
  over = rectangles_between ((gint64) over.x - place[0], (gint64) over.y - place[1],
                             (gint64) over.x + over.width - place[0],
                             (gint64) over.y + over.height - place[1]);
  return move_into (&over, box);
}

/* Pixels that are not computed are those of the input. */
GeglRectangle
evaluate_get_required_for_output (GeglOperation *base, const char *pad, const GeglRectangle *roi)
{
  GeglRectangle box = get_input_box (base), required;
  g_autoptr (FxPlan) plan = ref_plan ((Operation *) base, &box);

  if (plan && strcmp (pad, "aux") == 0)
    return get_map_box (base, &plan->reach, roi);
  if (! plan || gegl_rectangle_is_empty (roi) || gegl_rectangle_is_empty (&box))
    return box;
  return get_source (plan, roi, &box, &required) ? required : *roi;
}

GeglRectangle
evaluate_get_invalidated_by_change (GeglOperation *base, const char *pad,
                                    const GeglRectangle *changed)
{
  Operation *operation = (Operation *) base;
  GeglRectangle stale = gegl_rectangle_infinite_plane ();

  g_mutex_lock (&operation->lock);
  if (strcmp (pad, "aux") == 0)
    map_clear (&operation->map);
  else if (operation->plan && ! operation->plan->reach.find_source &&
           ! gegl_rectangle_is_infinite_plane (changed))
    {
      const FxReach *reach = &operation->plan->reach;

      stale = rectangles_enlarge (changed, reach->right, reach->left, reach->below, reach->above);
    }
  gegl_rectangle_bounding_box (&operation->stale, &operation->stale, &stale);
  if (strcmp (pad, "aux") != 0)
    source_change (&operation->source, changed);
  g_mutex_unlock (&operation->lock);
  return stale;
}

/* Returns what to compute together with part, of a result in frame. GIMP 2.10 shows GEGL's filters
 * within the layer alone: what lies beyond, which may be larger, is computed only if it is asked
 * for. Call this under the lock. */
static const GeglRectangle *
get_area (const Operation *operation, const GeglRectangle *part, const GeglRectangle *frame)
{
  gboolean within = operation->theirs && gegl_rectangle_contains (&operation->box, part);

  return within ? &operation->box : frame;
}

GeglRectangle
evaluate_get_cached_region (GeglOperation *base, const GeglRectangle *roi)
{
  Operation *operation = (Operation *) base;
  GeglRectangle input = get_input_box (base), box = evaluate_get_bounding_box (base), region = *roi;
  g_autoptr (FxPlan) plan = ref_plan (operation, &input);
  FxDevice device;

  if (! plan || gegl_rectangle_is_empty (roi) || gegl_rectangle_is_infinite_plane (&box))
    return *roi;
  g_mutex_lock (&operation->lock);
  device = filter_settings_get_device (operation->settings);
  box = *get_area (operation, roi, &box);
  if (! gegl_rectangle_intersect (&region, &operation->stale, &box))
    region = box; /* the result that was computed is lost */
  g_mutex_unlock (&operation->lock);
  gegl_rectangle_bounding_box (&region, &region, roi);
  return run_cut (plan, device, &region, roi, &box);
}

/* Processing. */

/* Returns whether the settings ask for perceptual light, or for none. */
static gboolean
is_perceptual (const Operation *operation)
{
  int light = filter_find_role (filter_settings_get_filter (operation->settings),
                                FILTER_ROLE_LIGHT);

  return light < 0 ||
         filter_settings_get (operation->settings, (guint) light) == FX_LIGHT_PERCEPTUAL;
}

/* Returns whether the result has an alpha that the input may not have. Call this under the lock. */
static gboolean
needs_alpha (Operation *operation, const GeglRectangle *box)
{
  int x, y;

  if (operation->theirs) /* beyond is black without one */
    return babl_format_has_alpha (gegl_operation_get_format (operation->theirs, "output"));
  return get_growth (operation, box, &x, &y) && ! operation->floats;
}

void
evaluate_prepare (GeglOperation *base)
{
  Operation *operation = (Operation *) base;
  PixelsWanted *last = &operation->wanted, wanted = { 0 };
  const GeglRectangle box = get_input_box (base);
  const Babl *babl;

  wanted.source = gegl_operation_get_source_format (base, "input");
  g_mutex_lock (&operation->lock);
  wanted.floats = operation->floats;
  wanted.perceptual = is_perceptual (operation);
  wanted.alpha = needs_alpha (operation, &box);
  if (! operation->pixels.babl || wanted.source != last->source || wanted.floats != last->floats ||
      wanted.perceptual != last->perceptual || wanted.alpha != last->alpha)
    {
      pixels_init (&operation->pixels, &wanted);
      instance_invalidate (operation);
    }
  *last = wanted;
  babl = operation->pixels.babl;
  g_mutex_unlock (&operation->lock);
  if (operation->theirs)
    return;
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
  const GeglRectangle frame = evaluate_get_bounding_box (run->operation);
  GeglRectangle source;
  gboolean there;

  g_mutex_lock (&operation->lock);
  run->frame = operation->theirs ? frame : get_frame (operation, &box);
  there = run->input && gegl_rectangle_intersect (&run->result, &run->result, &run->frame);
  if (there)
    {
      run->plan = peek_plan (operation, &box);
      run->plan = get_source (run->plan, &run->result, &box, &source)
                    ? fx_plan_ref (run->plan)
                    : fx_plan_new_missing (&operation->pixels.format);
      run->settings = evaluate_copy_settings (operation);
      run->pixels = operation->pixels;
      *problem = problems_take (operation);
      if (run->level == 0)
        run->resident = source_lend (&operation->source, run->input,
                                     taken_keeps_edges (operation) ? &box : &run->frame,
                                     run->pixels.babl);
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
      gegl_rectangle_intersect (&operation->stale, &operation->stale,
                                get_area (operation, &run->result, &run->frame));
      gegl_rectangle_subtract_bounding_box (&operation->stale, &operation->stale, &run->result);
    }
  if (run->plan->missing && run->plan == operation->plan)
    g_clear_pointer (&operation->plan, fx_plan_free); /* there may be memory for the next call */
  g_mutex_unlock (&operation->lock);
  fx_plan_free (run->plan);
  filter_settings_free (run->settings);
}

/* Computes the part of run's result within the input's box, whose edges are those of the picture:
 * what lies beyond is the nearest pixel. */
static gboolean
process_within (Operation *operation, const Run *run, const GeglRectangle *box)
{
  g_autoptr (FilterSettings) settings = filter_settings_copy (run->settings);
  int abyss = filter_find_role (run->filter, FILTER_ROLE_ABYSS);
  g_autoptr (FxPlan) plan = NULL;
  Run within = *run;

  filter_settings_set (settings, (guint) abyss, FX_ABYSS_CLAMP);
  g_mutex_lock (&operation->lock);
  plan = make_checked_plan (operation, settings);
  g_mutex_unlock (&operation->lock);
  within.plan = run->plan->missing ? run->plan : plan;
  within.frame = *box;
  return ! gegl_rectangle_intersect (&within.result, &within.result, box) || run_process (&within);
}

/* Computes run's result with the strength that the map gives. */
static gboolean
process_mapped (Operation *operation, const Run *run, GeglBuffer *aux)
{
  const GeglRectangle box = get_map_box (run->operation, &run->plan->reach, &run->result);
  gboolean linear = filter_settings_use_linear_map (run->settings);
  g_autoptr (FilterSettings) settings = filter_settings_copy (run->settings);
  g_autoptr (FilterMap) map = NULL;
  g_autoptr (FxPlan) plan = NULL;
  Run mapped = *run;

  if (! aux || gegl_rectangle_is_empty (&box))
    return FALSE;
  map = map_read (&operation->map, &operation->lock, aux, &box, operation->map_place, linear);
  filter_settings_set_map (settings, map);
  g_mutex_lock (&operation->lock);
  plan = map ? make_checked_plan (operation, settings)
             : fx_plan_new_missing (&operation->pixels.format);
  g_mutex_unlock (&operation->lock);
  mapped.plan = plan;
  return run_process (&mapped);
}

static gboolean
process_all (Operation *operation, const Run *run, GeglBuffer *aux)
{
  Run beyond = *run;
  GeglRectangle box;

  if (run->filter->map.label && ! run->plan->identity && ! run->plan->missing)
    return process_mapped (operation, run, aux);
  if (! taken_keeps_edges (operation))
    return run_process (run);
  g_mutex_lock (&operation->lock);
  box = operation->box;
  g_mutex_unlock (&operation->lock);
  beyond.resident = NULL;
  return (gegl_rectangle_contains (&box, &run->result) || run_process (&beyond)) &&
         process_within (operation, run, &box);
}

gboolean
evaluate_process (GeglOperation *base, GeglBuffer *input, GeglBuffer *aux, GeglBuffer *output,
                  const GeglRectangle *result, gint level)
{
  Operation *operation = (Operation *) base;
  Run run = { .operation = base,
              .filter = instance_get_filter (base),
              .input = input,
              .output = output,
              .result = *result,
              .level = level,
              .theirs = operation->theirs != NULL };
  g_autofree char *problem = NULL;
  gboolean there = begin_run (operation, &run, &problem), done;

  if (! there || ! gegl_rectangle_equal (&run.result, result))
    gegl_buffer_clear (output, result);
  if (! there)
    return TRUE;
  if (problem)
    message_show_once (problem);
  done = process_all (operation, &run, aux);
  if (! done && ! operation->theirs)
    gegl_buffer_copy (input, &run.result, GEGL_ABYSS_NONE, output, &run.result);
  end_run (operation, &run);
  return done || ! operation->theirs;
}
