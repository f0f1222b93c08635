/* Queues the work of a run in launches: large enough to use the whole device, and small enough that
 * a run can be cancelled soon. */
#include "gpu-run.h"

#define WAVES_MAX   32
#define SAMPLE_TAPS 32 /* the cost of a sample without taps; measured: float at sigma 0.5 */

gboolean
fx_gpu_run_get_grid (FxGpuRun *run, FxBufferName buffer, FxSpan columns, FxSpan rows, FxGrid *grid,
                     GError **error)
{
  gsize size = fx_gpu_get_grid_bytes (run->base.plan, columns.count, rows.count);
  gpointer cells = fx_gpu_get_buffer (run->gpu, buffer, size, error);

  *grid = (FxGrid) {
    .cells = cells,
    .slots = rows.count,
    .offset = -rows.first,
    .x_first = columns.first,
    .columns = columns.count,
    .y_first = rows.first,
    .rows = rows.count,
  };
  return cells != NULL;
}

/* A device runs capacity blocks at a time (a wave), and a wave takes as long as one block. If there
 * are few blocks, part of the last wave is idle; if there are many, the warm rows at their start
 * are computed more often. For each number of waves, this function tries the shortest blocks that
 * fit into them, and it returns the cheapest choice. It stops when even the shortest possible
 * blocks would take longer in so many waves, or at WAVES_MAX waves, when a partly idle wave hardly
 * matters. */
int
fx_gpu_choose_rows (int capacity, int columns, int rows, int warm, int multiple)
{
  gint64 best_cost = G_MAXINT64;
  int best = rows;

  for (gint64 waves = 1; waves <= WAVES_MAX && waves * (multiple + warm) < best_cost; waves++)
    {
      gint64 cuts = MAX (waves * capacity / columns, 1);
      int each = fx_ceil_div (fx_ceil_div (rows, cuts), multiple) * multiple;
      gint64 blocks = (gint64) columns * fx_ceil_div (rows, each);
      gint64 cost = (blocks + capacity - 1) / capacity * (each + warm);

      if (cost < best_cost)
        {
          best_cost = cost;
          best = each;
        }
    }
  return best;
}

gboolean
fx_gpu_run_launch (FxGpuRun *run, FxKernel *kernel, FxLaunch launch, int rows, int warm,
                   int multiple, int *rows_a_block, void **args, GError **error)
{
  int capacity;

  if (! fx_gpu_get_capacity (run->gpu, kernel, launch.threads, launch.shared, &capacity, error))
    return FALSE;
  *rows_a_block = fx_gpu_choose_rows (capacity, launch.x, rows, warm, multiple);
  launch.y = fx_ceil_div (rows, *rows_a_block);
  return fx_gpu_launch (run->gpu, kernel, &launch, args, error);
}

gboolean
fx_gpu_run_throttle (FxGpuRun *run, double cost, GError **error)
{
  run->queued += cost;
  if (run->queued <= fx_gpu_get_launch_limit (run->gpu))
    return TRUE;
  run->queued = cost;
  return fx_gpu_wait (run->gpu, error) && fx_run_is_wanted (&run->base, error);
}

/* Returns how many of all rows or columns to process if most is the limit: all, if most permits it,
 * otherwise the largest multiple of multiple, at least multiple itself. */
static int
fit (double most, int multiple, int all)
{
  return most >= all ? all : MIN (all, MAX ((int) most / multiple, 1) * multiple);
}

gboolean
fx_gpu_run_queue (FxGpuRun *run, const FxRect *area, int taps, int multiple_x, int multiple_y,
                  FxGpuPart part, gpointer data, GError **error)
{
  double limit = fx_gpu_get_launch_limit (run->gpu);
  double pixel = (double) run->base.plan->codec.format.channels * (taps + SAMPLE_TAPS);
  int right = area->x + area->width, bottom = area->y + area->height;
  double most = (double) FX_BLOCKS_Y_MAX * multiple_y; /* a block has at least multiple_y rows */
  int height = fit (MIN (limit / pixel / area->width, most), multiple_y, area->height);
  int width = area->width;
  FxRect rect;

  if (multiple_x > 0)
    width = fit (limit / pixel / height, multiple_x, width);
  for (rect.y = area->y; rect.y < bottom; rect.y += height)
    for (rect.x = area->x; rect.x < right; rect.x += width)
      {
        rect.width = MIN (width, right - rect.x);
        rect.height = MIN (height, bottom - rect.y);
        if (! fx_gpu_run_throttle (run, pixel * rect.width * rect.height, error) ||
            ! part (run, &rect, data, error))
          return FALSE;
      }
  return TRUE;
}
