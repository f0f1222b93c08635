#include "door.h"

#include "aperture.h"
#include "backend.h"
#include "blur-plan.h"
#include "bytes.h"
#include "choice.h"
#include "convolve-plan.h"
#include "cpu-blocks.h"
#include "cpu-fft-tile.h"
#include "error.h"
#include "filter-words.h"
#include "filters.h"
#include "focus.h"
#include "judge.h"
#include "preview.h"
#include "vector.h"
#if HAVE_CUDA
#include "blur-gpu.h"
#include "gpu-fft.h"
#include "gpu-view.h"
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
#endif

void
door_open (void)
{
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
  judge_start ();
}

int
door_get_vector_unit (void)
{
  return (int) fx_vector_get_unit ();
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

FxPlan *
door_plan_new (const FilterSettings *settings, const FxFormat *format, const FxGeometry *geometry,
               gboolean coverage)
{
  if (! fx_format_check (format, NULL)) /* which filter_settings_make_plan does not take */
    return filter_settings_get_filter (settings)->make_plan (settings, format, geometry, coverage);
  return filter_settings_make_plan (settings, format, geometry, coverage);
}

void
door_plan_choose (FxPlan *plan, int path, int columns, int rows, gsize scratch)
{
  const ConvolveChoice choice = { path, columns, rows, scratch };

  convolve_plan_choose ((ConvolvePlan *) plan, &choice);
}
