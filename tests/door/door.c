#include "door.h"

#include "aperture.h"
#include "backend.h"
#include "blur-plan.h"
#include "bytes.h"
#include "cache.h"
#include "choice.h"
#include "convolve-plan.h"
#include "cpu-blocks.h"
#include "cpu-fft-tile.h"
#include "devices.h"
#include "error.h"
#include "filter-words.h"
#include "filters.h"
#include "fir.h"
#include "focus.h"
#include "judge.h"
#include "line.h"
#include "machine.h"
#include "preview.h"
#include "pyramid.h"
#if HAVE_CUDA
#include "blur-gpu.h"
#include "device-private.h"
#include "gpu-fft.h"
#include "gpu-view.h"
#include "nvrtc-folders.h"
#include "safe-path.h"
#endif

#define SIZE(name)      \
  {                     \
#name, sizeof(name) \
  }

const DoorSize door_sizes[] = {
#if HAVE_CUDA
  SIZE (ConvolveFft),  SIZE (FxProgramCase),
#endif
  SIZE (BlurPlan),     SIZE (ConvolveFftSize), SIZE (ConvolveFftPair), SIZE (ConvolveFftTile),
  SIZE (ConvolvePlan), SIZE (FxBytes),         SIZE (FxBackend),       SIZE (FxConfig),
  SIZE (FxCodec),      SIZE (FxCpuPath),       SIZE (FxFormat),        SIZE (FxGeometry),
  SIZE (FxImage),      SIZE (FxPlan),          SIZE (FxRect),          SIZE (FxReport),
  SIZE (FxStrip),      SIZE (FxTask),          SIZE (FxView),          SIZE (FxViewReport),
  SIZE (FocusMap),     SIZE (FocusParams),     SIZE (LensParams),      { NULL },
};

#define FUNCTION(name)           \
  {                              \
#name, (void (*)(void)) name \
  }

const DoorFunction door_functions[] = {
  FUNCTION (blur_axis_clear),
  FUNCTION (blur_axis_init_multires),
  FUNCTION (blur_line_filter),
  FUNCTION (blur_line_get_bytes),
  FUNCTION (blur_line_get_source),
  FUNCTION (blur_line_init),
  FUNCTION (convolve_fft_fill_factors),
  FUNCTION (convolve_fft_invert),
  FUNCTION (convolve_fft_tile_convolve),
  FUNCTION (convolve_fft_tile_count_points),
  FUNCTION (convolve_fft_tile_get_spectrum),
  FUNCTION (convolve_fft_transform),
#if HAVE_CUDA
  FUNCTION (convolve_gpu_fft_set_errors),
  FUNCTION (fx_compiler_close),
  FUNCTION (fx_compiler_get_archs),
  FUNCTION (fx_compiler_get_identity),
  FUNCTION (fx_compiler_get_version),
  FUNCTION (fx_compiler_open),
  FUNCTION (fx_gpu_free_kernels),
  FUNCTION (fx_gpu_get_capacity),
  FUNCTION (fx_gpu_get_free_memory),
  FUNCTION (fx_gpu_get_kernel),
  FUNCTION (fx_gpu_get_launch_limit),
  FUNCTION (fx_gpu_get_shared),
  FUNCTION (fx_gpu_launch),
  FUNCTION (fx_nvrtc_folders),
  FUNCTION (fx_path_is_safe),
  FUNCTION (fx_program_compile),
  FUNCTION (fx_program_get),
  FUNCTION (fx_program_get_key),
  FUNCTION (fx_program_get_text),
  FUNCTION (fx_target_choose),
#endif
  FUNCTION (convolve_matrix_clear),
  FUNCTION (convolve_matrix_init),
  FUNCTION (convolve_plan_new_for),
  FUNCTION (convolve_strategy_choose_size),
  FUNCTION (convolve_strategy_choose_tile),
  FUNCTION (fx_bytes_get_coder),
  FUNCTION (fx_cache_free),
  FUNCTION (fx_cache_get),
  FUNCTION (fx_cache_new),
  FUNCTION (fx_cache_put),
  FUNCTION (fx_codec_decode),
  FUNCTION (fx_codec_decode_pixels),
  FUNCTION (fx_codec_encode),
  FUNCTION (fx_codec_encode_pixels),
  FUNCTION (fx_codec_get_magnification),
  FUNCTION (fx_codec_set_highlights),
  FUNCTION (fx_cpu_blocks_pull),
  FUNCTION (fx_deinterleave),
  FUNCTION (fx_engine_get_cpu),
  FUNCTION (fx_engine_get_gpu_owner),
  FUNCTION (fx_fir_get),
  FUNCTION (fx_gpu_close),
  FUNCTION (fx_gpu_get_name),
  FUNCTION (fx_gpu_open),
  FUNCTION (fx_gpu_owner_get_reason),
  FUNCTION (fx_gpu_owner_peek_gpu),
  FUNCTION (fx_gpu_owner_wait),
  FUNCTION (fx_gpu_use),
  FUNCTION (fx_interleave),
  FUNCTION (fx_layout_get_source_columns),
  FUNCTION (fx_layout_get_strip),
  FUNCTION (fx_layout_new),
  FUNCTION (fx_machine_get_cores),
  FUNCTION (fx_machine_get_memory),
  FUNCTION (fx_pyramid_change),
  FUNCTION (fx_pyramid_free),
  FUNCTION (fx_pyramid_get),
  FUNCTION (fx_pyramid_get_size),
  FUNCTION (fx_pyramid_new),
  FUNCTION (fx_row_accumulate),
  FUNCTION (fx_rows_combine),
  FUNCTION (fx_rows_restore_infinities),
  FUNCTION (fx_strip_get_columns),
  FUNCTION (fx_strip_get_ring_rows),
  FUNCTION (fx_strip_get_rows),
  FUNCTION (fx_strip_get_source_rows),
  FUNCTION (fx_task_choose),
  FUNCTION (fx_task_expect),
  FUNCTION (fx_task_learn),
  FUNCTION (fx_task_new),
  FUNCTION (fx_team_free),
  FUNCTION (fx_team_new),
  FUNCTION (fx_vector_get_unit),
  FUNCTION (lens_aperture_fill),
  FUNCTION (lens_aperture_get_reach),
  { NULL },
};

#if HAVE_CUDA
const FxProgram *const door_programs[] = {
  &blur_program_columns,
  &blur_program_decimate_grid,
  &blur_program_decimate_source,
  &blur_program_filter_grid,
  &blur_program_fir,
  &blur_program_fir_specialised,
  &blur_program_interpolate_grid,
  &blur_program_interpolate_result,
  &blur_program_rows,
  &fx_program_reduce,
  &convolve_program_direct,
  &convolve_program_direct_specialised,
  &convolve_program_products,
  &convolve_program_fft[0],
  &convolve_program_fft[1],
  &convolve_program_fft[2],
  &convolve_program_fft[3],
  &convolve_program_fft_precise[0],
  &convolve_program_fft_precise[1],
  &convolve_program_fft_precise[2],
  &convolve_program_fft_precise[3],
  &convolve_program_fft_recompute,
  NULL,
};

const FxBackend *
door_get_gpu_backend (void)
{
  return &fx_gpu_backend;
}
#endif

void
door_open (void)
{
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
  judge_start ();
}

FilterSettings *
door_settings_new (const char *procedure, char *const *words, int n, GError **error)
{
  const FilterDescription *filter = filters_find (procedure);

  if (filter)
    return filter_settings_from_words (filter, words, n, error);
  fx_refuse (error, "There is no filter '%s'", procedure);
  return NULL;
}

/* Returns -1 with error if there is no such property. */
static int
find_property (const FilterSettings *settings, const char *name, GError **error)
{
  const int i = filter_find_property (filter_settings_get_filter (settings), name);

  if (i < 0)
    fx_refuse (error, "There is no property '%s'", name);
  return i;
}

gboolean
door_settings_set (FilterSettings *settings, const char *name, double value, GError **error)
{
  const int i = find_property (settings, name, error);

  if (i >= 0)
    filter_settings_set (settings, (guint) i, value);
  return i >= 0;
}

gboolean
door_settings_set_matrix (FilterSettings *settings, const char *name, int rows, int columns,
                          const double *values, GError **error)
{
  const int i = find_property (settings, name, error);
  FilterMatrix *matrix = filter_matrix_new (rows, columns, rows * columns, values);

  if (i >= 0)
    filter_settings_set_matrix (settings, (guint) i, matrix);
  filter_matrix_free (matrix);
  return i >= 0;
}

void
door_settings_set_map (FilterSettings *settings, const float *values, int x, int y, int width,
                       int height)
{
  float *copy = g_memdup2 (values, sizeof *values * (gsize) width * (gsize) height);
  g_autoptr (FilterMap) map = filter_map_new (copy, x, y, width, height);

  filter_settings_set_map (settings, map);
}

char *
door_settings_describe (const FilterSettings *settings)
{
  return filter_settings_describe (settings, NULL);
}

FxPlan *
door_plan_new (const FilterSettings *settings, const FxFormat *format, const FxGeometry *geometry,
               gboolean coverage)
{
  if (! fx_format_check (format, NULL)) /* which filter_settings_make_plan does not take */
    return filter_settings_get_filter (settings)->make_plan (settings, format, geometry, coverage);
  return filter_settings_make_plan (settings, format, geometry, coverage);
}

gboolean
door_plan_get_reach (const FxPlan *plan, const FxRect *region, int reach[4])
{
  const FxRect source = fx_reach_get_source (&plan->reach, region);

  reach[0] = region->x - source.x;
  reach[1] = source.x + source.width - region->x - region->width;
  reach[2] = region->y - source.y;
  reach[3] = source.y + source.height - region->y - region->height;
  return plan->identity;
}

FxPlan *
door_plan_get_draft (FxPlan *plan, int level)
{
  return plan->filter->get_draft (plan, level);
}

const char *
door_plan_get_name (const FxPlan *plan)
{
  return plan->filter->name;
}

void
door_plan_set_straight (FxPlan *plan)
{
  plan->codec.alpha = FX_ALPHA_STRAIGHT;
}

void
door_plan_choose (FxPlan *plan, int path, int columns, int rows, gsize scratch)
{
  const ConvolveChoice choice = { path, columns, rows, scratch };

  convolve_plan_choose ((ConvolvePlan *) plan, &choice);
}
