#include "program.h"
#include "blur-plan.h"
#include "error.h"
#include "blur-kernels.h" /* generated from kernels/kernels.gresource.xml */
#include "trace.h"

#define CACHE_VERSION 4
#define KERNELS       "/org/gimp/cuda-blur/"

/* The files of kernels/, built in. */
static const char *const kernel_names[] = {
  "args.h",           "blur-args.h",         "cover.h",
  "columns.cu",       "convolve-grid.cu",    "convolve.cuh",
  "decimate-grid.cu", "decimate-source.cu",  "fir.cu",
  "image.cuh",        "interpolate-grid.cu", "interpolate-result.cu",
  "multires.cuh",     "pixel.cuh",           "reduce.cu",
  "rows.cu",
};
#define N_KERNELS G_N_ELEMENTS (kernel_names)

/* The source. */

static const char *const kinds[] = {
  [BLUR_PROGRAM_FIR] = "fir.cu",
  [BLUR_PROGRAM_FIR_SPECIALISED] = "fir.cu",
  [BLUR_PROGRAM_ROWS] = "rows.cu",
  [BLUR_PROGRAM_COLUMNS] = "columns.cu",
  [BLUR_PROGRAM_DECIMATE_SOURCE] = "decimate-source.cu",
  [BLUR_PROGRAM_DECIMATE_GRID] = "decimate-grid.cu",
  [BLUR_PROGRAM_CONVOLVE_GRID] = "convolve-grid.cu",
  [BLUR_PROGRAM_INTERPOLATE_GRID] = "interpolate-grid.cu",
  [BLUR_PROGRAM_INTERPOLATE_RESULT] = "interpolate-result.cu",
  [BLUR_PROGRAM_REDUCE] = "reduce.cu",
};

/* From grid to grid: floats, whatever the image is. */
static gboolean
is_of_grids (FxProgramKind kind)
{
  return kind == BLUR_PROGRAM_DECIMATE_GRID || kind == BLUR_PROGRAM_CONVOLVE_GRID ||
         kind == BLUR_PROGRAM_INTERPOLATE_GRID;
}

static gboolean
has_tile (FxProgramKind kind)
{
  return kind == BLUR_PROGRAM_FIR || kind == BLUR_PROGRAM_FIR_SPECIALISED ||
         kind == BLUR_PROGRAM_CONVOLVE_GRID;
}

/* What colour goes through on the way in: a view is made in linear light, whatever the blur's is.
 */
static FxCurve
get_curve (const FxPlan *plan, FxProgramKind kind)
{
  if (is_of_grids (kind))
    return FX_CURVE_NONE;
  if (kind == BLUR_PROGRAM_REDUCE)
    return plan->codec.format.gamma ? FX_CURVE_TO_LINEAR : FX_CURVE_NONE;
  return plan->codec.curve;
}

/* Whether a kernel meets the margin of a grown image. A view does so as it may, for it has time:
 * one program serves all. */
static gboolean
is_of_margin (gboolean grown, FxProgramKind kind)
{
  return kind == BLUR_PROGRAM_REDUCE ||
         (grown && ! is_of_grids (kind) && kind != BLUR_PROGRAM_COLUMNS &&
          kind != BLUR_PROGRAM_INTERPOLATE_RESULT);
}

/* The names that kernels have for what C has in enums. */
static void
append_names (GString *source)
{
  static const struct {
    const char *name;
    int value;
  } names[] = {
    { "SAMPLE_U8", FX_SAMPLE_U8 },
    { "SAMPLE_U16", FX_SAMPLE_U16 },
    { "SAMPLE_U32", FX_SAMPLE_U32 },
    { "SAMPLE_HALF", FX_SAMPLE_HALF },
    { "SAMPLE_FLOAT", FX_SAMPLE_FLOAT },
    { "SAMPLE_DOUBLE", FX_SAMPLE_DOUBLE },
    { "CURVE_NONE", FX_CURVE_NONE },
    { "CURVE_TO_LINEAR", FX_CURVE_TO_LINEAR },
    { "CURVE_TO_PERCEPTUAL", FX_CURVE_TO_PERCEPTUAL },
    { "ABYSS_CLAMP", FX_ABYSS_CLAMP },
  };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    g_string_append_printf (source, "#define %s %d\n", names[i].name, names[i].value);
}

static void
append_format (GString *source, const FxPlan *plan, FxProgramKind kind, gboolean grown)
{
  gboolean grids = is_of_grids (kind);
  /* What lies beyond the edge is for those that read the source, or rows of it, beyond it. */
  gboolean clamp = grids || kind == BLUR_PROGRAM_INTERPOLATE_RESULT || kind == BLUR_PROGRAM_REDUCE;
  int c;

  g_string_append_printf (source, "#define SAMPLE %d\n#define CHANNELS %d\n#define CURVE %d\n",
                          grids ? FX_SAMPLE_FLOAT : plan->codec.format.sample,
                          plan->codec.format.channels, get_curve (plan, kind));
  g_string_append_printf (source, "#define FLOATING %d\n",
                          plan->codec.format.sample >= FX_SAMPLE_HALF);
  g_string_append_printf (source, "#define ABYSS %d\n#define BEYOND {",
                          clamp ? FX_ABYSS_CLAMP : plan->abyss);
  for (c = 0; c < 4; c++)
    g_string_append_printf (source, " %d,", clamp ? 0 : (int) plan->beyond[c]);
  g_string_append_printf (source, " }\n#define GROWN %d\n", is_of_margin (grown, kind));
}

static void
append_weights (GString *source, const char *name, const BlurAxis *axis)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  int k;

  g_string_append_printf (source, "__constant__ float %s[%d] = {", name, axis->radius + 1);
  for (k = 0; k <= axis->radius; k++)
    g_string_append_printf (source, "%s%sf,", k % 8 ? "" : "\n",
                            g_ascii_formatd (number, sizeof number, "%.9e", axis->weights[k]));
  g_string_append (source, "\n};\n");
}

char *
fx_program_get_source (const FxPlan *plan, FxProgramKind kind, int tile, gboolean grown)
{
  GString *source = g_string_new (NULL);

  append_names (source);
  append_format (source, plan, kind, grown);
  if (has_tile (kind))
    g_string_append_printf (source, "#define TILE %d\n", tile);
  if (kind == BLUR_PROGRAM_FIR_SPECIALISED)
    {
      g_string_append_printf (source, "#define RADIUS_X %d\n#define RADIUS_Y %d\n",
                              blur_plan_get (plan)->x.radius, blur_plan_get (plan)->y.radius);
      append_weights (source, "weights_x", &blur_plan_get (plan)->x);
      append_weights (source, "weights_y", &blur_plan_get (plan)->y);
    }
  g_string_append_printf (source, "#include \"%s\"\n", kinds[kind]);
  return g_string_free (source, FALSE);
}

/* Machine code. */

static const char *
get_kernel (const char *name, GBytes **bytes)
{
  g_autofree char *path = g_strconcat (KERNELS, name, NULL);

  *bytes = g_resource_lookup_data (blur_kernels_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE,
                                   NULL);
  g_assert (*bytes);                      /* built in */
  return g_bytes_get_data (*bytes, NULL); /* a resource ends with a zero byte */
}

GBytes *
fx_program_compile (FxCompiler *compiler, const char *source, const FxTarget *target,
                    GError **error)
{
  const char *texts[N_KERNELS];
  const FxHeaders headers = { N_KERNELS, kernel_names, texts };
  GBytes *kernels[N_KERNELS];
  GBytes *code;
  gsize i;

  for (i = 0; i < N_KERNELS; i++)
    texts[i] = get_kernel (kernel_names[i], &kernels[i]);
  code = fx_compiler_compile (compiler, source, target, &headers, error);
  for (i = 0; i < N_KERNELS; i++)
    g_bytes_unref (kernels[i]);
  return code;
}

char *
fx_program_get_key (const char *compiler, const char *source, const FxTarget *target)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_auto (GStrv) options = fx_target_get_options (target);
  g_autofree char *option = g_strjoinv ("\n", options);
  g_autofree char *head = g_strdup_printf ("%d\n%s\n%s\n", CACHE_VERSION, compiler, option);
  gsize i;

  g_checksum_update (checksum, (const guchar *) head, -1);
  for (i = 0; i < N_KERNELS; i++)
    {
      g_autoptr (GBytes) bytes = NULL;

      g_checksum_update (checksum, (const guchar *) get_kernel (kernel_names[i], &bytes), -1);
    }
  g_checksum_update (checksum, (const guchar *) source, -1);
  return g_strdup (g_checksum_get_string (checksum));
}

GBytes *
fx_program_find (FxCompiler *compiler, FxCache *cache, const char *source, const FxTarget *target)
{
  g_autofree char *key = fx_program_get_key (fx_compiler_get_identity (compiler), source, target);
  gint64 start = g_get_monotonic_time ();
  GBytes *code = fx_cache_get (cache, key);

  if (code)
    fx_trace ("cached", start, g_bytes_get_size (code), NULL);
  return code;
}

GBytes *
fx_program_get (FxCompiler *compiler, FxCache *cache, const char *source, const FxTarget *target,
                GError **error)
{
  g_autofree char *key = NULL;
  g_autoptr (GError) failure = NULL;
  GBytes *code = fx_program_find (compiler, cache, source, target);
  gint64 start = g_get_monotonic_time ();

  if (code || ! (code = fx_program_compile (compiler, source, target, error)))
    return code;
  fx_trace ("compile", start, g_bytes_get_size (code), "%s %d", target->ptx ? "PTX" : "CUBIN",
            target->arch);
  key = fx_program_get_key (fx_compiler_get_identity (compiler), source, target);
  if (! fx_cache_put (cache, key, code, &failure)) /* the next one compiles again */
    fx_trace ("cache", start, 0, "%s", failure->message);
  return code;
}
