/* NVRTC, and the GModule functions with which the engine opens it: the linker puts these in place
 * of GLib's. */
#include "fault.h"
#include "stand-in.h"
#include "shim-kernel.h"

#include <gmodule.h>
#include <nvrtc.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY  "libnvrtc.so"
#define BUILTINS "libnvrtc-builtins.so."

struct _nvrtcProgram {
  char *source;
  int n;
  char **names, **texts;
  char *log, *code;
  int arch;
};

/* The NVRTC that was opened last. */
static struct {
  int major, minor;
  gboolean builtins;
} opened;

static void (*on_compile) (const char *source);

void
stand_in_on_compile (void (*func) (const char *source))
{
  on_compile = func;
}

/* NVRTC's functions. */

static nvrtcResult
check (const char *point)
{
  FaultMode mode;

  return fault_is_due (point, &mode) ? NVRTC_ERROR_INTERNAL_ERROR : NVRTC_SUCCESS;
}

static nvrtcResult
get_version (int *major, int *minor)
{
  *major = opened.major;
  *minor = opened.minor;
  return check ("nvrtcVersion");
}

static const int archs_11[] = { 35, 50, 60, 70, 75, 80, 86, 90 };
static const int archs_12[] = { 50, 60, 70, 75, 80, 86, 90 };
static const int archs_13[] = { 75, 80, 86, 90, 100, 120 };

static const int *
find_archs (int *n)
{
  *n = opened.major == 11   ? G_N_ELEMENTS (archs_11)
       : opened.major == 12 ? G_N_ELEMENTS (archs_12)
                            : G_N_ELEMENTS (archs_13);
  return opened.major == 11 ? archs_11 : opened.major == 12 ? archs_12 : archs_13;
}

static nvrtcResult
get_num_archs (int *n)
{
  find_archs (n);
  return check ("nvrtcGetNumSupportedArchs");
}

static nvrtcResult
get_archs (int *archs)
{
  int n;
  const int *all = find_archs (&n);

  memcpy (archs, all, n * sizeof *all);
  return check ("nvrtcGetSupportedArchs");
}

static char **
copy (int n, const char *const *texts)
{
  char **copies = g_new0 (char *, n + 1);

  for (int i = 0; i < n; i++)
    copies[i] = g_strdup (texts[i]);
  return copies;
}

static nvrtcResult
create (nvrtcProgram *program, const char *source, const char *name, int n,
        const char *const *texts, const char *const *names)
{
  nvrtcResult result = check ("nvrtcCreateProgram");

  if (result != NVRTC_SUCCESS)
    return result;
  *program = g_new0 (struct _nvrtcProgram, 1);
  (*program)->source = g_strdup (source);
  (*program)->n = n;
  (*program)->names = copy (n, names);
  (*program)->texts = copy (n, texts);
  return NVRTC_SUCCESS;
}

static nvrtcResult
destroy (nvrtcProgram *program)
{
  g_free ((*program)->source);
  g_strfreev ((*program)->names);
  g_strfreev ((*program)->texts);
  g_free ((*program)->log);
  g_free ((*program)->code);
  g_clear_pointer (program, g_free);
  return check ("nvrtcDestroyProgram");
}

static nvrtcResult
fail (nvrtcProgram program, nvrtcResult result, const char *log)
{
  program->log = g_strdup (log);
  return result;
}

/* Returns 90 for "--gpu-architecture=sm_90" or "=compute_90". */
static int
read_arch (const char *option)
{
  const char *number = strrchr (option, '_');

  return number ? atoi (number + 1) : 0;
}

static gboolean
knows (int arch)
{
  int n, i;
  const int *archs = find_archs (&n);

  for (i = 0; i < n; i++)
    if (archs[i] == arch)
      return TRUE;
  return FALSE;
}

static nvrtcResult
compile (nvrtcProgram program, int n, const char *const *options)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  if (on_compile)
    on_compile (program->source);
  program->arch = read_arch (options[0]);
  if (! knows (program->arch))
    return fail (program, NVRTC_ERROR_INVALID_OPTION, "nvrtc: error: invalid value for option");
  if (! g_atomic_int_get (&opened.builtins))
    return fail (program, NVRTC_ERROR_BUILTIN_OPERATION_FAILURE,
                 "nvrtc: error: failed to open libnvrtc-builtins.so");
  if (check ("nvrtcCompileProgram") != NVRTC_SUCCESS || ! stand_in.compiles)
    return fail (program, NVRTC_ERROR_COMPILATION, "program.cu(7): error: as the test wants");
  path = shim_compile (program->source, program->n, (const char *const *) program->names,
                       (const char *const *) program->texts, &error);
  if (! path)
    return fail (program, NVRTC_ERROR_COMPILATION, error->message);
  program->code = g_strdup_printf ("%s %d %s", strstr (options[0], "sm_") ? "CUBIN" : "PTX",
                                   program->arch, path);
  return NVRTC_SUCCESS;
}

static nvrtcResult
get_log_size (nvrtcProgram program, size_t *size)
{
  if (! program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  *size = program->log ? strlen (program->log) + 1 : 1;
  return check ("nvrtcGetProgramLogSize");
}

static nvrtcResult
get_log (nvrtcProgram program, char *log)
{
  strcpy (log, program->log ? program->log : "");
  return check ("nvrtcGetProgramLog");
}

static nvrtcResult
get_size (nvrtcProgram program, const char *kind, size_t *size)
{
  *size = g_str_has_prefix (program->code, kind) ? strlen (program->code) + 1 : 0;
  return *size > 0 ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_PROGRAM;
}

static nvrtcResult
get_ptx_size (nvrtcProgram program, size_t *size)
{
  nvrtcResult result = check ("nvrtcGetPTXSize");

  return result == NVRTC_SUCCESS ? get_size (program, "PTX", size) : result;
}

static nvrtcResult
get_ptx (nvrtcProgram program, char *code)
{
  strcpy (code, program->code);
  return check ("nvrtcGetPTX");
}

static nvrtcResult
get_cubin_size (nvrtcProgram program, size_t *size)
{
  nvrtcResult result = check ("nvrtcGetCUBINSize");

  return result == NVRTC_SUCCESS ? get_size (program, "CUBIN", size) : result;
}

static nvrtcResult
get_cubin (nvrtcProgram program, char *code)
{
  strcpy (code, program->code);
  return check ("nvrtcGetCUBIN");
}

static const char *
get_error (nvrtcResult result)
{
  return result == NVRTC_ERROR_BUILTIN_OPERATION_FAILURE ? "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE"
                                                         : "NVRTC_ERROR_STAND_IN";
}

/* NVRTC's library. */

static int library, builtins; /* their addresses serve as handles */

GModule *__wrap_g_module_open (const char *name, GModuleFlags flags);
gboolean __wrap_g_module_symbol (GModule *module, const char *name, gpointer *symbol);
gboolean __wrap_g_module_close (GModule *module);
void __wrap_g_module_make_resident (GModule *module);
GModule *__real_g_module_open (const char *name, GModuleFlags flags);
gboolean __real_g_module_symbol (GModule *module, const char *name, gpointer *symbol);
gboolean __real_g_module_close (GModule *module);
void __real_g_module_make_resident (GModule *module);

/* Opens the newest existing version that matches name, the rest of the file name after LIBRARY: ""
 * for any, ".13" for 13. */
static GModule *
open_library (const char *name)
{
  g_auto (GStrv) versions = g_strsplit (stand_in.nvrtc, " ", -1);
  int major = *name ? atoi (name + 1) : 0, i;

  for (i = (int) g_strv_length (versions) - 1; i >= 0; i--)
    if (*versions[i] && (major == 0 || atoi (versions[i]) == major))
      {
        opened.major = atoi (versions[i]);
        opened.minor = atoi (strchr (versions[i], '.') + 1);
        g_atomic_int_set (&opened.builtins, FALSE);
        return (GModule *) &library;
      }
  return NULL;
}

static GModule *
open_builtins (const char *name)
{
  g_autofree char *wanted = g_strdup_printf ("%d.%d", opened.major, opened.minor);

  gboolean found = stand_in.builtins && strcmp (name, wanted) == 0;

  g_atomic_int_set (&opened.builtins, found);
  return found ? (GModule *) &builtins : NULL;
}

GModule *
__wrap_g_module_open (const char *path, GModuleFlags flags)
{
  g_autofree char *name = path ? g_path_get_basename (path) : NULL;
  g_autofree char *place = stand_in.lib ? g_build_filename (stand_in.lib, name, NULL)
                                        : g_strdup (name);
  FaultMode mode;

  if (! name || ! g_str_has_prefix (name, "libnvrtc"))
    return __real_g_module_open (path, flags);
  if (strcmp (path, place) != 0 || fault_is_due ("dlopen", &mode))
    return NULL;
  if (g_str_has_prefix (name, BUILTINS))
    return open_builtins (name + strlen (BUILTINS));
  return open_library (name + strlen (LIBRARY));
}

gboolean
__wrap_g_module_symbol (GModule *module, const char *name, gpointer *symbol)
{
  static const struct {
    const char *name;
    gpointer call;
  } calls[] = {
    { "nvrtcVersion", (gpointer) get_version },
    { "nvrtcGetNumSupportedArchs", (gpointer) get_num_archs },
    { "nvrtcGetSupportedArchs", (gpointer) get_archs },
    { "nvrtcCreateProgram", (gpointer) create },
    { "nvrtcDestroyProgram", (gpointer) destroy },
    { "nvrtcCompileProgram", (gpointer) compile },
    { "nvrtcGetProgramLogSize", (gpointer) get_log_size },
    { "nvrtcGetProgramLog", (gpointer) get_log },
    { "nvrtcGetPTXSize", (gpointer) get_ptx_size },
    { "nvrtcGetPTX", (gpointer) get_ptx },
    { "nvrtcGetCUBINSize", (gpointer) get_cubin_size },
    { "nvrtcGetCUBIN", (gpointer) get_cubin },
    { "nvrtcGetErrorString", (gpointer) get_error },
  };
  FaultMode mode;

  if (module != (GModule *) &library)
    return __real_g_module_symbol (module, name, symbol);
  if (fault_is_due ("dlsym", &mode))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    if (strcmp (calls[i].name, name) == 0)
      {
        *symbol = calls[i].call;
        return TRUE;
      }
  return FALSE;
}

gboolean
__wrap_g_module_close (GModule *module)
{
  return module == (GModule *) &library || module == (GModule *) &builtins ||
         __real_g_module_close (module);
}

void
__wrap_g_module_make_resident (GModule *module)
{
  if (module != (GModule *) &library)
    __real_g_module_make_resident (module);
}
