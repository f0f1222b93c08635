/* Recomputes results that the transforms cannot compute, or not accurately enough.
 *
 * The state of an area is an array of unsigned numbers on the device: the peaks and the levels of
 * its tiles; those of its tiles in double precision; a flag for each of the latter; and a list of
 * results. The results of a small matrix are listed and recomputed as sums over the taps, and so
 * are whole rows of tiles that have values outside the range of a transform. If the matrix is
 * large, the tile in double precision that contains the result is flagged and computed. */
#include "gpu-fft.h"

#include "error.h"
#include "translations.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The most results that are listed, and the cost of each of their taps, measured as 4.5 to 7.2
 * times that of a tap in direct.cu. */
#define LIST_MAX (1 << 19)
#define TAP_COST 7.0

#define BLOCKS_MAX 2048
#define EACH       32 /* threads for a result: a warp */

/* The state. */

/* Returns the length of an area's list: with more results, sums over the whole area are faster. */
static gsize
get_list_size (const ConvolvePlan *plan, gsize results)
{
  if (plan->strategy.large || ! plan->strategy.gpu.recomputes)
    return 0;
  return MIN (results / 16, LIST_MAX);
}

/* Returns how many numbers of the state are cleared and downloaded. */
static gsize
count_state (gsize tiles, gsize precise_tiles)
{
  return 2 * tiles + 3 * precise_tiles + 1;
}

gsize
convolve_gpu_fft_get_state_bytes (const ConvolvePlan *plan, gsize tiles, gsize precise_tiles,
                                  gsize results)
{
  return (count_state (tiles, precise_tiles) + get_list_size (plan, results)) * sizeof (guint);
}

gboolean
convolve_gpu_fft_clear_state (FftRun *run, gpointer memory, const FxRect *area, GError **error)
{
  FxGpuRun *base = &run->base.base;
  const ConvolvePlan *plan = convolve_plan_get (base->base.plan);
  gsize tiles = run->single.tiles, precise_tiles = run->precise.tiles;
  gsize size = count_state (tiles, precise_tiles) * sizeof *run->state;
  ConvolveFft *fft = &run->single.fft, *precise = &run->precise.fft;

  fft->peaks = memory;
  fft->levels = fft->peaks + tiles;
  precise->peaks = fft->levels + tiles;
  precise->levels = precise->peaks + precise_tiles;
  fft->flags = precise->levels + precise_tiles;
  fft->flag_step_x = precise->step_x;
  fft->flag_step_y = precise->step_y;
  fft->flags_across = precise->across;
  fft->list = (ConvolveList *) (fft->flags + precise_tiles);
  fft->list_size = (int) get_list_size (plan, (gsize) area->width * area->height);
  if (! plan->strategy.gpu.finds_peaks)
    return TRUE;
  g_free (run->state);
  run->state = g_try_malloc (size);
  if (! run->state)
    return fx_set_no_memory (error);
  memset (run->state, 0, size);
  return fx_gpu_upload (base->gpu, fft->peaks, run->state, size, error);
}

/* Listed results. */

/* Returns the cost of results that are recomputed. */
static double
get_recompute_cost (const FftRun *run, double results)
{
  return TAP_COST * results * run->base.taps.rows * run->base.taps.columns *
         run->base.base.base.plan->codec.format.channels;
}

static gboolean
launch_recompute (FftRun *run, int first, int end, GError **error)
{
  FxGpuRun *base = &run->base.base;
  int each = EACH;
  int blocks = MIN (fx_ceil_div (end - first, FFT_RECOMPUTE_THREADS / each), BLOCKS_MAX);
  FxLaunch launch = { .x = blocks, .y = 1, .threads = FFT_RECOMPUTE_THREADS };
  void *args[] = {
    &base->source,    &run->base.taps,
    &run->single.fft, &run->base.after,
    &first,           &end,
    &blocks,          &each,
    &base->result,    convolve_gpu_run_get_highlights (base),
  };

  return fx_gpu_launch (base->gpu, run->recompute_kernel, &launch, args, error);
}

/* Recomputes the listed results, in launches within the limit. */
static gboolean
recompute_results (FftRun *run, int listed, GError **error)
{
  FxGpuRun *base = &run->base.base;
  double most = fx_gpu_get_launch_limit (base->gpu) / get_recompute_cost (run, 1.0);
  int together = (int) CLAMP (most, 1.0, listed), first;

  for (first = 0; first < listed; first += together)
    {
      int end = MIN (first + together, listed);

      if (! fx_gpu_run_throttle (base, get_recompute_cost (run, end - first), error) ||
          ! launch_recompute (run, first, end, error))
        return FALSE;
    }
  return TRUE;
}

/* Tiles. */

/* Returns whether a tile in the row of tiles from first on has values out of the range of a
 * transform. */
static gboolean
exceeds_peak (const FftRun *run, const guint *first)
{
  const ConvolvePlan *plan = convolve_plan_get (run->base.base.base.plan);
  gboolean alpha = fx_format_has_alpha (&plan->base.codec.format);
  float most = FFT_PEAK_MAX (alpha, plan->strategy.large, fx_codec_get_range (&plan->base.codec)),
        peak;

  for (int i = 0; i < run->single.fft.across; i++)
    {
      memcpy (&peak, first + i, sizeof peak);
      if (! (peak <= most))
        return TRUE;
    }
  return FALSE;
}

/* Computes by the taps all rows of tiles, or those with values out of the range of a transform. */
static gboolean
recompute_rows (FftRun *run, const FxRect *area, gboolean all, GError **error)
{
  int across = run->single.fft.across, step = run->single.tile.step_y, first;

  for (first = 0; first < (int) run->single.tiles; first += across)
    {
      FxRect part = *area;

      part.y += first / across * step;
      part.height = MIN (step, area->y + area->height - part.y);
      if ((all || exceeds_peak (run, run->state + first)) &&
          ! convolve_gpu_run_queue_direct (&run->base, run->direct_kernel, &run->direct, &part,
                                           error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
recompute_small (FftRun *run, const FxRect *area, GError **error)
{
  guint listed = run->state[count_state (run->single.tiles, run->precise.tiles) - 1];
  gboolean too_many = listed > (guint) run->single.fft.list_size;

  return (listed == 0 || too_many || recompute_results (run, (int) listed, error)) &&
         recompute_rows (run, area, too_many, error);
}

/* Fails if a tile has values out of the range of a transform: the sums of a large matrix would take
 * too long. */
static gboolean
check_tiles (const FftRun *run, GError **error)
{
  gsize first;

  for (first = 0; first < run->single.tiles; first += run->single.fft.across)
    if (exceeds_peak (run, run->state + first))
      return fx_refuse (error,
                        _ ("The picture has infinite values. With a matrix of more than %d rows "
                           "or columns, these need the CPU"),
                        CONVOLVE_SMALL_MAX);
  return TRUE;
}

/* Recomputes the flagged tiles in double precision. The CPU could compute such pictures, as it does
 * those with infinities, but soft alpha is common: under 127x127 values it takes 0.6 ms on an H100,
 * and some 200 ms on two cores. */
static gboolean
recompute_large (FftRun *run, GError **error)
{
  const guint *flags = run->state + 2 * (run->single.tiles + run->precise.tiles);
  char *tables = (char *) run->single.fft.spectrum +
                 convolve_gpu_fft_get_table_bytes (&run->single.tile);
  gsize i;

  if (! check_tiles (run, error))
    return FALSE;
  run->precise.fft.cells = run->single.fft.cells;
  for (i = 0; i < run->precise.tiles; i++)
    if (flags[i] && (! convolve_gpu_fft_make_tables (run, &run->precise, tables, error) ||
                     ! convolve_gpu_fft_queue_tiles (run, &run->precise, i, 1, error)))
      return FALSE;
  return TRUE;
}

gboolean
convolve_gpu_fft_recompute_area (FftRun *run, const FxRect *area, GError **error)
{
  FxGpuRun *base = &run->base.base;
  const ConvolveStrategy *strategy = &convolve_plan_get (base->base.plan)->strategy;
  gsize n = count_state (run->single.tiles, run->precise.tiles);

  if (! strategy->gpu.finds_peaks)
    return TRUE;
  if (! fx_gpu_download (base->gpu, run->state, run->single.fft.peaks, n * sizeof *run->state,
                         error) ||
      ! fx_gpu_wait (base->gpu, error))
    return FALSE;
  base->queued = 0.0;
  return strategy->large ? recompute_large (run, error) : recompute_small (run, area, error);
}
