/* A matrix as a product of Fourier transforms, on the GPU: overlap-save over tiles (Press and
 * others, Numerical Recipes, 13.1), which pass through memory between the rows and the columns. */
#include "convolve-kernels.h" /* generated from kernels/kernels.gresource.xml */
#include "gpu-fft-tile.h"
#include "gpu-taps.h"
#include "error.h"
#include "translations.h"

#include "kernels/fft-args.h" /* needs args.h before it */

#include <glib/gi18n-lib.h>
#include <math.h>

/* The tiles of one launch. 64 MB take a tenth longer for 3840x2160 pixels, of which this holds all
 * tiles up to a matrix of 255x255. Bands of an image that have fewer tiles take less. */
#define SCRATCH_BYTES ((gsize) 256 << 20)

/* The cost of a sample, in taps of a launch's limit (gpu/device.c), in the kernel that takes
 * longest and in all three: 8.6 and 14.3 ps on an H100. */
#define KERNEL_COST 50.0
#define SAMPLE_COST 85.0

/* Results that are recomputed, at most, and the cost of their taps: 4.5 to 7.2 of the others. */
#define LIST_MAX  (1 << 19)
#define MEND_COST 7.0

#define MEND_BLOCKS 2048
#define MEND_EACH   32 /* threads for a result: a warp */

enum { ROWS, COLUMNS, RESULT, SPECTRUM, DIRECT, MEND, PROGRAMS };

typedef struct {
  ConvolveGpuRun base;
  ConvolveGpuFftTile tile;
  ConvolveFft fft;
  ConvolveTile direct; /* for tiles that a transform cannot do */
  GArray *factors;     /* of ConvolveComplex, while they are uploaded */
  guint *state;        /* of an area: peaks and levels of its tiles, and the length of the list */
} FftRun;

/* Programs. */

static void
define_fft (const FxProgramCase *program_case, int length, GString *text)
{
  const ConvolvePlan *plan = convolve_plan_get (program_case->plan);

  g_string_append_printf (text, "#define LENGTH %d\n#define PEAKS %d\n#define LARGE %d\n", length,
                          convolve_gpu_fft_needs_peaks (plan),
                          convolve_matrix_is_large (&plan->matrix));
}

static void
define_rows (const FxProgramCase *program_case, GString *text)
{
  fx_define_codec (text, &program_case->codec);
  fx_define_abyss (text, program_case->plan);
  fx_define_extended (text, program_case->extended);
  define_fft (program_case,
              convolve_gpu_fft_choose_tile (convolve_plan_get (program_case->plan)).columns, text);
}

static void
define_fft_result (const FxProgramCase *program_case, GString *text)
{
  convolve_define_result (program_case, text);
  define_fft (program_case,
              convolve_gpu_fft_choose_tile (convolve_plan_get (program_case->plan)).columns, text);
}

static void
define_columns (const FxProgramCase *program_case, GString *text)
{
  const ConvolvePlan *plan = convolve_plan_get (program_case->plan);

  g_string_append_printf (text, "#define LENGTH %d\n#define PLANES %d\n",
                          convolve_gpu_fft_choose_tile (plan).rows,
                          convolve_gpu_fft_get_planes (plan));
}

static void
define_spectrum (const FxProgramCase *program_case, GString *text)
{
  g_string_append_printf (text, "#define LENGTH %d\n",
                          convolve_gpu_fft_choose_tile (convolve_plan_get (program_case->plan))
                            .columns);
}

const FxProgram convolve_program_fft_rows = { "convolve-fft-rows", "fft-rows.cu",
                                              convolve_kernels_get_resource, define_rows };
const FxProgram convolve_program_fft_columns = { "convolve-fft-columns", "fft-columns.cu",
                                                 convolve_kernels_get_resource, define_columns };
const FxProgram convolve_program_fft_result = { "convolve-fft-result", "fft-result.cu",
                                                convolve_kernels_get_resource, define_fft_result };
const FxProgram convolve_program_fft_mend = { "convolve-fft-mend", "fft-mend.cu",
                                              convolve_kernels_get_resource,
                                              convolve_define_result };
const FxProgram convolve_program_fft_spectrum = { "convolve-fft-spectrum", "fft-spectrum.cu",
                                                  convolve_kernels_get_resource, define_spectrum };

static int
fft_get_programs (const FxPlan *plan, FxVersions versions, const FxProgram **programs)
{
  const ConvolvePlan *own = convolve_plan_get (plan);

  programs[ROWS] = &convolve_program_fft_rows;
  programs[COLUMNS] = &convolve_program_fft_columns;
  programs[RESULT] = &convolve_program_fft_result;
  programs[SPECTRUM] = &convolve_program_fft_spectrum;
  programs[DIRECT] = &convolve_program_direct;
  programs[MEND] = &convolve_program_fft_mend;
  if (convolve_gpu_fft_may_mend (own))
    return PROGRAMS;
  return convolve_gpu_fft_needs_peaks (own) && ! convolve_matrix_is_large (&own->matrix) ? MEND
                                                                                         : DIRECT;
}

/* Sizes. */

static gsize
count_tiles (const ConvolveGpuFftTile *tile, int width, int rows)
{
  return (gsize) fx_ceil_div (width, tile->step_x) * fx_ceil_div (rows, tile->step_y);
}

/* Returns how many of some tiles one launch transforms. */
static gsize
count_together (const ConvolvePlan *plan, const ConvolveGpuFftTile *tile, gsize tiles)
{
  gsize bytes = plan->choice.scratch > 0 ? plan->choice.scratch : SCRATCH_BYTES;
  gsize most = bytes / convolve_gpu_fft_get_tile_bytes (plan, tile);

  return CLAMP (tiles, 1, MAX (most, 1));
}

/* Returns the most results of an area that are worth a list. */
static gsize
get_list_size (const ConvolvePlan *plan, gsize results)
{
  return convolve_gpu_fft_may_mend (plan) ? MIN (results / 16, LIST_MAX) : 0;
}

/* The tiles, the peaks and levels, and the list, of results results. */
static gsize
get_scratch_bytes (const ConvolvePlan *plan, const ConvolveGpuFftTile *tile, gsize tiles,
                   gsize results)
{
  return count_together (plan, tile, tiles) * convolve_gpu_fft_get_tile_bytes (plan, tile) +
         (2 * tiles + 1 + get_list_size (plan, results)) * sizeof (guint);
}

static gsize
fft_get_bytes (const FxPlan *base, const FxStrip *strip)
{
  const ConvolvePlan *plan = convolve_plan_get (base);
  const ConvolveGpuFftTile tile = convolve_gpu_fft_choose_tile (plan);
  gsize results = (gsize) (strip->x1 - strip->x0) * strip->chunk_rows;
  gsize tiles = count_tiles (&tile, strip->x1 - strip->x0, strip->chunk_rows);
  gsize factors = 2 * (tile.columns + tile.rows) * sizeof (ConvolveComplex); /* at most */

  return get_scratch_bytes (plan, &tile, tiles, results) +
         convolve_gpu_fft_get_spectrum_bytes (&tile) + factors;
}

/* The spectrum. */

/* Appends the twiddle factors of transforms of length values. */
static void
append_factors (GArray *factors, int length)
{
  int rest = g_bit_storage (length) - 1, done = 1, size, r, k;

  for (; rest > 0; rest -= FFT_BITS (rest), done *= size)
    {
      size = 1 << FFT_BITS (rest);
      for (r = 0; r < size && done > 1; r++)
        for (k = 0; k < done; k++)
          {
            double angle = -2.0 * G_PI * r * k / ((double) size * done);
            ConvolveComplex factor = { (float) cos (angle), (float) sin (angle) };

            g_array_append_val (factors, factor);
          }
    }
}

/* Uploads the twiddle factors behind the spectrum. */
static gboolean
upload_factors (FftRun *run, GError **error)
{
  FxGpu *gpu = run->base.base.gpu;
  gsize spectrum = convolve_gpu_fft_get_spectrum_bytes (&run->tile), size;
  char *memory;
  guint along_y;

  run->factors = g_array_new (FALSE, FALSE, sizeof (ConvolveComplex));
  append_factors (run->factors, run->tile.columns);
  along_y = run->factors->len;
  append_factors (run->factors, run->tile.rows);
  size = run->factors->len * sizeof (ConvolveComplex);
  memory = fx_gpu_get_buffer (gpu, FX_BUFFER_PATH_2, spectrum + size, error);
  if (! memory)
    return FALSE;
  run->fft.spectrum = (ConvolveComplex *) memory;
  run->fft.along_x = (ConvolveComplex *) (memory + spectrum);
  run->fft.along_y = run->fft.along_x + along_y;
  return fx_gpu_upload (gpu, memory + spectrum, run->factors->data, size, error);
}

static gboolean
launch_columns (FftRun *run, int first, unsigned planes, int matrix, GError **error)
{
  FxGpuRun *base = &run->base.base;
  FxLaunch launch = {
    .x = run->tile.columns / FFT_BESIDE (run->tile.rows),
    .y = planes,
    .threads = run->tile.rows / FFT_EACH * FFT_BESIDE (run->tile.rows),
  };
  void *args[] = { &run->base.taps, &run->fft, &first, &run->tile.columns, &matrix };

  return fx_gpu_launch (base->gpu, base->kernels[COLUMNS], &launch, args, error);
}

static int
get_lines (const FftRun *run)
{
  return FFT_THREADS * FFT_EACH / run->tile.columns;
}

/* Queues the transform of the matrix. */
static gboolean
make_spectrum (FftRun *run, GError **error)
{
  FxGpuRun *base = &run->base.base;
  FxLaunch launch = { .x = run->tile.rows / get_lines (run), .y = 1, .threads = FFT_THREADS };
  void *args[] = { &run->base.taps, &run->fft, &run->tile.rows };

  run->fft.cells = (ConvolveComplex *) run->fft.spectrum;
  return fx_gpu_launch (base->gpu, base->kernels[SPECTRUM], &launch, args, error) &&
         launch_columns (run, 0, 1, TRUE, error);
}

/* The run. */

static void
trace_tile (const FftRun *run)
{
  g_autofree char *text = g_strdup_printf ("FFT, %dx%d", run->tile.rows, run->tile.columns);

  convolve_trace_path (convolve_plan_get (run->base.base.base.plan), text);
}

static gboolean
fft_begin (FxGpuRun *base, GError **error)
{
  const FxProgramCase program_case = fx_gpu_run_get_case (base);
  const ConvolvePlan *plan = convolve_plan_get (base->base.plan);
  const ConvolveGpuFftErrors errors = convolve_gpu_fft_get_errors (plan);
  FftRun *run = (FftRun *) base;

  run->tile = convolve_gpu_fft_choose_tile (plan);
  run->direct = convolve_tile_choose (&program_case);
  run->fft.step_x = run->tile.step_x;
  run->fft.step_y = run->tile.step_y;
  run->fft.noise = errors.noise;
  run->fft.error = errors.error;
  run->fft.allowed = errors.allowed;
  trace_tile (run);
  return convolve_gpu_run_begin (&run->base, error) && upload_factors (run, error) &&
         make_spectrum (run, error);
}

/* Returns the cost of results that are recomputed. */
static double
get_mend_cost (const FftRun *run, double results)
{
  return MEND_COST * results * run->base.taps.rows * run->base.taps.columns *
         run->base.base.base.plan->codec.format.channels;
}

/* Lays out the memory for an area. */
static gboolean
allocate_area (FftRun *run, const FxRect *area, gsize tiles, GError **error)
{
  FxGpuRun *base = &run->base.base;
  const ConvolvePlan *plan = convolve_plan_get (base->base.plan);
  gsize results = (gsize) area->width * area->height;
  char *memory = fx_gpu_get_buffer (base->gpu, FX_BUFFER_PATH_1,
                                    get_scratch_bytes (plan, &run->tile, tiles, results), error);

  if (! memory)
    return FALSE;
  run->fft.cells = (ConvolveComplex *) memory;
  run->fft.peaks = (unsigned *) (memory + count_together (plan, &run->tile, tiles) *
                                            convolve_gpu_fft_get_tile_bytes (plan, &run->tile));
  run->fft.levels = run->fft.peaks + tiles;
  run->fft.list = (ConvolveList *) (run->fft.levels + tiles);
  run->fft.list_size = (int) get_list_size (plan, results);
  return TRUE;
}

static gboolean
prepare_area (FftRun *run, const FxRect *area, gsize tiles, GError **error)
{
  FxGpuRun *base = &run->base.base;
  gsize size = (2 * tiles + 1) * sizeof *run->state;

  if (! allocate_area (run, area, tiles, error))
    return FALSE;
  run->fft.x = area->x;
  run->fft.y = area->y;
  run->fft.width = area->width;
  run->fft.height = area->height;
  run->fft.across = fx_ceil_div (area->width, run->tile.step_x);
  if (! convolve_gpu_fft_needs_peaks (convolve_plan_get (base->base.plan)))
    return TRUE;
  run->state = g_realloc (run->state, size);
  memset (run->state, 0, size);
  return fx_gpu_upload (base->gpu, run->fft.peaks, run->state, size, error);
}

static gboolean
launch_rows (FftRun *run, int first, unsigned tiles, GError **error)
{
  FxGpuRun *base = &run->base.base;
  int rows = MIN (run->fft.height, run->tile.step_y) + run->base.taps.rows - 1;
  FxLaunch launch = {
    .x = fx_ceil_div (rows, get_lines (run)) *
         convolve_gpu_fft_get_planes (convolve_plan_get (base->base.plan)),
    .y = tiles,
    .threads = FFT_THREADS,
  };
  void *args[] = { &base->source, &run->base.taps, &run->fft,
                   &first,        &run->tile.rows, convolve_gpu_run_get_highlights (base) };

  return fx_gpu_launch (base->gpu, base->kernels[ROWS], &launch, args, error);
}

static gboolean
launch_result (FftRun *run, int first, unsigned tiles, GError **error)
{
  FxGpuRun *base = &run->base.base;
  FxLaunch launch = {
    .x = fx_ceil_div (MIN (run->fft.height, run->tile.step_y), get_lines (run)),
    .y = tiles,
    .threads = FFT_THREADS,
  };
  void *args[] = { &base->source,
                   &run->fft,
                   &run->base.after,
                   &first,
                   &run->tile.rows,
                   &base->result,
                   convolve_gpu_run_get_highlights (base) };

  return fx_gpu_launch (base->gpu, base->kernels[RESULT], &launch, args, error);
}

static gboolean
queue_tiles (FftRun *run, gsize tiles, GError **error)
{
  FxGpuRun *base = &run->base.base;
  const ConvolvePlan *plan = convolve_plan_get (base->base.plan);
  int planes = convolve_gpu_fft_get_planes (plan);
  double samples = 2.0 * planes * run->tile.columns * run->tile.rows;
  double most = fx_gpu_get_launch_limit (base->gpu) / (KERNEL_COST * samples);
  gsize within = (gsize) MIN (most, FX_BLOCKS_Y_MAX / planes);
  gsize together = MIN (count_together (plan, &run->tile, tiles), MAX (within, 1)), first;

  for (first = 0; first < tiles; first += together)
    {
      unsigned n = (unsigned) MIN (together, tiles - first);

      if (! fx_gpu_run_pace (base, SAMPLE_COST * samples * n, error) ||
          ! launch_rows (run, (int) first, n, error) ||
          ! launch_columns (run, (int) first, n * planes, FALSE, error) ||
          ! launch_result (run, (int) first, n, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
launch_mend (FftRun *run, int first, int end, GError **error)
{
  FxGpuRun *base = &run->base.base;
  int each = MEND_EACH;
  int blocks = MIN (fx_ceil_div (end - first, FFT_MEND_THREADS / each), MEND_BLOCKS);
  FxLaunch launch = { .x = blocks, .y = 1, .threads = FFT_MEND_THREADS };
  void *args[] = { &base->source, &run->base.taps,
                   &run->fft,     &run->base.after,
                   &first,        &end,
                   &blocks,       &each,
                   &base->result, convolve_gpu_run_get_highlights (base) };

  return fx_gpu_launch (base->gpu, base->kernels[MEND], &launch, args, error);
}

/* Recomputes the results that are listed, as many at a time as a launch may. */
static gboolean
mend_results (FftRun *run, int listed, GError **error)
{
  FxGpuRun *base = &run->base.base;
  double most = fx_gpu_get_launch_limit (base->gpu) / get_mend_cost (run, 1.0);
  int together = (int) CLAMP (most, 1.0, listed), first;

  for (first = 0; first < listed; first += together)
    {
      int end = MIN (first + together, listed);

      if (! fx_gpu_run_pace (base, get_mend_cost (run, end - first), error) ||
          ! launch_mend (run, first, end, error))
        return FALSE;
    }
  return TRUE;
}

/* Returns whether a transform could not do one of the tiles that are side by side from first on. */
static gboolean
is_beyond (const FftRun *run, const guint *first)
{
  const ConvolvePlan *plan = convolve_plan_get (run->base.base.base.plan);
  gboolean alpha = fx_format_has_alpha (&plan->base.codec.format);
  float most = FFT_PEAK_MAX (alpha, convolve_matrix_is_large (&plan->matrix)), peak;
  int i;

  for (i = 0; i < run->fft.across; i++)
    {
      memcpy (&peak, first + i, sizeof peak);
      if (! (peak <= most))
        return TRUE;
    }
  return FALSE;
}

/* Computes rows of tiles that a transform could not do by the taps, or all of them. */
static gboolean
mend_tiles (FftRun *run, const FxRect *area, gsize tiles, gboolean all, GError **error)
{
  gsize first;

  for (first = 0; first < tiles; first += run->fft.across)
    {
      FxRect part = *area;

      part.y += (int) first / run->fft.across * run->tile.step_y;
      part.height = MIN (run->tile.step_y, area->y + area->height - part.y);
      if ((all || is_beyond (run, run->state + first)) &&
          ! convolve_gpu_run_queue_direct (&run->base, run->base.base.kernels[DIRECT], &run->direct,
                                           &part, area->y, error))
        return FALSE;
    }
  return TRUE;
}

/* Refuses tiles that a transform could not do: a large matrix's sums would take too long. */
static gboolean
check_tiles (const FftRun *run, gsize tiles, GError **error)
{
  gsize first;

  for (first = 0; first < tiles; first += run->fft.across)
    if (is_beyond (run, run->state + first))
      return fx_refuse (error,
                        _ ("The picture has infinite values. With a matrix of more than %d rows "
                           "or columns, these need the CPU"),
                        CONVOLVE_SMALL_MAX);
  return TRUE;
}

static gboolean
mend_area (FftRun *run, const FxRect *area, gsize tiles, GError **error)
{
  FxGpuRun *base = &run->base.base;
  guint listed;

  if (! fx_gpu_download (base->gpu, run->state, run->fft.peaks,
                         (2 * tiles + 1) * sizeof *run->state, error) ||
      ! fx_gpu_wait (base->gpu, error))
    return FALSE;
  base->queued = 0.0;
  if (convolve_matrix_is_large (&convolve_plan_get (base->base.plan)->matrix))
    return check_tiles (run, tiles, error);
  listed = run->state[2 * tiles];
  if (listed > 0 && listed <= (guint) run->fft.list_size &&
      ! mend_results (run, (int) listed, error))
    return FALSE;
  return mend_tiles (run, area, tiles, listed > (guint) run->fft.list_size, error);
}

static gboolean
fft_pull (FxGpuRun *base, int y, int rows, GError **error)
{
  FftRun *run = (FftRun *) base;
  const FxRect area = fx_gpu_run_get_area (base, y, rows);
  gsize tiles = count_tiles (&run->tile, area.width, rows);

  return prepare_area (run, &area, tiles, error) && queue_tiles (run, tiles, error) &&
         (! convolve_gpu_fft_needs_peaks (convolve_plan_get (base->base.plan)) ||
          mend_area (run, &area, tiles, error));
}

static void
fft_end (FxGpuRun *base)
{
  FftRun *run = (FftRun *) base;

  g_clear_pointer (&run->factors, g_array_unref);
  g_free (run->state);
  convolve_gpu_run_end (base);
}

const FxGpuPath convolve_gpu_fft = {
  .size = sizeof (FftRun),
  .get_source_rows = convolve_gpu_get_source_rows,
  .get_bytes = fft_get_bytes,
  .get_programs = fft_get_programs,
  .begin = fft_begin,
  .pull = fft_pull,
  .end = fft_end,
};
