#include "gpu-strength.h"

/* The values of a map that are copied at a time, unless a row has more. */
#define MAP_VALUES (1 << 18)

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

/* Returns the pixels whose strength is copied from a map: those of the result or, with keep-sharp,
 * those of the source. */
static FxRect
get_map_area (const FocusPlan *plan, const FxStrip *strip)
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

gsize
focus_strength_get_bytes (const FocusPlan *plan, const FxStrip *strip)
{
  FxRect area = get_map_area (plan, strip);

  return plan->values ? (gsize) area.width * area.height * sizeof (float) : 0;
}

/* Copies the strength of area, by the map, to the device. */
static gboolean
upload_map (FxGpuRun *run, float *shares, const FxRect *area, GError **error)
{
  const FocusPlan *plan = (const FocusPlan *) run->base.plan;
  int x = run->base.strip.x + area->x, y = run->base.strip.y + area->y, n;
  int most = CLAMP (MAP_VALUES / area->width, 1, area->height);
  g_autofree float *rows = g_new (float, (gsize) most * area->width);

  for (int first = 0; first < area->height; first += n)
    {
      gsize place = (gsize) first * area->width;

      n = MIN (area->height - first, most);
      for (int i = 0; i < n; i++)
        focus_plan_get_shares (plan, x, y + first + i, area->width, rows + (gsize) i * area->width);
      if (! fx_gpu_upload (run->gpu, shares + place, rows, (gsize) n * area->width * sizeof *rows,
                           error) ||
          ! fx_gpu_wait_upload (run->gpu, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
begin_map (FxGpuRun *run, FocusStrength *strength, GError **error)
{
  const FxRun *base = &run->base;
  const FocusPlan *plan = (const FocusPlan *) base->plan;
  FxRect area = get_map_area (plan, &base->strip);
  float *shares = fx_gpu_get_buffer (run->gpu, FX_BUFFER_PATH_2,
                                     focus_strength_get_bytes (plan, &base->strip), error);

  strength->shares = shares;
  strength->x = area.x;
  strength->y = area.y;
  strength->width = area.width;
  return shares && upload_map (run, shares, &area, error);
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
