#include "gpu-tile.h"

#define SHARED_LEAST    49152 /* the bytes that a block may use on any device */
#define SHARED_RESERVED 1024  /* the bytes per block that some devices reserve */

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

/* Returns the bytes of shared memory that fir.cu uses in addition to its tile. */
static gsize
get_static_shared (const FxPlan *plan)
{
  return plan->codec.format.sample == FX_SAMPLE_U8 && plan->codec.curve != FX_CURVE_NONE &&
             ! blur_plan_is_multires (plan)
           ? FX_COLOR_TABLE * sizeof (float)
           : 0;
}

static gsize
get_shared (const FxPlan *plan, int tile)
{
  const BlurPlan *blur = blur_plan_get (plan);

  return get_static_shared (plan) +
         get_tile_shared (plan->codec.format.channels, blur->x.radius, blur->y.radius, tile);
}

gboolean
blur_tile_fits (const FxPlan *plan)
{
  const BlurPlan *blur = blur_plan_get (plan);

  return MAX (blur->x.radius, blur->y.radius) <= RADIUS_MAX &&
         get_shared (plan, get_narrowest (plan)) <= SHARED_LEAST;
}

int
blur_tile_choose (const FxProgramCase *what)
{
  gsize most = MIN (what->shared_block, what->shared_processor / 2 - SHARED_RESERVED);
  int tile = widest[what->codec.format.channels - 1];

  while (tile > get_narrowest (what->plan) && get_shared (what->plan, tile) > most)
    tile /= 2;
  return tile;
}

void
blur_define_tile (const FxProgramCase *what, GString *text)
{
  g_string_append_printf (text, "#define TILE %d\n", blur_tile_choose (what));
}

gboolean
blur_tile_has_room (const BlurGpuRun *run, int tile, const BlurTaps *x, const BlurTaps *y)
{
  int channels = run->base.base.plan->codec.format.channels;
  gsize block, processor;

  fx_gpu_get_shared (run->base.gpu, &block, &processor);
  return get_tile_shared (channels, x->radius, y->radius, tile) <= block;
}

FxLaunch
blur_tile_get_launch (const BlurGpuRun *run, int tile, const BlurTaps *x, const BlurTaps *y,
                      int columns)
{
  int channels = run->base.base.plan->codec.format.channels;

  return (FxLaunch) {
    .x = fx_ceil_div (columns, tile),
    .threads = tile * channels,
    .shared = get_tile_shared (channels, x->radius, y->radius, tile),
  };
}
