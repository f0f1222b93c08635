/* Puts image files through a filter without GIMP, several at a time: those of which it makes just
 * what GIMP and its plug-ins make. It declines all others, and whatever it cannot do.
 *
 *   cuda-blur-files MARK THREADS MEMORY PROCEDURE NAME=VALUE...
 *
 * PROCEDURE is the filter's, and the words are its settings, as filter-words.h has them. Standard
 * input names the files: a number, the input and the output, each ended by a 0. THREADS files are
 * done at a time, with MEMORY bytes for their pixels. Lines on standard output tell how it fares,
 * each after the number of a thread, 1 to THREADS:
 *
 *   THREAD MARK: begin NUMBER
 *   THREAD cuda-blur: blur MILLISECONDS ms BYTES bytes WIDTHxHEIGHT MODEL TYPE DEVICE
 *   THREAD cuda-blur: fallback 0 ms 0 bytes  REASON
 *   THREAD MARK: frames NUMBER
 *   THREAD MARK: done
 *   THREAD MARK: declined REASON
 *   THREAD MARK: unreadable REASON
 *   THREAD MARK: refused REASON
 *   THREAD MARK: unwritten REASON
 *
 * The first of so many frames, or pages, is that which was read. A file that is declined is one for
 * GIMP; so is an unreadable one, but if GIMP cannot load it either, REASON says why. A refused one
 * is for nobody. Of those that are not done something may have been written.
 */
#include "job.h"

#include "filter-words.h"
#include "filters.h"
#include "kind.h"
#include "metadata.h"
#include "trace.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *mark;
  char *const *words; /* three a file */
  guint n_words;
  Shared shared;
  gint next; /* atomic: the file to take next */
} Run;

static void G_GNUC_PRINTF (3, 4) tell (int thread, const char *mark, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  printf ("%d %s: %s\n", thread, mark, text);
}

static const char *
get_model (const FxFormat *format)
{
  static const char *const models[2][4] = { { "Y", "YA", "RGB", "RGBA" },
                                            { "Y'", "Y'A", "R'G'B'", "R'G'B'A" } };

  return models[format->gamma][format->channels - 1];
}

static const char *
get_type (const FxFormat *format)
{
  static const char *const types[] = {
    [FX_SAMPLE_U8] = "u8",     [FX_SAMPLE_U16] = "u16",     [FX_SAMPLE_U32] = "u32",
    [FX_SAMPLE_HALF] = "half", [FX_SAMPLE_FLOAT] = "float", [FX_SAMPLE_DOUBLE] = "double"
  };

  return types[format->sample];
}

/* In the words of the plug-in's trace. */
static void
tell_report (int thread, const JobReport *report)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (! report->filtered)
    return;
  if (*report->report.fallback)
    tell (thread, "cuda-blur", "fallback 0 ms 0 bytes  %s", report->report.fallback);
  tell (thread, "cuda-blur", "blur %s ms %" G_GSIZE_FORMAT " bytes %dx%d %s %s %s",
        g_ascii_formatd (number, sizeof number, "%.3f", report->report.milliseconds), report->bytes,
        report->width, report->height, get_model (&report->format), get_type (&report->format),
        report->report.device_name);
}

static const char *
get_outcome (const GError *error)
{
  static const char *const outcomes[] = { [PICTURE_ERROR_DECLINED] = "declined",
                                          [PICTURE_ERROR_UNREADABLE] = "unreadable",
                                          [PICTURE_ERROR_REFUSED] = "refused",
                                          [PICTURE_ERROR_UNWRITTEN] = "unwritten" };

  return outcomes[error->domain == PICTURE_ERROR ? error->code : PICTURE_ERROR_DECLINED];
}

static void
do_file (Run *run, int thread, char *const *words)
{
  g_autoptr (GError) error = NULL;
  JobReport report = { 0 };
  gboolean done;

  tell (thread, run->mark, "begin %s", words[0]);
  done = job_run (&run->shared, words[1], words[2], &report, &error);
  if (report.frames > 0)
    tell (thread, run->mark, "frames %d", report.frames);
  if (done)
    {
      tell_report (thread, &report);
      tell (thread, run->mark, "done");
    }
  else
    {
      g_strdelimit (error->message, "\n", ' ');
      tell (thread, run->mark, "%s %s", get_outcome (error), error->message);
    }
}

typedef struct {
  Run *run;
  int number;
} Worker;

static gpointer
work (gpointer data)
{
  Worker *worker = data;
  Run *run = worker->run;
  guint at;

  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): run_threads gives each its run */
  while ((at = 3 * (guint) g_atomic_int_add (&run->next, 1)) + 2 < run->n_words)
    do_file (run, worker->number, run->words + at);
  return NULL;
}

/* Those that cannot be started are not needed. */
static void
run_threads (Run *run, int n)
{
  g_autofree Worker *workers = g_new0 (Worker, n);
  g_autofree GThread **threads = g_new0 (GThread *, n);
  int i;

  for (i = 0; i < n; i++)
    {
      workers[i] = (Worker) { run, i + 1 };
      threads[i] = i + 1 < n ? g_thread_try_new ("file", work, &workers[i], NULL) : NULL;
    }
  work (&workers[n - 1]);
  for (i = 0; i < n; i++)
    if (threads[i])
      g_thread_join (threads[i]);
}

/* Standard input's words. */
static GPtrArray *
read_words (void)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (free);
  char *word = NULL;
  size_t room = 0;

  while (getdelim (&word, &room, '\0', stdin) > 0)
    g_ptr_array_add (words, g_steal_pointer (&word));
  free (word);
  return words;
}

/* Of the command line. NULL: it makes no sense. */
static FilterSettings *
read_settings (int argc, char **argv)
{
  const FilterDescription *filter = argc > 4 ? filters_find (argv[4]) : NULL;

  return filter ? filter_settings_from_words (filter, argv + 5, argc - 5, NULL) : NULL;
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) words = NULL;
  g_autoptr (FilterSettings) settings = read_settings (argc, argv);
  g_autoptr (FxEngine) engine = fx_engine_new ();
  Run run = { 0 };

  if (! settings)
    return 2;
  /* What a picture took goes back to the system with it: threads would keep it for themselves, and
   * together have far more than MEMORY. */
  mallopt (M_MMAP_THRESHOLD, 1 << 20);
  setvbuf (stdout, NULL, _IOLBF, BUFSIZ);
  kind_init ();
  metadata_init ();
  thumbnail_init ();
  fx_engine_set_lasting (engine);
  words = read_words ();
  run.mark = argv[1];
  run.words = (char *const *) words->pdata;
  run.n_words = words->len;
  run.shared = (Shared) { .budget = budget_new (g_ascii_strtoull (argv[3], NULL, 10)),
                          .settings = settings,
                          .engine = engine };
  run_threads (&run, (int) CLAMP (g_ascii_strtoll (argv[2], NULL, 10), 1, 999));
  budget_free (run.shared.budget);
  return 0;
}
