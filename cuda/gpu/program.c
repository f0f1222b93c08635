#include "program.h"
#include "gpu-kernels.h"
#include "trace.h"

#define CACHE_VERSION 5 /* of the files' layout and of the constants */

/* The text. */

/* Appends the names that kernels use for the values of C enums. */
static void
append_names (GString *text)
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
    { "ABYSS_NONE", FX_ABYSS_NONE },
    { "ABYSS_BLACK", FX_ABYSS_BLACK },
    { "ABYSS_WHITE", FX_ABYSS_WHITE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_string_append_printf (text, "#define %s %d\n", names[i].name, names[i].value);
}

static void
define_pixels (GString *text, FxSample sample, FxCurve curve, const FxFormat *format)
{
  g_string_append_printf (text, "#define SAMPLE %d\n#define CHANNELS %d\n#define CURVE %d\n",
                          sample, format->channels, curve);
  g_string_append_printf (text, "#define FLOATING %d\n", format->sample >= FX_SAMPLE_HALF);
}

/* Defines name with all digits of a float, independent of the locale. */
static void
define_float (GString *text, const char *name, float value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (digits, sizeof digits, "%.8e", value);
  g_string_append_printf (text, "#define %s %sf\n", name, digits);
}

void
fx_define_trc (GString *text, const FxTrc *trc)
{
  if (fx_trc_is_srgb (trc))
    return;
  if (trc->table)
    {
      g_string_append_printf (text, "#define " FX_PROGRAM_TABLE " %d\n", FX_TRC_ENTRIES);
      return;
    }
  define_float (text, "TRC_G", trc->g);
  define_float (text, "TRC_A", trc->a);
  define_float (text, "TRC_B", trc->b);
  define_float (text, "TRC_C", trc->c);
  define_float (text, "TRC_D", trc->d);
  define_float (text, "TRC_E", trc->e);
  define_float (text, "TRC_F", trc->f);
}

void
fx_define_codec (const FxProgramCase *program_case, GString *text)
{
  const FxCodec *codec = &program_case->codec;

  define_pixels (text, codec->format.sample, codec->curve, &codec->format);
  if (codec->alpha == FX_ALPHA_STRAIGHT)
    g_string_append (text, "#define STRAIGHT 1\n");
  if (fx_codec_has_highlights (codec))
    g_string_append (text, "#define HIGHLIGHTS 1\n");
  if (codec->curve != FX_CURVE_NONE)
    fx_define_trc (text, &codec->format.trc);
}

/* Cells are always floats, but the image's format decides whether they can be infinite. */
void
fx_define_grid (const FxProgramCase *program_case, GString *text)
{
  define_pixels (text, FX_SAMPLE_FLOAT, FX_CURVE_NONE, &program_case->codec.format);
}

void
fx_define_source (const FxProgramCase *program_case, GString *text)
{
  const FxPlan *plan = program_case->plan;

  fx_define_codec (program_case, text);
  g_string_append_printf (text, "#define ABYSS %d\n#define BEYOND {", plan->abyss);
  for (int c = 0; c < FX_CHANNELS_MAX; c++)
    g_string_append_printf (text, " %d,", plan->border[c] > 0.0f);
  g_string_append (text, " }\n");
}

char *
fx_program_get_text (const FxProgram *program, const FxProgramCase *program_case)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "/* %s */\n", program->name);
  append_names (text);
  program->define (program_case, text);
  g_string_append_printf (text, "#include \"%s\"\n", program->file);
  return g_string_free (text, FALSE);
}

/* The files. */

/* Adds the files of one resource. They are built in, so their texts are permanent and
 * zero-terminated.
 *
 * When a thread first requests a resource, GLib initialises all resources of the process. Until
 * then, get_resource returns NULL on other threads. A search through all resources waits for the
 * initialisation, even if it finds nothing. */
static void
add_files (GResource *(*get_resource) (void), FxHeaders *headers)
{
  g_auto (GStrv) all = NULL;
  GResource *resource;

  g_resources_get_info (FX_PROGRAM_FILES, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL);
  resource = get_resource ();
  all = g_resource_enumerate_children (resource, FX_PROGRAM_FILES, G_RESOURCE_LOOKUP_FLAGS_NONE,
                                       NULL);

  g_assert (all); /* built in */
  for (int i = 0; all[i]; i++)
    {
      g_autofree char *path = g_strconcat (FX_PROGRAM_FILES, all[i], NULL);
      g_autoptr (GBytes)
        file = g_resource_lookup_data (resource, path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

      g_ptr_array_add (headers->names, g_strdup (all[i]));
      g_ptr_array_add (headers->texts, (gpointer) g_bytes_get_data (file, NULL));
    }
}

/* Returns the files that a text of program may include: those of cuda/gpu, and those of the
 * program's own folder. */
static FxHeaders
get_headers (const FxProgram *program)
{
  FxHeaders headers = { g_ptr_array_new_with_free_func (g_free), g_ptr_array_new () };

  add_files (gpu_kernels_get_resource, &headers);
  if (program && program->get_files != gpu_kernels_get_resource)
    add_files (program->get_files, &headers);
  return headers;
}

static void
headers_clear (FxHeaders *headers)
{
  g_ptr_array_unref (headers->names);
  g_ptr_array_unref (headers->texts);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FxHeaders, headers_clear)

/* Machine code. */

GBytes *
fx_program_compile (const FxProgram *program, FxCompiler *compiler, const char *text,
                    const FxTarget *target, GError **error)
{
  g_auto (FxHeaders) headers = get_headers (program);

  return fx_compiler_compile (compiler, text, target, &headers, error);
}

char *
fx_program_get_key (const FxProgram *program, const char *compiler, const char *text,
                    const FxTarget *target)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_auto (GStrv) options = fx_target_get_options (target);
  g_autofree char *option = g_strjoinv ("\n", options);
  g_autofree char *head = g_strdup_printf ("%d\n%s\n%s\n", CACHE_VERSION, compiler, option);
  g_auto (FxHeaders) headers = get_headers (program);

  g_checksum_update (checksum, (const guchar *) head, -1);
  for (guint i = 0; i < headers.names->len; i++)
    {
      g_checksum_update (checksum, g_ptr_array_index (headers.names, i), -1);
      g_checksum_update (checksum, g_ptr_array_index (headers.texts, i), -1);
    }
  g_checksum_update (checksum, (const guchar *) text, -1);
  return g_strdup (g_checksum_get_string (checksum));
}

/* Returns the code of key from the cache, or NULL. */
static GBytes *
find_code (FxCache *cache, const char *key)
{
  gint64 start = g_get_monotonic_time ();
  GBytes *code = fx_cache_get (cache, key);

  if (code)
    fx_trace ("cached", start, g_bytes_get_size (code), NULL);
  return code;
}

GBytes *
fx_program_find (const FxProgram *program, FxCompiler *compiler, FxCache *cache, const char *text,
                 const FxTarget *target)
{
  g_autofree char *key = fx_program_get_key (program, fx_compiler_get_identity (compiler), text,
                                             target);

  return find_code (cache, key);
}

GBytes *
fx_program_get (const FxProgram *program, FxCompiler *compiler, FxCache *cache, const char *text,
                const FxTarget *target, GError **error)
{
  g_autofree char *key = fx_program_get_key (program, fx_compiler_get_identity (compiler), text,
                                             target);
  g_autoptr (GError) failure = NULL;
  GBytes *code = find_code (cache, key);
  gint64 start = g_get_monotonic_time ();

  if (code || ! (code = fx_program_compile (program, compiler, text, target, error)))
    return code;
  fx_trace ("compile", start, g_bytes_get_size (code), "%s %d", target->ptx ? "PTX" : "CUBIN",
            target->arch);
  if (! fx_cache_put (cache, key, code, &failure)) /* the next process compiles again */
    fx_trace ("cache", start, 0, "%s", failure->message);
  return code;
}
