/* NVRTC, and the GModule functions with which the engine opens it: the linker puts these in place
 * of GLib's, but for g_module_open, which is in ../shim/driver.c and calls the one here. */
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
};

/* The NVRTC that was opened last, perhaps while a thread that is late still uses it. */
static struct {
  gint major, minor, builtins; /* atomic */
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

/* Defines one: a fault point, and then an expression. */
#define CALL(name, parameters, result)                  \
  static nvrtcResult do_##name parameters               \
  {                                                     \
    const nvrtcResult checked = check (#name);          \
                                                        \
    return checked == NVRTC_SUCCESS ? result : checked; \
  }

CALL (nvrtcVersion, (int *major, int *minor),
      (*major = g_atomic_int_get (&opened.major), *minor = g_atomic_int_get (&opened.minor),
       NVRTC_SUCCESS))

typedef struct {
  int n, archs[8];
} Archs;

static const Archs *
get_known (void)
{
  static const Archs known[] = { [11] = { 8, { 35, 50, 60, 70, 75, 80, 86, 90 } },
                                 [12] = { 7, { 50, 60, 70, 75, 80, 86, 90 } },
                                 [13] = { 6, { 75, 80, 86, 90, 100, 120 } } };

  return &known[MIN (g_atomic_int_get (&opened.major), 13)];
}

CALL (nvrtcGetNumSupportedArchs, (int *n), (*n = get_known ()->n, NVRTC_SUCCESS))
CALL (nvrtcGetSupportedArchs, (int *archs),
      (memcpy (archs, get_known ()->archs, get_known ()->n * sizeof *archs), NVRTC_SUCCESS))

static gboolean
knows (int arch)
{
  const Archs *known = get_known ();

  for (int i = 0; i < known->n; i++)
    if (known->archs[i] == arch)
      return TRUE;
  return FALSE;
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
create (nvrtcProgram *program, const char *source, int n, const char *const *texts,
        const char *const *names)
{
  *program = g_new0 (struct _nvrtcProgram, 1);
  (*program)->source = g_strdup (source);
  (*program)->n = n;
  (*program)->names = copy (n, names);
  (*program)->texts = copy (n, texts);
  return NVRTC_SUCCESS;
}

CALL (nvrtcCreateProgram,
      (nvrtcProgram * program, const char *source, const char *name, int n,
       const char *const *texts, const char *const *names),
      create (program, source, n, texts, names))

/* Destroys it even if that fails. */
static nvrtcResult
do_nvrtcDestroyProgram (nvrtcProgram *program)
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

/* Its option is "--gpu-architecture=sm_90" or "=compute_90". */
static nvrtcResult
do_nvrtcCompileProgram (nvrtcProgram program, int n, const char *const *options)
{
  const int arch = atoi (strrchr (options[0], '_') + 1);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  if (on_compile)
    on_compile (program->source);
  if (! knows (arch))
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
  program->code = g_strdup_printf ("%s %d %s", strstr (options[0], "sm_") ? "CUBIN" : "PTX", arch,
                                   path);
  return NVRTC_SUCCESS;
}

/* If a program was not created, there is no log. */
static nvrtcResult
get_log_size (nvrtcProgram program, size_t *size)
{
  if (! program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  *size = program->log ? strlen (program->log) + 1 : 1;
  return NVRTC_SUCCESS;
}

CALL (nvrtcGetProgramLogSize, (nvrtcProgram program, size_t *size), get_log_size (program, size))
CALL (nvrtcGetProgramLog, (nvrtcProgram program, char *log),
      (strcpy (log, program->log ? program->log : ""), NVRTC_SUCCESS))

static nvrtcResult
get_size (nvrtcProgram program, const char *kind, size_t *size)
{
  *size = g_str_has_prefix (program->code, kind) ? strlen (program->code) + 1 : 0;
  return *size > 0 ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_PROGRAM;
}

CALL (nvrtcGetPTXSize, (nvrtcProgram program, size_t *size), get_size (program, "PTX", size))
CALL (nvrtcGetPTX, (nvrtcProgram program, char *code),
      (strcpy (code, program->code), NVRTC_SUCCESS))
CALL (nvrtcGetCUBINSize, (nvrtcProgram program, size_t *size), get_size (program, "CUBIN", size))
CALL (nvrtcGetCUBIN, (nvrtcProgram program, char *code),
      (strcpy (code, program->code), NVRTC_SUCCESS))

static const char *
do_nvrtcGetErrorString (nvrtcResult result)
{
  return result == NVRTC_ERROR_BUILTIN_OPERATION_FAILURE ? "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE"
                                                         : "NVRTC_ERROR_STAND_IN";
}

/* NVRTC's library. */

static int library, builtins; /* their addresses serve as handles */

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
        g_atomic_int_set (&opened.major, atoi (versions[i]));
        g_atomic_int_set (&opened.minor, atoi (strchr (versions[i], '.') + 1));
        g_atomic_int_set (&opened.builtins, FALSE);
        return (GModule *) &library;
      }
  return NULL;
}

static GModule *
open_builtins (const char *name)
{
  g_autofree char *wanted = g_strdup_printf ("%d.%d", g_atomic_int_get (&opened.major),
                                             g_atomic_int_get (&opened.minor));
  gboolean found = stand_in.builtins && strcmp (name, wanted) == 0;

  g_atomic_int_set (&opened.builtins, found);
  return found ? (GModule *) &builtins : NULL;
}

/* Only what lies in the folder of NVRTC exists. */
gboolean __wrap_fx_path_is_safe (const char *path);

gboolean
__wrap_fx_path_is_safe (const char *path)
{
  return stand_in.lib && g_str_has_prefix (path, stand_in.lib) && ! stand_in.unsafe;
}

GModule *
stand_in_open_nvrtc (const char *path, GModuleFlags flags)
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
#define ENTRY(call) { #call, (gpointer) do_##call },
  static const struct {
    const char *name;
    gpointer call;
  } calls[] = { STAND_IN_NVRTC_CALLS (ENTRY) };
#undef ENTRY
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
