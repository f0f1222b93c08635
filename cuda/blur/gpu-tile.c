#include "gpu-tile.h"

#include "shared.h"

static gsize
get_tile_shared (int channels, gsize x, gsize y, gsize tile)
{
  gsize weights = (2 * x + RUN) / RUN * RUN + (2 * y + RUN) / RUN * RUN;
  gsize line = (tile + 2 * x) * (RUN + 1) * channels;
  gsize ring = ((2 * y + RUN - 1) / RUN + 1) * RUN * (tile + 1) * channels;

  return (weights + line + ring) * sizeof (float);
}

static const int widest[] = { 256, 128, 128, 64 };

static int
get_narrowest (const FxPlan *plan)
{
  return widest[plan->codec.format.channels - 1] / 4;
}

/* Returns the shared memory of a block, in bytes. fir.cu decodes, filter-grid.cu does not. */
static gsize
gpu_tile_get_shared (const FxPlan *plan, int tile)
{
  const BlurPlan *blur = blur_plan_get (plan);
  gsize table = blur_plan_is_multires (plan) ? 0 : fx_shared_get_table (&plan->codec);

  return table +
         get_tile_shared (plan->codec.format.channels, blur->x->radius, blur->y->radius, tile);
}

gboolean
blur_tile_fits (const FxPlan *plan)
{
  const BlurPlan *blur = blur_plan_get (plan);

  return MAX (blur->x->radius, blur->y->radius) <= RADIUS_MAX &&
         gpu_tile_get_shared (plan, get_narrowest (plan)) <= FX_SHARED_LEAST;
}

int
blur_tile_choose (const FxProgramCase *program_case)
{
  gsize most = fx_shared_get_half (program_case);
  int tile = widest[program_case->codec.format.channels - 1];

  while (tile > get_narrowest (program_case->plan) &&
         gpu_tile_get_shared (program_case->plan, tile) > most)
    tile /= 2;
  return tile;
}

void
blur_define_tile (const FxProgramCase *program_case, GString *text)
{
  g_string_append_printf (text, "#define TILE %d\n", blur_tile_choose (program_case));
}

gboolean
blur_tile_has_room (const BlurGpuRun *run, const BlurTaps *x, const BlurTaps *y)
{
  int channels = run->base.base.plan->codec.format.channels;
  gsize block, processor;

  fx_gpu_get_shared (run->base.gpu, &block, &processor);
  return get_tile_shared (channels, x->radius, y->radius, run->tile) <= block;
}

FxLaunch
blur_tile_get_launch (const BlurGpuRun *run, const BlurTaps *x, const BlurTaps *y, int columns)
{
  int channels = run->base.base.plan->codec.format.channels;

  return (FxLaunch) {
    .x = fx_ceil_div (columns, run->tile),
    .threads = run->tile * channels,
    .shared = get_tile_shared (channels, x->radius, y->radius, run->tile),
  };
}
