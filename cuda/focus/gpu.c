/* A focus blur on the GPU. All of a strip's source is decoded to floats, the coarser levels of the
 * pyramid are made of these, and then each pixel of the result sums a window of one level. */
#include "focus-kernels.h"
#include "gpu-levels.h"

#include <string.h>

/* A block filters BLOCK_COLUMNS x BLOCK_ROWS pixels, RUN of each thread. */
enum { RUN = 2, BLOCK_COLUMNS = 32, BLOCK_ROWS = FOCUS_THREADS / BLOCK_COLUMNS * RUN };

#define MAP_ROWS 256 /* of a map that are copied at a time */

/* Programs. */

static void
define_strength (const FxProgramCase *program_case, GString *text)
{
  const FocusPlan *plan = (const FocusPlan *) program_case->plan;

  fx_define_source (program_case, text);
  g_string_append_printf (text,
                          "#define THREADS %d\n#define RUN %d\n#define KEEP %d\n#define MAP %d\n"
                          "#define SHAPE_CIRCLE %d\n#define SHAPE_SQUARE %d\n"
                          "#define SHAPE_DIAMOND %d\n#define SHAPE_HORIZONTAL %d\n",
                          FOCUS_THREADS, RUN, plan->args.keep_sharp > 0.0f, plan->values != NULL,
                          FOCUS_CIRCLE, FOCUS_SQUARE, FOCUS_DIAMOND, FOCUS_HORIZONTAL);
}

static const FxProgram program_decode = { "focus-decode", "decode.cu", focus_kernels_get_resource,
                                          define_strength };
static const FxProgram program_gather = { "focus-gather", "gather.cu", focus_kernels_get_resource,
                                          define_strength };

static int
focus_gpu_get_programs (const FxPlan *base, FxVariants variants, const FxProgram **programs)
{
  const FocusPlan *plan = (const FocusPlan *) base;

  programs[FOCUS_DECODE] = &program_decode;
  programs[FOCUS_GATHER] = &program_gather;
  programs[FOCUS_COLUMNS] = &focus_program_columns;
  programs[FOCUS_ROWS] = &focus_program_rows;
  programs[FOCUS_COLUMNS_OF_W] = &focus_program_columns_of_w;
  programs[FOCUS_ROWS_OF_W] = &focus_program_rows_of_w;
  return plan->args.levels == 1          ? FOCUS_COLUMNS
         : plan->args.keep_sharp == 0.0f ? FOCUS_COLUMNS_OF_W
                                         : FOCUS_ROWS_OF_W + 1;
}

/* Memory. */

/* All: pixels with next to no blur stay as they are stored. */
static int
focus_gpu_get_source_rows (const FxPlan *plan, const FxStrip *strip)
{
  return strip->source_y1 - strip->source_y0;
}

/* Returns the bytes of a map's values for all of the strip's source. */
static gsize
get_map_bytes (const FocusPlan *plan, const FxStrip *strip)
{
  gsize columns = strip->source_x1 - strip->source_x0, rows = strip->source_y1 - strip->source_y0;

  return plan->values ? columns * rows * sizeof (float) : 0;
}

static gsize
focus_gpu_get_bytes (const FxPlan *base, const FxStrip *strip)
{
  const FocusPlan *plan = (const FocusPlan *) base;

  return focus_levels_get_bytes (plan, strip) + get_map_bytes (plan, strip);
}

static gboolean
focus_gpu_begin (FxGpuRun *base, GError **error)
{
  FocusRun *run = (FocusRun *) base;
  const FocusPlan *plan = (const FocusPlan *) base->base.plan;
  const FxStrip *strip = &base->base.strip;
  FocusValues *values = &run->strength.values;

  run->strength.shape = plan->shape;
  run->strength.shape.x -= strip->x;
  run->strength.shape.y -= strip->y;
  run->strength.map = plan->map;
  *values = (FocusValues) { .x = strip->source_x0,
                            .y = strip->source_y0,
                            .width = strip->source_x1 - strip->source_x0 };
  if (plan->values && ! (values->values = fx_gpu_get_buffer (base->gpu, FX_BUFFER_PATH_2,
                                                             get_map_bytes (plan, strip), error)))
    return FALSE;
  return focus_levels_begin (run, error);
}

/* The map. */

/* Returns the map's column for column x of the image, or the row, if it has size of them. */
static int
find_place (const FocusMapArgs *map, int x, int image, int first, int size)
{
  gint64 place = ((gint64) x + image) * (1 << map->shift) + ((1 << map->shift) >> 1) - first;

  return (int) CLAMP (place, 0, size - 1);
}

/* Fills row with the values for the columns of the strip's source in row y of the image. */
static void
read_row (const FocusPlan *plan, const FxStrip *strip, int y, float *row)
{
  const FocusMapArgs *map = &plan->map;
  gsize map_row = (gsize) find_place (map, y, strip->y, map->y, map->height);
  const float *values = (const float *) g_bytes_get_data (plan->values, NULL) +
                        map_row * map->width;
  int x0 = strip->source_x0, columns = strip->source_x1 - x0;
  int first = find_place (map, x0, strip->x, map->x, map->width);
  int last = find_place (map, x0 + columns - 1, strip->x, map->x, map->width);

  if (last - first == columns - 1) /* each column of the image has one of the map */
    memcpy (row, values + first, columns * sizeof *row);
  else
    for (int x = 0; x < columns; x++)
      row[x] = values[find_place (map, x0 + x, strip->x, map->x, map->width)];
}

/* Copies the values for rows y to y + rows - 1 of the image to the device. */
static gboolean
upload_map (FocusRun *run, int y, int rows, GError **error)
{
  FxGpuRun *base = &run->base;
  const FxStrip *strip = &base->base.strip;
  const FocusValues *values = &run->strength.values;
  g_autofree float *copy = g_new (float, (gsize) MIN (rows, MAP_ROWS) * values->width);

  for (int first = y; first < y + rows; first += MAP_ROWS)
    {
      int n = MIN (y + rows - first, MAP_ROWS);
      gsize place = (gsize) (first - values->y) * values->width;

      for (int i = 0; i < n; i++)
        read_row ((const FocusPlan *) base->base.plan, strip, first + i,
                  copy + (gsize) i * values->width);
      if (! fx_gpu_upload (base->gpu, (float *) values->values + place, copy,
                           (gsize) n * values->width * sizeof *copy, error) ||
          ! fx_gpu_wait_upload (base->gpu, error))
        return FALSE;
    }
  return TRUE;
}

/* The run. */

static gboolean
focus_gpu_push_part (FxGpuRun *base, const FxRect *part, gpointer data, GError **error)
{
  FocusRun *run = (FocusRun *) base;
  const FocusPlan *plan = (const FocusPlan *) base->base.plan;
  FocusArgs focus = plan->args;
  int top = part->y;
  FxLaunch launch = fx_gpu_get_launch (part, FOCUS_THREADS, 1, FOCUS_THREADS);
  void *args[] = { &base->source, &run->pyramid.cells[0],  &focus, &run->strength,
                   &top,          &run->pyramid.weights[0] };

  return fx_gpu_launch (base->gpu, base->kernels[FOCUS_DECODE], &launch, args, error);
}

/* Decodes rows of the source, and the margins above and below it with its outermost rows. */
static gboolean
focus_gpu_push (FxGpuRun *base, int y, int rows, GError **error)
{
  FocusRun *run = (FocusRun *) base;
  const FxStrip *strip = &base->base.strip;
  const FxGrid *grid = &run->pyramid.cells[0];
  int top = y == strip->source_y0 ? grid->y_first : y;
  int end = y + rows == strip->source_y1 ? grid->y_first + grid->rows : y + rows;
  const FxRect area = { grid->x_first, top, grid->columns, end - top };

  return (! run->strength.values.values || upload_map (run, y, rows, error)) &&
         fx_gpu_run_queue (base, &area, 1, 0, 1, focus_gpu_push_part, NULL, error);
}

static gboolean
focus_gpu_pull_part (FxGpuRun *base, const FxRect *part, gpointer data, GError **error)
{
  FocusRun *run = (FocusRun *) base;
  const FocusPlan *plan = (const FocusPlan *) base->base.plan;
  FocusArgs focus = plan->args;
  gpointer result = fx_gpu_run_get_row (base, part->y);
  int x = part->x, right = part->x + part->width, y = part->y, end = part->y + part->height;
  FxLaunch launch = fx_gpu_get_launch (part, BLOCK_COLUMNS, BLOCK_ROWS, FOCUS_THREADS);
  void *args[] = { &base->source, &run->pyramid,     &focus, &run->strength, &x, &right, &y, &end,
                   &base->area.x, &base->area.width, &result };

  return fx_gpu_launch (base->gpu, base->kernels[FOCUS_GATHER], &launch, args, error);
}

static gboolean
focus_gpu_pull (FxGpuRun *base, const FxRect *area, GError **error)
{
  FocusRun *run = (FocusRun *) base;
  const FocusPlan *plan = (const FocusPlan *) base->base.plan;
  int taps = 0;

  if (! run->solved && ! focus_levels_solve (run, error))
    return FALSE;
  run->solved = TRUE;
  for (int n = 0; n < plan->args.levels; n++)
    taps = MAX (taps, plan->levels[n].gather * plan->levels[n].gather * 4);
  return fx_gpu_run_queue (base, area, taps, BLOCK_COLUMNS, BLOCK_ROWS, focus_gpu_pull_part, NULL,
                           error);
}

const FxGpuPath focus_gpu_path = {
  .size = sizeof (FocusRun),
  .needs_all = TRUE,
  .get_source_rows = focus_gpu_get_source_rows,
  .get_bytes = focus_gpu_get_bytes,
  .get_programs = focus_gpu_get_programs,
  .begin = focus_gpu_begin,
  .push = focus_gpu_push,
  .pull = focus_gpu_pull,
};
