#define _GNU_SOURCE /* for dladdr */

#include "compiler.h"
#include "error.h"
#include "exit.h"
#include "nvrtc-folders.h"
#include "safe-path.h"
#include "trace.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <gmodule.h>
#include <nvrtc.h>
#include <stdlib.h>
#include <sys/stat.h>

#define PROGRAM_NAME "program.cu" /* the name in the compiler's log */
#define BUILTINS     "libnvrtc-builtins.so."

/* NVRTC's functions, as members of the same names. */
#define NVRTC_CALLS(call)                                                            \
  call (nvrtcVersion) call (nvrtcGetNumSupportedArchs) call (nvrtcGetSupportedArchs) \
    call (nvrtcCreateProgram) call (nvrtcDestroyProgram) call (nvrtcCompileProgram)  \
      call (nvrtcGetProgramLogSize) call (nvrtcGetProgramLog) call (nvrtcGetPTXSize) \
        call (nvrtcGetPTX) call (nvrtcGetCUBINSize) call (nvrtcGetCUBIN)             \
          call (nvrtcGetErrorString)

struct FxCompiler {
  GModule *module;
  GMutex mutex;      /* protects builtins */
  GModule *builtins; /* NVRTC loads this by name without a run path, and finds it if it is loaded
                        already */
  char *folder;      /* the folder of both libraries */
  char version[16];
  char *identity;
  int *archs;
  int n_archs;

#define MEMBER(name) __typeof__ (name) *name;
  NVRTC_CALLS (MEMBER)
#undef MEMBER
};

/* Opening NVRTC. */

static gboolean
load_symbols (FxCompiler *compiler)
{
#define FIND(name) g_module_symbol (compiler->module, #name, (gpointer *) &compiler->name) &&
  return NVRTC_CALLS (FIND) TRUE;
#undef FIND
}

static gboolean
load_archs (FxCompiler *compiler)
{
  if (compiler->nvrtcGetNumSupportedArchs (&compiler->n_archs) != NVRTC_SUCCESS ||
      compiler->n_archs < 1)
    return FALSE;
  compiler->archs = g_new (int, compiler->n_archs);
  return compiler->nvrtcGetSupportedArchs (compiler->archs) == NVRTC_SUCCESS;
}

static GModule *
open_library (const char *folder, const char *name)
{
  g_autofree char *path = *folder ? g_build_filename (folder, name, NULL) : g_strdup (name);
  GModule *library;

  if (*folder && ! fx_path_is_safe (path))
    return NULL;
  library = g_module_open (path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
  if (library)
    fx_exit_renew_handler ();
  return library;
}

/* Includes the file's size and time, because updates of a release keep the version number. */
static char *
get_identity (const FxCompiler *compiler)
{
  Dl_info info;
  GStatBuf file;

  if (! dladdr ((gpointer) compiler->nvrtcVersion, &info) || g_stat (info.dli_fname, &file) != 0)
    return g_strdup (compiler->version);
  return g_strdup_printf ("%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, compiler->version,
                          (gint64) file.st_size, (gint64) file.st_mtime);
}

static gboolean
open_builtins (FxCompiler *compiler)
{
  g_autofree char *name = g_strconcat (BUILTINS, compiler->version, NULL);
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&compiler->mutex);

  if (! compiler->builtins)
    compiler->builtins = open_library (compiler->folder, name);
  return compiler->builtins != NULL;
}

/* Accepts NVRTC in a named folder only if its builtins are beside it: otherwise NVIDIA's wheels
 * would search the current directory for them. */
static FxCompiler *
open_compiler (const char *folder, const char *name)
{
  FxCompiler *compiler = g_new0 (FxCompiler, 1);
  int major, minor;

  g_mutex_init (&compiler->mutex);
  compiler->folder = g_strdup (folder);
  compiler->module = open_library (folder, name);
  if (compiler->module && load_symbols (compiler) &&
      compiler->nvrtcVersion (&major, &minor) == NVRTC_SUCCESS && load_archs (compiler))
    {
      g_snprintf (compiler->version, sizeof compiler->version, "%d.%d", major, minor);
      compiler->identity = get_identity (compiler);
      g_module_make_resident (compiler->module); /* unloading it would leak memory */
      if (open_builtins (compiler) || ! *folder)
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
  g_auto (GStrv) folders = fx_nvrtc_folders (FX_HOST);
  gint64 start = g_get_monotonic_time ();

  for (gsize i = 0; i < G_N_ELEMENTS (libraries); i++)
    for (gsize f = 0; folders[f] && (major == 0 || libraries[i].major <= major); f++)
      {
        FxCompiler *compiler = open_compiler (folders[f], libraries[i].name);

        if (compiler && major > 0 && g_ascii_strtoll (compiler->version, NULL, 10) > major)
          g_clear_pointer (&compiler, fx_compiler_close);
        if (! compiler)
          continue;
        fx_trace ("nvrtc", start, 0, "%s%s%s", compiler->version, *folders[f] ? " in " : "",
                  folders[f]);
        return compiler;
      }
  fx_fail (error, FX_ERROR_UNAVAILABLE,
           _ ("NVRTC, the CUDA run-time compiler (libnvrtc), was not found: "
              "run sh plugin/setup.sh"));
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
  g_mutex_clear (&compiler->mutex);
  g_free (compiler->folder);
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

/* Compiling. */

static void
set_compile_error (GError **error, FxCompiler *compiler, nvrtcProgram program, nvrtcResult result)
{
  g_autofree char *log = NULL;
  size_t size = 0;

  if (compiler->nvrtcGetProgramLogSize (program, &size) == NVRTC_SUCCESS && size > 1)
    {
      log = g_malloc0 (size + 1);
      if (compiler->nvrtcGetProgramLog (program, log) != NVRTC_SUCCESS)
        *log = '\0';
    }
  if (! open_builtins (compiler))
    fx_fail (error, FX_ERROR_UNAVAILABLE, _ ("NVRTC %s needs %s%s, which was not found: %s\n%s"),
             compiler->version, BUILTINS, compiler->version, compiler->nvrtcGetErrorString (result),
             log ? log : "");
  else
    fx_fail (error, FX_ERROR_DEVICE, _ ("NVRTC %s did not compile a program: %s\n%s"),
             compiler->version, compiler->nvrtcGetErrorString (result), log ? log : "");
}

static GBytes *
get_code (FxCompiler *compiler, nvrtcProgram program, gboolean ptx, nvrtcResult *result)
{
  g_autofree char *code = NULL;
  size_t size = 0;

  *result = ptx ? compiler->nvrtcGetPTXSize (program, &size)
                : compiler->nvrtcGetCUBINSize (program, &size);
  if (*result != NVRTC_SUCCESS)
    return NULL;
  code = g_malloc (size);
  *result = ptx ? compiler->nvrtcGetPTX (program, code) : compiler->nvrtcGetCUBIN (program, code);
  return *result == NVRTC_SUCCESS ? g_bytes_new_take (g_steal_pointer (&code), size) : NULL;
}

GBytes *
fx_compiler_compile (FxCompiler *compiler, const char *source, const FxTarget *target,
                     const FxHeaders *headers, GError **error)
{
  g_auto (GStrv) options = fx_target_get_options (target);
  nvrtcProgram program = NULL;
  GBytes *code = NULL;
  nvrtcResult result;

  open_builtins (compiler); /* may exist by now; if not, NVRTC may find them itself */
  result = compiler->nvrtcCreateProgram (&program, source, PROGRAM_NAME, (int) headers->names->len,
                                         (const char *const *) headers->texts->pdata,
                                         (const char *const *) headers->names->pdata);

  if (result == NVRTC_SUCCESS)
    result = compiler->nvrtcCompileProgram (program, (int) g_strv_length (options),
                                            (const char *const *) options);
  if (result == NVRTC_SUCCESS)
    code = get_code (compiler, program, target->ptx, &result);
  if (! code)
    set_compile_error (error, compiler, program, result);
  if (program)
    compiler->nvrtcDestroyProgram (&program);
  return code;
}
