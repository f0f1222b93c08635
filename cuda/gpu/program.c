#define _GNU_SOURCE /* dladdr */

#include "program.h"
#include "blur-plan.h"
#include "error.h"
#include "blur-kernels.h" /* generated from kernels/kernels.gresource.xml */
#include "trace.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <gmodule.h>
#include <nvrtc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CACHE_VERSION 3
#define KERNELS       "/org/gimp/cuda-blur/"

/* The files of kernels/, built in. */
static const char *const kernel_names[] = {
  "columns.cu",       "convolve-grid.cu",    "convolve.cuh",
  "decimate-grid.cu", "decimate-source.cu",  "fir.cu",
  "image.cuh",        "interpolate-grid.cu", "interpolate-result.cu",
  "multires.cuh",     "pixel.cuh",           "reduce.cu",
  "rows.cu",
};
#define N_KERNELS G_N_ELEMENTS (kernel_names)

struct FxCompiler {
  GModule *module;
  GModule *builtins; /* NVRTC has no run path, yet loads this by name: found once it is loaded */
  char version[16];
  char *identity;
  int *archs;
  int n_archs;

  nvrtcResult (*get_version) (int *, int *);
  nvrtcResult (*get_num_archs) (int *);
  nvrtcResult (*get_archs) (int *);
  nvrtcResult (*create) (nvrtcProgram *, const char *, const char *, int, const char *const *,
                         const char *const *);
  nvrtcResult (*destroy) (nvrtcProgram *);
  nvrtcResult (*compile) (nvrtcProgram, int, const char *const *);
  nvrtcResult (*get_log_size) (nvrtcProgram, size_t *);
  nvrtcResult (*get_log) (nvrtcProgram, char *);
  nvrtcResult (*get_ptx_size) (nvrtcProgram, size_t *);
  nvrtcResult (*get_ptx) (nvrtcProgram, char *);
  nvrtcResult (*get_cubin_size) (nvrtcProgram, size_t *);
  nvrtcResult (*get_cubin) (nvrtcProgram, char *);
  const char *(*get_error) (nvrtcResult);
};

/* Opening NVRTC. */

static gboolean
load_symbols (FxCompiler *compiler)
{
  const struct {
    const char *name;
    gpointer *place;
  } symbols[] = {
    { "nvrtcVersion", (gpointer *) &compiler->get_version },
    { "nvrtcGetNumSupportedArchs", (gpointer *) &compiler->get_num_archs },
    { "nvrtcGetSupportedArchs", (gpointer *) &compiler->get_archs },
    { "nvrtcCreateProgram", (gpointer *) &compiler->create },
    { "nvrtcDestroyProgram", (gpointer *) &compiler->destroy },
    { "nvrtcCompileProgram", (gpointer *) &compiler->compile },
    { "nvrtcGetProgramLogSize", (gpointer *) &compiler->get_log_size },
    { "nvrtcGetProgramLog", (gpointer *) &compiler->get_log },
    { "nvrtcGetPTXSize", (gpointer *) &compiler->get_ptx_size },
    { "nvrtcGetPTX", (gpointer *) &compiler->get_ptx },
    { "nvrtcGetCUBINSize", (gpointer *) &compiler->get_cubin_size },
    { "nvrtcGetCUBIN", (gpointer *) &compiler->get_cubin },
    { "nvrtcGetErrorString", (gpointer *) &compiler->get_error },
  };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (symbols); i++)
    if (! g_module_symbol (compiler->module, symbols[i].name, symbols[i].place))
      return FALSE;
  return TRUE;
}

static gboolean
load_archs (FxCompiler *compiler)
{
  if (compiler->get_num_archs (&compiler->n_archs) != NVRTC_SUCCESS || compiler->n_archs < 1)
    return FALSE;
  compiler->archs = g_new (int, compiler->n_archs);
  return compiler->get_archs (compiler->archs) == NVRTC_SUCCESS;
}

/* The folders to look in: first the loader's own, which an empty name stands for. */
static char **
get_folders (void)
{
  g_autofree char *all = g_strconcat (":", CUDA_TOOLKIT_LIBDIR, ":/usr/local/cuda/lib64", NULL);

  return g_strsplit (all, ":", -1);
}

static GModule *
open_library (const char *folder, const char *name)
{
  g_autofree char *path = *folder ? g_build_filename (folder, name, NULL) : g_strdup (name);

  return g_module_open (path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
}

/* Updates of one release have its version, but not its file. */
static char *
get_identity (const FxCompiler *compiler)
{
  Dl_info info;
  GStatBuf file;

  if (! dladdr ((gpointer) compiler->get_version, &info) || g_stat (info.dli_fname, &file) != 0)
    return g_strdup (compiler->version);
  return g_strdup_printf ("%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, compiler->version,
                          (gint64) file.st_size, (gint64) file.st_mtime);
}

static FxCompiler *
open_compiler (const char *folder, const char *name)
{
  FxCompiler *compiler = g_new0 (FxCompiler, 1);
  int major, minor;

  compiler->module = open_library (folder, name);
  if (compiler->module && load_symbols (compiler) &&
      compiler->get_version (&major, &minor) == NVRTC_SUCCESS && load_archs (compiler))
    {
      g_autofree char *builtins = g_strdup_printf ("libnvrtc-builtins.so.%d.%d", major, minor);

      g_snprintf (compiler->version, sizeof compiler->version, "%d.%d", major, minor);
      compiler->identity = get_identity (compiler);
      compiler->builtins = open_library (folder, builtins);
      g_module_make_resident (compiler->module); /* unloaded, it would lose memory of its own */
      return compiler;
    }
  fx_compiler_close (compiler);
  return NULL;
}

FxCompiler *
fx_compiler_open (int major, GError **error)
{
  static const struct {
    int major;
    const char *name;
  } libraries[] = {
    { 13, "libnvrtc.so.13" },
    { 12, "libnvrtc.so.12" },
    { 11, "libnvrtc.so.11.2" },
    { 0, "libnvrtc.so" },
  };
  g_auto (GStrv) folders = get_folders ();
  gint64 start = g_get_monotonic_time ();
  gsize i, f;

  for (i = 0; i < G_N_ELEMENTS (libraries); i++)
    for (f = 0; folders[f] && (major == 0 || libraries[i].major <= major); f++)
      {
        FxCompiler *compiler = open_compiler (folders[f], libraries[i].name);

        if (compiler && major > 0 && atoi (compiler->version) > major)
          g_clear_pointer (&compiler, fx_compiler_close);
        if (! compiler)
          continue;
        fx_trace ("nvrtc", start, 0, "%s", compiler->version);
        return compiler;
      }
  g_set_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE,
               _("NVRTC, the CUDA run-time compiler (libnvrtc), was not found"));
  return NULL;
}

void
fx_compiler_close (FxCompiler *compiler)
{
  if (! compiler)
    return;
  if (compiler->module)
    g_module_close (compiler->module);
  if (compiler->builtins)
    g_module_close (compiler->builtins);
  g_free (compiler->identity);
  g_free (compiler->archs);
  g_free (compiler);
}

const char *
fx_compiler_get_version (const FxCompiler *compiler)
{
  return compiler->version;
}

const char *
fx_compiler_get_identity (const FxCompiler *compiler)
{
  return compiler->identity;
}

const int *
fx_compiler_get_archs (const FxCompiler *compiler, int *n)
{
  *n = compiler->n_archs;
  return compiler->archs;
}

gboolean
fx_target_choose (const int *archs, int n, const char *version, int arch, gboolean want_ptx,
                  FxTarget *target, GError **error)
{
  int best = 0;
  int i;

  for (i = 0; i < n; i++)
    if (archs[i] <= arch)
      best = archs[i];
  if (best == 0)
    {
      g_set_error (
        error, FX_ERROR, FX_ERROR_UNAVAILABLE,
        _("The GPU has compute capability %d.%d, but NVRTC %s compiles for %d.%d and later"),
        arch / 10, arch % 10, version, archs[0] / 10, archs[0] % 10);
      return FALSE;
    }
  /* A CUBIN runs on later devices of its own major version only. */
  *target = (FxTarget) { .arch = best, .ptx = want_ptx || best / 10 != arch / 10 };
  return TRUE;
}

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

/* Compiling. */

static const char *
get_kernel (const char *name, GBytes **bytes)
{
  g_autofree char *path = g_strconcat (KERNELS, name, NULL);

  *bytes = g_resource_lookup_data (blur_kernels_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE,
                                   NULL);
  g_assert (*bytes);                      /* built in */
  return g_bytes_get_data (*bytes, NULL); /* a resource ends with a zero byte */
}

static void
set_compile_error (GError **error, FxCompiler *compiler, nvrtcProgram program, nvrtcResult result)
{
  g_autofree char *log = NULL;
  size_t size = 0;

  if (compiler->get_log_size (program, &size) == NVRTC_SUCCESS && size > 1)
    {
      log = g_malloc0 (size + 1);
      if (compiler->get_log (program, log) != NVRTC_SUCCESS)
        *log = '\0';
    }
  g_set_error (error, FX_ERROR, FX_ERROR_DEVICE, _("NVRTC %s did not compile a program: %s\n%s"),
               compiler->version, compiler->get_error (result), log ? log : "");
}

static GBytes *
get_code (FxCompiler *compiler, nvrtcProgram program, gboolean ptx, nvrtcResult *result)
{
  g_autofree char *code = NULL;
  size_t size = 0;

  *result = ptx ? compiler->get_ptx_size (program, &size)
                : compiler->get_cubin_size (program, &size);
  if (*result != NVRTC_SUCCESS)
    return NULL;
  code = g_malloc (size);
  *result = ptx ? compiler->get_ptx (program, code) : compiler->get_cubin (program, code);
  return *result == NVRTC_SUCCESS ? g_bytes_new_take (g_steal_pointer (&code), size) : NULL;
}

/* Beside the architecture. */
static const char *const common_options[] = { "--std=c++14", "--ftz=true" };

static char *
get_arch_option (const FxTarget *target)
{
  return g_strdup_printf ("--gpu-architecture=%s_%d", target->ptx ? "compute" : "sm", target->arch);
}

GBytes *
fx_program_compile (FxCompiler *compiler, const char *source, const FxTarget *target,
                    GError **error)
{
  g_autofree char *arch = get_arch_option (target);
  const char *options[1 + G_N_ELEMENTS (common_options)] = { arch };
  const char *headers[N_KERNELS];
  GBytes *kernels[N_KERNELS];
  nvrtcProgram program = NULL;
  GBytes *code = NULL;
  nvrtcResult result;
  gsize i;

  memcpy (options + 1, common_options, sizeof common_options);
  for (i = 0; i < N_KERNELS; i++)
    headers[i] = get_kernel (kernel_names[i], &kernels[i]);
  result = compiler->create (&program, source, "blur.cu", N_KERNELS, headers, kernel_names);
  if (result == NVRTC_SUCCESS)
    result = compiler->compile (program, G_N_ELEMENTS (options), options);
  if (result == NVRTC_SUCCESS)
    code = get_code (compiler, program, target->ptx, &result);
  if (! code)
    set_compile_error (error, compiler, program, result);
  if (program)
    compiler->destroy (&program);
  for (i = 0; i < N_KERNELS; i++)
    g_bytes_unref (kernels[i]);
  return code;
}

char *
fx_program_get_key (const char *compiler, const char *source, const FxTarget *target)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *arch = get_arch_option (target);
  g_autofree char *head = g_strdup_printf ("%d\n%s\n%s\n", CACHE_VERSION, compiler, arch);
  gsize i;

  g_checksum_update (checksum, (const guchar *) head, -1);
  for (i = 0; i < G_N_ELEMENTS (common_options); i++)
    g_checksum_update (checksum, (const guchar *) common_options[i], -1);
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
  g_autofree char *key = fx_program_get_key (compiler->identity, source, target);
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
  key = fx_program_get_key (compiler->identity, source, target);
  if (! fx_cache_put (cache, key, code, &failure)) /* the next one compiles again */
    fx_trace ("cache", start, 0, "%s", failure->message);
  return code;
}
