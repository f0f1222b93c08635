/* Replaces the engine's builder (builder.h): the host's compiler gets the program source that NVRTC
 * would get (shim-kernel.h). And limits launches. */
#include "builder.h"
#include "device.h"
#include "error.h"
#include "gpu-kernels.h"
#include "shim-kernel.h"
#include "stand-in.h"

#include <stdlib.h>
#include <string.h>

gboolean stand_in_background;
double stand_in_launch_limit = G_MAXDOUBLE;

/* SHIM_ARCH in the environment is the device's compute capability, 52 for 5.2. */
__attribute__ ((constructor)) static void
read_arch (void)
{
  const char *value = g_getenv ("SHIM_ARCH");

  if (value)
    stand_in.arch = atoi (value);
}

void
stand_in_poison (FxGpu *gpu)
{
  for (int i = 0; gpu && i < FX_BUFFERS_RESIDENT; i++)
    {
      gpointer data = fx_gpu_get_buffer (gpu, (FxBufferName) i, 0, NULL);

      if (data)
        stand_in_poison_buffer (data);
    }
}

static char only_builder;

FxBuilder *
fx_builder_new (int arch, int major, const FxConfig *config)
{
  return (FxBuilder *) &only_builder;
}

void
fx_builder_free (FxBuilder *builder)
{
}

/* Adds a room's files to those that a program may include. */
static void
add_room (GResource *room, GPtrArray *names, GPtrArray *texts)
{
  g_auto (GStrv) all = g_resource_enumerate_children (room, FX_PROGRAM_FILES,
                                                      G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  g_assert (all);
  for (int i = 0; all[i]; i++)
    {
      g_autofree char *path = g_strconcat (FX_PROGRAM_FILES, all[i], NULL);
      g_autoptr (GBytes)
        bytes = g_resource_lookup_data (room, path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

      g_ptr_array_add (names, g_strdup (all[i]));
      g_ptr_array_add (texts, g_strdup (g_bytes_get_data (bytes, NULL)));
    }
}

static GBytes *
build (const FxProgram *program, const char *text, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  GResource *own = program->get_files ();
  g_autofree char *path = NULL;
  char *code;

  add_room (gpu_kernels_get_resource (), names, texts);
  if (own != gpu_kernels_get_resource ())
    add_room (own, names, texts);
  path = shim_compile (text, (int) names->len, (const char *const *) names->pdata,
                       (const char *const *) texts->pdata, error);
  if (! path)
    return NULL;
  code = g_strdup_printf ("CUBIN %d %s", stand_in.arch, path);
  return g_bytes_new_take (code, strlen (code) + 1);
}

gboolean
fx_builder_get (FxBuilder *builder, int n, const FxProgram *const *programs, char *const *texts,
                GBytes **codes, GError **error)
{
  gboolean built = TRUE;

  memset (codes, 0, n * sizeof *codes);
  for (int i = 0; i < n && built; i++)
    built = ! texts[i] || (codes[i] = build (programs[i], texts[i], error));
  for (int i = 0; i < n && ! built; i++)
    g_clear_pointer (&codes[i], g_bytes_unref);
  return built;
}

GBytes *
fx_builder_find (FxBuilder *builder, const FxProgram *program, const char *text)
{
  return stand_in_background ? build (program, text, NULL) : NULL;
}

/* The linker puts this in place of the engine's function. */
double __wrap_fx_gpu_get_launch_limit (FxGpu *gpu);

double
__wrap_fx_gpu_get_launch_limit (FxGpu *gpu)
{
  return stand_in_launch_limit;
}
