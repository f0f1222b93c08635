#include "alike-builder.h"

#include "codec.h"

#include <stdlib.h>
#include <string.h>

static struct {
  FxCompiler *compiler;
  FxCache *cache;
  FxTarget target;
  GHashTable *codes;  /* text to code */
  GPtrArray *samples; /* of AlikeSample */
} alike;

static void
free_sample (gpointer data)
{
  AlikeSample *sample = data;

  g_free (sample->text);
  g_free (sample);
}

gboolean
alike_open (GError **error)
{
  int n;

  if (! (alike.compiler = fx_compiler_open (0, error)))
    return FALSE;
  alike.cache = fx_cache_new (g_getenv ("CUDA_BLUR_CACHE_DIR"), FX_CACHE_LIMIT);
  alike.target = (FxTarget) { .arch = fx_compiler_get_archs (alike.compiler, &n)[0] };
  alike.codes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                       (GDestroyNotify) g_bytes_unref);
  alike.samples = g_ptr_array_new_with_free_func (free_sample);
  return TRUE;
}

void
alike_close (void)
{
  g_ptr_array_unref (alike.samples);
  g_hash_table_unref (alike.codes);
  fx_cache_free (alike.cache);
  fx_compiler_close (alike.compiler);
}

const AlikeSample *
alike_get_sample (guint n)
{
  return n < alike.samples->len ? g_ptr_array_index (alike.samples, n) : NULL;
}

GBytes *
alike_compile_exactly (const FxProgram *program, const char *text)
{
  g_autoptr (GError) error = NULL;
  GBytes *code = fx_program_get (program, alike.compiler, alike.cache, text, &alike.target, &error);

  g_assert_no_error (error);
  return code;
}

/* The text that replaces a text. */

/* The constants that a block depends on, in addition to whether 8-bit colour is decoded with a
 * table. */
static const char *const kept[] = { "CHANNELS", "TILE",  "GROUPS", "RUN",        "LENGTH",
                                    "PLANES",   "PEAKS", "LARGE",  "RECOMPUTES", "FFT_REAL",
                                    "THREADS",  "FIRST", "FINE",   "NARROW" };

/* Values of other constants, which some programs need. */
static const char others[] =
  "#define FLOATING 0\n#define DIVIDES_BY_ALPHA 0\n#define ALPHA_MATRIX 0\n"
  "#define WRITTEN 15\n#define TERMS 1\n#define COMPARED 0\n"
  "#define SOFT 0\n#define COMPARES_OTHERS 0\n#define LINEAR 0\n";

/* Returns what follows prefix, or NULL if line does not begin with prefix. */
static const char *
skip (const char *line, const char *prefix)
{
  return g_str_has_prefix (line, prefix) ? line + strlen (prefix) : NULL;
}

/* A motion blur's COLUMNS and ROWS are those of a block; a convolution's are its matrix's. Blocks
 * of a focus blur depend on whether there is a map. */
static gboolean
is_kept (const FxProgram *program, const char *line)
{
  const char *name = skip (line, "#define "), *rest;

  if (! name)
    return g_str_has_prefix (line, "#include ");
  for (gsize i = 0; i < G_N_ELEMENTS (kept); i++)
    if ((rest = skip (name, kept[i])) && *rest == ' ')
      return TRUE;
  return skip (name, "SAMPLE_") || skip (name, "CURVE_") || skip (name, "ABYSS_") ||
         ((g_str_has_prefix (program->name, "motion") ||
           g_str_has_prefix (program->name, "focus")) &&
          ! skip (name, "FLOATING "));
}

static char *
find_alike (const FxProgram *program, const char *text)
{
  g_autoptr (GString) result = g_string_new (others);
  int sample = FX_SAMPLE_FLOAT, curve = FX_CURVE_NONE;
  const char *line, *end, *value;

  for (line = text; (end = strchr (line, '\n')); line = end + 1)
    if (*line != '#')
      continue;
    else if ((value = skip (line, "#define SAMPLE ")))
      sample = atoi (value);
    else if ((value = skip (line, "#define CURVE ")))
      curve = atoi (value);
    else if (is_kept (program, line))
      g_string_append_len (result, line, end + 1 - line);
  if (sample != FX_SAMPLE_U8 || curve == FX_CURVE_NONE)
    {
      sample = FX_SAMPLE_FLOAT;
      curve = FX_CURVE_NONE;
    }
  return g_strdup_printf ("#define SAMPLE %d\n#define CURVE %d\n%s", sample, curve, result->str);
}

GBytes *
alike_find (const FxProgram *program, const char *text)
{
  g_autofree char *found = find_alike (program, text);
  GBytes *code = g_hash_table_lookup (alike.codes, found);

  if (! code)
    {
      code = alike_compile_exactly (program, found);
      g_hash_table_insert (alike.codes, g_steal_pointer (&found), code);
    }
  return g_bytes_ref (code);
}

/* The builder. */

#define SAMPLE_SHARE 1999 /* one text in SAMPLE_SHARE is a sample */

static void
take_sample (const FxProgram *program, const char *text)
{
  static int texts;
  AlikeSample *sample;

  if (++texts % SAMPLE_SHARE != 0)
    return;
  sample = g_new (AlikeSample, 1);
  *sample = (AlikeSample) { program, g_strdup (text) };
  g_ptr_array_add (alike.samples, sample);
}

static char builder;

FxBuilder *
fx_builder_new (int arch, int major, const FxConfig *config)
{
  return (FxBuilder *) &builder;
}

void
fx_builder_free (FxBuilder *ignored)
{
}

gboolean
fx_builder_get (FxBuilder *ignored, int n, const FxProgram *const *programs, char *const *texts,
                GBytes **codes, GError **error)
{
  for (int i = 0; i < n; i++)
    {
      codes[i] = texts[i] ? alike_find (programs[i], texts[i]) : NULL;
      if (texts[i])
        take_sample (programs[i], texts[i]);
    }
  return TRUE;
}

GBytes *
fx_builder_find (FxBuilder *ignored, const FxProgram *program, const char *text)
{
  return NULL;
}
