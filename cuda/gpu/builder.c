#include "builder.h"
#include "trace.h"

#define BUILT_MAX 64 /* results that wait to be asked for; the disk has them as well */

struct FxBuilder {
  int arch, major;
  gboolean ptx;
  FxCache *cache;
  FxCompiler *compiler; /* neither it nor target changes once it is opened */
  FxTarget target;

  GThread *thread; /* opens the compiler, then compiles in the background */
  GMutex mutex;    /* over what follows */
  GCond changed;
  gboolean opened; /* or failed to */
  GError *error;   /* why it did */
  gboolean stop;
  const FxProgram *program; /* of wanted */
  char *wanted;             /* text to compile next, or NULL */
  char *current;            /* text under way, or NULL */
  GHashTable *built; /* text -> GBytes that nobody has asked for since, or NULL of a failure */
};

static void
unref_code (gpointer code)
{
  if (code)
    g_bytes_unref (code);
}

/* The background. */

static void
open_compiler (FxBuilder *builder)
{
  FxCompiler *compiler = fx_compiler_open (builder->major, &builder->error);
  const int *archs;
  int n;

  if (! compiler)
    return;
  archs = fx_compiler_get_archs (compiler, &n);
  if (fx_target_choose (archs, n, fx_compiler_get_version (compiler), builder->arch, builder->ptx,
                        &builder->target, &builder->error))
    builder->compiler = compiler;
  else
    fx_compiler_close (compiler);
}

/* Compiles what is wanted; for this time gives up the mutex. */
static void
build (FxBuilder *builder)
{
  const FxProgram *program = builder->program;
  g_autoptr (GError) error = NULL;
  GBytes *code;

  builder->current = g_steal_pointer (&builder->wanted);
  g_mutex_unlock (&builder->mutex);
  code = fx_program_get (program, builder->compiler, builder->cache, builder->current,
                         &builder->target, &error);
  if (! code)
    fx_trace ("compile", g_get_monotonic_time (), 0, "%s", error->message);
  g_mutex_lock (&builder->mutex);
  if (g_hash_table_size (builder->built) >= BUILT_MAX)
    g_hash_table_remove_all (builder->built);
  g_hash_table_replace (builder->built, g_steal_pointer (&builder->current), code);
}

static gpointer
work (gpointer data)
{
  FxBuilder *builder = data;

  open_compiler (builder);
  g_mutex_lock (&builder->mutex);
  builder->opened = TRUE;
  g_cond_broadcast (&builder->changed);
  while (! builder->stop)
    if (builder->wanted)
      build (builder);
    else
      g_cond_wait (&builder->changed, &builder->mutex);
  g_mutex_unlock (&builder->mutex);
  return NULL;
}

FxBuilder *
fx_builder_new (int arch, int major, const FxConfig *config)
{
  FxBuilder *builder = g_new0 (FxBuilder, 1);

  builder->arch = arch;
  builder->major = major;
  builder->ptx = config->ptx;
  builder->cache = fx_cache_new (config->cache_dir, FX_CACHE_LIMIT);
  builder->built = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_code);
  g_mutex_init (&builder->mutex);
  g_cond_init (&builder->changed);
  builder->thread = g_thread_new ("cuda-blur-nvrtc", work, builder);
  return builder;
}

void
fx_builder_free (FxBuilder *builder)
{
  if (! builder)
    return;
  g_mutex_lock (&builder->mutex);
  builder->stop = TRUE;
  g_cond_broadcast (&builder->changed);
  g_mutex_unlock (&builder->mutex);
  g_thread_join (builder->thread);
  g_clear_error (&builder->error);
  g_free (builder->wanted);
  g_hash_table_unref (builder->built);
  g_mutex_clear (&builder->mutex);
  g_cond_clear (&builder->changed);
  fx_compiler_close (builder->compiler);
  fx_cache_free (builder->cache);
  g_free (builder);
}

/* The compiler, waited for. FALSE with error if there is none. */
static gboolean
wait_for_compiler (FxBuilder *builder, GError **error)
{
  g_mutex_lock (&builder->mutex);
  while (! builder->opened)
    g_cond_wait (&builder->changed, &builder->mutex);
  g_mutex_unlock (&builder->mutex);
  if (builder->error && error)
    *error = g_error_copy (builder->error);
  return ! builder->error;
}

GBytes *
fx_builder_get (FxBuilder *builder, const FxProgram *program, const char *text, GError **error)
{
  if (! wait_for_compiler (builder, error))
    return NULL;
  return fx_program_get (program, builder->compiler, builder->cache, text, &builder->target, error);
}

static void
want (FxBuilder *builder, const FxProgram *program, const char *text)
{
  if (g_strcmp0 (builder->wanted, text) == 0 || g_strcmp0 (builder->current, text) == 0)
    return;
  g_free (builder->wanted);
  builder->program = program;
  builder->wanted = g_strdup (text);
  g_cond_broadcast (&builder->changed);
}

/* Whether the background is done with text; code: what came of it, or NULL. */
static gboolean
collect (FxBuilder *builder, const char *text, GBytes **code)
{
  gpointer built = NULL;
  gboolean done = g_hash_table_lookup_extended (builder->built, text, NULL, &built);

  *code = built ? g_bytes_ref (built) : NULL;
  if (built)
    g_hash_table_remove (builder->built, text);
  return done;
}

GBytes *
fx_builder_find (FxBuilder *builder, const FxProgram *program, const char *text)
{
  GBytes *code = NULL;
  gboolean done;

  if (! wait_for_compiler (builder, NULL)) /* fx_builder_get says why */
    return NULL;
  g_mutex_lock (&builder->mutex);
  done = collect (builder, text, &code);
  g_mutex_unlock (&builder->mutex);
  if (done)
    return code;
  code = fx_program_find (program, builder->compiler, builder->cache, text, &builder->target);
  if (code)
    return code;
  g_mutex_lock (&builder->mutex);
  want (builder, program, text);
  g_mutex_unlock (&builder->mutex);
  return NULL;
}
