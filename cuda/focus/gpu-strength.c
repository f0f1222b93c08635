#include "gpu-strength.h"

/* A map that has more values than so many times the picture's pixels is not kept on the device. */
#define KEPT_MAX 4

void
focus_strength_define (const FxProgramCase *program_case, GString *text)
{
  const FocusPlan *plan = (const FocusPlan *) program_case->plan;

  fx_define_source (program_case, text);
  g_string_append_printf (text,
                          "#define THREADS %d\n#define KEEP %d\n#define MAP %d\n"
                          "#define SHAPE_CIRCLE %d\n#define SHAPE_SQUARE %d\n"
                          "#define SHAPE_DIAMOND %d\n#define SHAPE_HORIZONTAL %d\n",
                          FOCUS_THREADS, plan->args.keep_sharp > 0.0f, plan->values != NULL,
                          FOCUS_CIRCLE, FOCUS_SQUARE, FOCUS_DIAMOND, FOCUS_HORIZONTAL);
}

int
focus_strength_get_source_rows (const FxPlan *plan, const FxStrip *strip)
{
  return strip->source_y1 - strip->source_y0;
}

/* Returns whether the device keeps all of the map beside the resident source, so that the next run
 * need not copy it. */
static gboolean
is_kept (const FocusMapArgs *map, const FxStrip *strip)
{
  return strip->resident &&
         (gsize) map->width * map->height <= KEPT_MAX * (gsize) strip->width * strip->height;
}

/* Returns the pixels whose strength is asked for: those of the result or, with keep-sharp, those of
 * the source. */
static FxRect
get_area (const FocusPlan *plan, const FxStrip *strip)
{
  FxSpan columns = { strip->x0, strip->x1 - strip->x0 },
         rows = { strip->y0, strip->y1 - strip->y0 };

  if (plan->args.keep_sharp > 0.0f)
    {
      columns = fx_strip_get_columns (strip);
      rows = fx_strip_get_rows (strip);
    }
  return (FxRect) { columns.first, rows.first, columns.count, rows.count };
}

/* Returns the map's values that the strip needs. */
static FxRect
get_part (const FocusPlan *plan, const FxStrip *strip)
{
  const FocusMapArgs *map = &plan->map;
  const FxRect area = get_area (plan, strip);
  int x = area.x + strip->x, y = area.y + strip->y;
  int left = focus_map_find (x, map->shift, map->x, map->width);
  int top = focus_map_find (y, map->shift, map->y, map->height);
  int right = focus_map_find (x + area.width - 1, map->shift, map->x, map->width);
  int bottom = focus_map_find (y + area.height - 1, map->shift, map->y, map->height);

  if (is_kept (map, strip))
    return (FxRect) { 0, 0, map->width, map->height };
  return (FxRect) { left, top, right - left + 1, bottom - top + 1 };
}

gsize
focus_strength_get_bytes (const FocusPlan *plan, const FxStrip *strip)
{
  FxRect part = get_part (plan, strip);

  return plan->values ? (gsize) part.width * part.height * sizeof (float) : 0;
}

/* Queues the upload of a part of the map: whole rows at once. */
static gboolean
upload_part (FxGpuRun *run, const FxRect *part, float *to, GError **error)
{
  const FocusPlan *plan = (const FocusPlan *) run->base.plan;
  const float *values = g_bytes_get_data (plan->values, NULL);
  int rows = part->width == plan->map.width ? part->height : 1;

  for (int y = 0; y < part->height; y += rows)
    if (! fx_gpu_upload (run->gpu, to + (gsize) y * part->width,
                         values + (gsize) (part->y + y) * plan->map.width + part->x,
                         (gsize) rows * part->width * sizeof *to, error))
      return FALSE;
  return TRUE;
}

static gboolean
begin_map (FxGpuRun *run, FocusStrength *strength, GError **error)
{
  const FxStrip *strip = &run->base.strip;
  const FocusPlan *plan = (const FocusPlan *) run->base.plan;
  const FxRect part = get_part (plan, strip);
  float *memory;

  strength->map = plan->map;
  strength->map.x += part.x - strip->x * (1 << plan->map.shift);
  strength->map.y += part.y - strip->y * (1 << plan->map.shift);
  strength->map.width = part.width;
  strength->map.height = part.height;
  if (is_kept (&plan->map, strip))
    return (strength->values = fx_gpu_keep_bytes (run->gpu, plan->values, error)) != NULL;
  memory = fx_gpu_get_buffer (run->gpu, FX_BUFFER_PATH_2, focus_strength_get_bytes (plan, strip),
                              error);
  strength->values = memory;
  return memory && upload_part (run, &part, memory, error);
}

gboolean
focus_strength_begin (FxGpuRun *run, FocusStrength *strength, GError **error)
{
  const FocusPlan *plan = (const FocusPlan *) run->base.plan;

  strength->shape = plan->shape;
  strength->shape.x -= run->base.strip.x;
  strength->shape.y -= run->base.strip.y;
  return ! plan->values || begin_map (run, strength, error);
}
