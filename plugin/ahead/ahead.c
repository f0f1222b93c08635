/* ahead FILE
 *
 * Writes FILE for cuda/gpu/include/ahead.h: the generic programs that most layers need, compiled by
 * this machine's NVRTC for the oldest GPUs that it supports. Without NVRTC, FILE contains no
 * programs.
 *
 * There are thousands of generic programs, because each is compiled for a format, a light and an
 * abyss policy. These are the ones for GIMP's defaults. */
#include "ahead.h"
#include "filter-words.h"
#include "filters.h"
#include "gpu-run.h"
#include "gpu-view.h"

#include <string.h>

typedef struct {
  const FxProgram *program;
  char *text;
  GBytes *code;
} Wanted;

typedef struct {
  FxCompiler *compiler;
  FxTarget target;
  GPtrArray *wanted; /* elements are Wanted */
  gint failed;
} Ahead;

static void
free_wanted (gpointer data)
{
  Wanted *wanted = data;

  g_clear_pointer (&wanted->code, g_bytes_unref);
  g_free (wanted->text);
  g_free (wanted);
}

/* The list of programs. */

static void
want (Ahead *ahead, const FxProgram *program, const FxProgramCase *program_case)
{
  g_autofree char *text = fx_program_get_text (program, program_case);
  Wanted *wanted;

  for (guint i = 0; i < ahead->wanted->len; i++)
    if (strcmp (((Wanted *) ahead->wanted->pdata[i])->text, text) == 0)
      return;
  wanted = g_new0 (Wanted, 1);
  wanted->program = program;
  wanted->text = g_steal_pointer (&text);
  g_ptr_array_add (ahead->wanted, wanted);
}

/* Adds the plan's programs for each kind of device, and frees plan. The table has the shared memory
 * of a block and of a multiprocessor, in KiB, from the CUDA C++ Programming Guide, "Technical
 * Specifications per Compute Capability". */
static void
want_plan (Ahead *ahead, FxPlan *plan)
{
  static const int shared[][2] = { { 64, 64 }, { 99, 100 }, { 163, 164 }, { 227, 228 } };
  const FxProgram *programs[FX_PROGRAMS_MAX];
  int n = plan->filter->get_gpu_path (plan)->get_programs (plan, FX_VERSIONS_GENERIC, programs);

  for (gsize d = 0; d < G_N_ELEMENTS (shared); d++)
    {
      const FxProgramCase program_case = {
        .codec = plan->codec,
        .plan = plan,
        .shared_block = shared[d][0] * 1024,
        .shared_processor = shared[d][1] * 1024,
      };

      for (int i = 0; i < n; i++)
        want (ahead, programs[i], &program_case);
    }
  fx_plan_free (plan);
}

/* Adds the filter's programs. Its settings must be valid. */
static void
want_filter (Ahead *ahead, const FilterDescription *filter, const FxFormat *format)
{
  for (const char *const *line = filter->ahead; *line; line++)
    {
      g_auto (GStrv) words = g_strsplit (*line, " ", 0);
      g_autoptr (GError) error = NULL;
      g_autoptr (FilterSettings)
        settings = filter_settings_from_words (filter, words, (int) g_strv_length (words), &error);

      g_assert_no_error (error);
      want_plan (ahead, filter->make_plan (settings, format, FALSE));
    }
}

static void
want_all (Ahead *ahead)
{
  static const FxFormat formats[] = {
    { FX_SAMPLE_U8, 1, TRUE },     { FX_SAMPLE_U8, 3, TRUE },  { FX_SAMPLE_U8, 4, TRUE },
    { FX_SAMPLE_U16, 3, TRUE },    { FX_SAMPLE_U16, 4, TRUE }, { FX_SAMPLE_FLOAT, 3, FALSE },
    { FX_SAMPLE_FLOAT, 4, FALSE },
  };

  for (gsize f = 0; f < G_N_ELEMENTS (formats); f++)
    {
      const FxProgramCase shown = { .codec = fx_codec_new (&formats[f], FX_LIGHT_LINEAR) };

      for (int i = 0; filters[i]; i++)
        want_filter (ahead, filters[i], &formats[f]);
      want (ahead, &fx_program_reduce, &shown);
    }
}

/* Compiling. */

static void
ahead_compile (gpointer data, gpointer user_data)
{
  Wanted *wanted = data;
  Ahead *ahead = user_data;
  g_autoptr (GError) error = NULL;

  wanted->code = fx_program_compile (wanted->program, ahead->compiler, wanted->text, &ahead->target,
                                     &error);
  if (! wanted->code)
    {
      g_printerr ("%s: %s\n", wanted->program->name, error->message);
      g_atomic_int_inc (&ahead->failed);
    }
}

/* Returns whether all programs were compiled. */
static gboolean
compile_all (Ahead *ahead)
{
  GThreadPool *pool = g_thread_pool_new (ahead_compile, ahead, (int) g_get_num_processors (), FALSE,
                                         NULL);

  for (guint i = 0; i < ahead->wanted->len; i++)
    g_thread_pool_push (pool, ahead->wanted->pdata[i], NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
  return ahead->failed == 0;
}

static gboolean
ahead_write_all (const Ahead *ahead, const char *path, GError **error)
{
  GVariantBuilder codes;
  g_autoptr (GVariant) all = NULL;

  g_variant_builder_init (&codes, G_VARIANT_TYPE ("a{say}"));
  for (guint i = 0; i < ahead->wanted->len; i++)
    {
      const Wanted *wanted = ahead->wanted->pdata[i];
      g_autofree char *key = fx_ahead_get_key (wanted->program, wanted->text, ahead->target.arch);

      g_variant_builder_add (&codes, "{s@ay}", key,
                             g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, wanted->code,
                                                       TRUE));
    }
  all = g_variant_ref_sink (g_variant_new (FX_AHEAD_TYPE, ahead->target.arch, &codes));
  return g_file_set_contents (path, g_variant_get_data (all), (gssize) g_variant_get_size (all),
                              error);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FxCompiler) compiler = fx_compiler_open (0, &error);
  g_autoptr (GPtrArray) wanted = g_ptr_array_new_with_free_func (free_wanted);
  Ahead ahead = { .compiler = compiler, .wanted = wanted };
  int n;

  if (argc != 2)
    return 2;
  if (compiler)
    {
      ahead.target = fx_ahead_get_target (fx_compiler_get_archs (compiler, &n)[0]);
      want_all (&ahead);
    }
  else
    g_printerr ("No programs are compiled ahead: %s\n", error->message);
  g_clear_error (&error);
  if (! compile_all (&ahead) || ! ahead_write_all (&ahead, argv[1], &error))
    {
      g_printerr ("%s\n", error ? error->message : "not all programs compile");
      return 1;
    }
  return 0;
}
