#include "ahead.h"

FxTarget
fx_ahead_get_target (int arch)
{
  return (FxTarget) { .arch = arch, .ptx = TRUE };
}

char *
fx_ahead_get_key (const FxProgram *program, const char *text, int arch)
{
  const FxTarget target = fx_ahead_get_target (arch);

  return fx_program_get_key (program, "", text, &target);
}

/* Returns NULL in a process without such programs. */
static GVariant *
open_programs (void)
{
  GBytes *bytes = g_resources_lookup_data (FX_AHEAD_PATH, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  GVariant *programs;

  if (! bytes)
    return NULL;
  programs = g_variant_new_from_bytes (G_VARIANT_TYPE (FX_AHEAD_TYPE), bytes, FALSE);
  g_bytes_unref (bytes);
  return g_variant_ref_sink (programs);
}

GBytes *
fx_ahead_find (const FxProgram *program, const char *text, int arch)
{
  g_autoptr (GVariant) programs = open_programs ();
  g_autoptr (GVariant) all = NULL;
  g_autoptr (GVariant) found = NULL;
  g_autofree char *key = NULL;
  int least;

  if (! programs)
    return NULL;
  g_variant_get (programs, "(i@a{say})", &least, &all);
  if (arch < least)
    return NULL;
  key = fx_ahead_get_key (program, text, least);
  found = g_variant_lookup_value (all, key, G_VARIANT_TYPE_BYTESTRING);
  return found ? g_variant_get_data_as_bytes (found) : NULL;
}
