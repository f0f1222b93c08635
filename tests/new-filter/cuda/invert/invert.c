#include "invert.h"

#include "cpu-blocks.h"
#include "error.h"

#if HAVE_CUDA
#include "gpu-run.h"
#include "invert-kernels.h"
#endif

typedef struct {
  FxPlan base;
  float factor, added; /* the result is v times factor plus added */
} InvertPlan;

/* The path on the CPU. */

enum { CPU_COLUMNS = 256, CPU_ROWS = 8 }; /* of a block */

static void
filter_block (const FxCpuBlocks *run, const FxRect *block, guint8 *result, gsize stride, int thread)
{
  const InvertPlan *plan = (const InvertPlan *) run->base.plan;
  const FxCodec *codec = &plan->base.codec;
  int colors = codec->format.channels - fx_format_has_alpha (&codec->format);
  int step = fx_interleave_get_step (codec->format.channels);
  float pixels[CPU_COLUMNS * FX_CHANNELS_MAX];

  for (int row = 0; row < block->height; row++)
    {
      fx_codec_decode_pixels (codec, fx_cpu_blocks_get_stored (run, block->x, block->y + row),
                              block->width, pixels);
      for (int i = 0; i < block->width; i++)
        for (int c = 0; c < colors; c++)
          pixels[i * step + c] = pixels[i * step + c] * plan->factor + plan->added;
      fx_codec_encode_pixels (codec, pixels, block->width, result + row * stride);
    }
}

static void
init (FxCpuBlocks *run)
{
  run->keeps_source = TRUE;
  run->columns = CPU_COLUMNS;
  run->rows = CPU_ROWS;
  run->filter = filter_block;
}

static const FxCpuPath cpu_path = { .size = sizeof (FxCpuBlocks), .init = init };

/* The path on the GPU. */

#if HAVE_CUDA
enum { COLUMNS = 128, ROWS = 8 }; /* of a block, which has a thread for each column */

static void
define (const FxProgramCase *program_case, GString *text)
{
  fx_define_source (program_case, text);
  g_string_append_printf (text, "#define COLUMNS %d\n#define ROWS %d\n", COLUMNS, ROWS);
}

static const FxProgram program = { "invert", "invert.cu", invert_kernels_get_resource, define };

static gboolean
pull_part (FxGpuRun *run, const FxRect *part, gpointer data, GError **error)
{
  const InvertPlan *plan = (const InvertPlan *) run->base.plan;
  float factor = plan->factor, added = plan->added;
  int left = part->x, right = part->x + part->width, top = part->y, end = part->y + part->height;
  gpointer result = fx_gpu_run_get_row (run, part->y);
  FxLaunch launch = fx_gpu_get_launch (part, COLUMNS, ROWS, COLUMNS);
  void *args[] = { &run->source, &factor, &added, &left, &right, &top, &end, &result };

  return fx_gpu_launch (run->gpu, run->kernels[0], &launch, args, error);
}

static gboolean
pull (FxGpuRun *run, const FxRect *area, GError **error)
{
  return fx_gpu_run_queue (run, area, 1, 0, ROWS, pull_part, NULL, error);
}

static const FxGpuPath gpu_path = {
  .size = sizeof (FxGpuRun),
  .programs = { &program },
  .pull = pull,
};
#endif

/* The filter. */

gboolean
invert_params_check (const InvertParams *params, GError **error)
{
  return fx_check_range ("amount", params->amount, 0.0, 1.0, error) &&
         fx_light_check (params->light, error);
}

FxPlan *
invert_plan_new (const InvertParams *params, const FxFormat *format, GError **error)
{
  static const FxFilter filter = { .name = "invert", .get_draft = fx_plan_get_same };
  InvertPlan *plan;
  FxCodec codec;

  if (! invert_params_check (params, error) || ! fx_format_check (format, error))
    return NULL;
  codec = fx_codec_new (format, params->light);
  codec.alpha = FX_ALPHA_STRAIGHT;
  plan = g_new0 (InvertPlan, 1);
  fx_plan_init (&plan->base, &filter, &codec, FX_ABYSS_CLAMP);
  plan->base.cpu_cost = 2.0;
  plan->base.cpu_path = &cpu_path;
  plan->base.gpu_path = FX_GPU_PATH (gpu_path);
  plan->base.identity = params->amount == 0.0;
  plan->factor = (float) (1.0 - 2.0 * params->amount);
  plan->added = (float) params->amount;
  return &plan->base;
}
