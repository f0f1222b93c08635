#include "batch.h"

#include "cleaner.h"
#include "colour.h"
#include "gimp.h"
#include "gpu.h"
#include "image-file.h"
#include "memory.h"
#include "metadata.h"
#include "stream.h"
#include "threads.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* An upper bound of the bytes that a GIMP process takes with an image of 24 megapixels. */
#define GIMP_MEMORY 1000000000

struct Batch {
  const Options *options;
  StreamEngine engine;
  char *folder; /* temporary, beside the outputs, so that these can be renamed */
  gint64 started;
  Memory *memory;
  gint next;     /* atomic: the job to take next */
  GRWLock alone; /* locked for writing by a job that must be the only one to use libvips */

  GMutex lock; /* of all that follows */
  guint begun, done, failed, skipped, filtered;
  GPtrArray *devices;  /* names */
  double milliseconds; /* the filter's, for all files */
  int width, height;   /* of the last file */
  gboolean on_gpu;
  char *fallback;
};

typedef struct {
  Batch *batch;
  Gimp *gimp;
} Worker;

static gboolean has_progress; /* whether a line on the terminal shows the current file */

void
batch_say (const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  /* main blocks SIGPIPE. Once it is sent again, the thread that waits for signals ends the
   * process. */
  if (fprintf (stderr, "%s%s: %s\n", has_progress ? "\r\033[K" : "", g_get_prgname (), text) < 0 &&
      errno == EPIPE)
    kill (getpid (), SIGPIPE);
}

/* One file. Its temporary files have the job's number. */

static char *
name_temporary (const Batch *batch, const Job *job, const char *suffix)
{
  guint number = 0;

  g_ptr_array_find (batch->options->jobs, job, &number);
  return g_strdup_printf ("%u%s", number + 1, suffix);
}

static char *
name_result (const Batch *batch, const Job *job)
{
  g_autofree char *extension = options_get_extension (job->shown);
  g_autofree char *suffix = NULL;

  if (! extension)
    extension = options_get_extension (job->output);
  suffix = g_strdup_printf (".%s", extension);
  return name_temporary (batch, job, suffix);
}

/* Opens the image that libvips loads: the input or, if libvips does not know its format, a TIFF
 * file that GIMP makes from it. Sets path to the path of that file. */
static VipsImage *
open_input (Worker *worker, const Job *job, char **path, FxFormat *format, GError **error)
{
  Batch *batch = worker->batch;
  guint64 size = memory_get_size (batch->memory);
  VipsImage *image = image_open (job->input, size, format, error);
  g_autofree char *name = NULL, *reason = NULL;
  guint64 memory;
  gboolean loaded;

  *path = g_strdup (job->input);
  if (image || ! g_error_matches (*error, IMAGE_ERROR, IMAGE_ERROR_FORMAT))
    return image;
  reason = g_strdup ((*error)->message);
  g_clear_error (error);
  if (batch->options->verbose)
    batch_say ("%s: loaded by GIMP: %s", job->input, reason);
  g_free (*path);
  name = name_temporary (batch, job, "-gimp.tif");
  *path = g_build_filename (batch->folder, name, NULL);
  memory = memory_take (batch->memory, GIMP_MEMORY);
  loaded = gimp_load (worker->gimp, job->input, name, error);
  memory_give_back (batch->memory, memory);
  if (loaded)
    return image_open (*path, size, format, error);
  if (g_error_matches (*error, IMAGE_ERROR, IMAGE_ERROR_NO_GIMP))
    g_prefix_error (error, "%s, and ", reason);
  return NULL;
}

static gboolean
save (const Job *job, VipsImage *image, const FxFormat *format, const char *source,
      const char *path, GError **error)
{
  const ImageKind *kind = image_kind_find (path);
  g_autoptr (GExiv2Metadata) metadata = metadata_read (source, image);
  gboolean taken = metadata && image_kind_takes_metadata (kind, image);
  g_autofree char *left_out = NULL;
  gboolean done = image_save (image, format, kind, path, taken ? NULL : metadata, error) &&
                  (! taken || metadata_write (metadata, source, path, &left_out, error));

  if (done && left_out)
    batch_say ("%s: %s", job->input, left_out);
  return done;
}

static void
note_report (Batch *batch, VipsImage *image, const FxReport *report)
{
  g_mutex_lock (&batch->lock);
  batch->width = image->Xsize;
  batch->height = image->Ysize;
  if (report)
    {
      batch->filtered++;
      batch->milliseconds += report->milliseconds;
      batch->on_gpu |= report->device == FX_DEVICE_GPU;
      if (*report->fallback && ! batch->fallback)
        batch->fallback = g_strdup (report->fallback);
      if (! g_ptr_array_find_with_equal_func (batch->devices, report->device_name, g_str_equal,
                                              NULL))
        g_ptr_array_add (batch->devices, g_strdup (report->device_name));
    }
  g_mutex_unlock (&batch->lock);
}

/* source: the file that the image was loaded from; path: the file to write. */
static gboolean
filter_image (Batch *batch, const Job *job, VipsImage *image, const FxFormat *format,
              const char *source, const char *path, GError **error)
{
  g_autoptr (Stream) stream = stream_new (&batch->engine, image, format);
  guint64 need = stream_get_need (stream) + image_kind_get_need (image_kind_find (path), image);
  guint64 memory;
  VipsImage *result;
  gboolean done;

  if (need > memory_get_size (batch->memory))
    return image_set_no_memory (error);
  memory = memory_take (batch->memory, need);
  result = stream_start (stream, error);
  done = result && save (job, result, format, source, path, error);
  if (! done)
    stream_replace_error (stream, error);
  memory_give_back (batch->memory, memory);
  if (done)
    note_report (batch, image, stream_get_report (stream));
  return done;
}

/* Has GIMP convert the file that libvips wrote, if libvips does not know the result's format. */
static gboolean
convert_output (Worker *worker, const char *name, const char *result, GError **error)
{
  guint64 memory;
  gboolean done;

  if (strcmp (name, result) == 0)
    return TRUE;
  memory = memory_take (worker->batch->memory, GIMP_MEMORY);
  done = gimp_save (worker->gimp, name, result, error);
  memory_give_back (worker->batch->memory, memory);
  if (! done && (*error)->code != IMAGE_ERROR_NO_GIMP)
    (*error)->code = IMAGE_ERROR_UNWRITTEN;
  return done;
}

static gboolean
put_in_place (const Batch *batch, const Job *job, const char *result, GError **error)
{
  g_autofree char *path = g_build_filename (batch->folder, result, NULL);
  GStatBuf status;

  if (g_stat (job->output, &status) == 0)
    g_chmod (path, status.st_mode & 07777);
  if (g_rename (path, job->output) == 0)
    return TRUE;
  g_set_error_literal (error, IMAGE_ERROR, IMAGE_ERROR_UNWRITTEN, g_strerror (errno));
  return FALSE;
}

/* pages: set to the number of pages or frames. */
static gboolean
process (Worker *worker, const Job *job, int *pages, GError **error)
{
  Batch *batch = worker->batch;
  g_autofree char *result = name_result (batch, job), *source = NULL;
  g_autofree char *name = image_kind_find (result) ? g_strdup (result)
                                                   : name_temporary (batch, job, "-result.tif");
  g_autofree char *path = g_build_filename (batch->folder, name, NULL);
  FxFormat format;
  VipsImage *image = open_input (worker, job, &source, &format, error);
  gboolean done;

  if (! image)
    return FALSE;
  *pages = vips_image_get_n_pages (image);
  if (! colour_set_curve (image, &format))
    batch_say ("%s: its colour profile has no tone curve that all channels share, so linear light "
               "is that of sRGB's curve",
               job->input);
  if (colour_is_lost (image, result))
    batch_say ("%s: its colour profile is left out, because this format has none", job->shown);
  done = filter_image (batch, job, image, &format, source, path, error) &&
         convert_output (worker, name, result, error) && put_in_place (batch, job, result, error);
  g_object_unref (image);
  return done;
}

/* libvips has one error buffer for all threads. So a file that fails is tried again alone, to get
 * its own message. */
static gboolean
process_job (Worker *worker, const Job *job, int *pages, GError **error)
{
  Batch *batch = worker->batch;
  gboolean done;

  g_rw_lock_reader_lock (&batch->alone);
  done = process (worker, job, pages, error);
  g_rw_lock_reader_unlock (&batch->alone);
  if (done || ! (g_error_matches (*error, IMAGE_ERROR, IMAGE_ERROR_DAMAGED) ||
                 g_error_matches (*error, IMAGE_ERROR, IMAGE_ERROR_UNWRITTEN)))
    return done;
  g_clear_error (error);
  g_rw_lock_writer_lock (&batch->alone);
  vips_error_clear ();
  done = process (worker, job, pages, error);
  g_rw_lock_writer_unlock (&batch->alone);
  return done;
}

static void
begin_job (Batch *batch, const Job *job)
{
  g_autofree char *name = g_path_get_basename (job->input);

  g_mutex_lock (&batch->lock);
  batch->begun++;
  if (has_progress) /* the terminal cuts the line instead of wrapping it */
    fprintf (stderr, "\r\033[?7l%u of %u: %s\033[K\033[?7h", batch->begun,
             batch->options->jobs->len, g_strdelimit (name, "\n\r\t\033", '?'));
  g_mutex_unlock (&batch->lock);
}

static void
fail_job (Batch *batch, const Job *job, const GError *error)
{
  g_mutex_lock (&batch->lock);
  if (! job->given && g_error_matches (error, IMAGE_ERROR, IMAGE_ERROR_FORMAT))
    {
      batch->skipped++;
      batch_say ("%s: skipped, because GIMP does not know this image format", job->input);
    }
  else
    {
      batch->failed++;
      if (g_error_matches (error, IMAGE_ERROR, IMAGE_ERROR_UNWRITTEN))
        batch_say ("%s: cannot be written: %s", job->shown, error->message);
      else if (g_error_matches (error, IMAGE_ERROR, IMAGE_ERROR_DAMAGED))
        batch_say ("%s: the file is damaged: %s", job->input, error->message);
      else
        batch_say ("%s: %s", job->input, error->message);
    }
  g_mutex_unlock (&batch->lock);
}

static void
do_job (Worker *worker, const Job *job)
{
  Batch *batch = worker->batch;
  g_autoptr (GError) error = NULL;
  int pages = 1;

  begin_job (batch, job);
  if (job->problem)
    {
      g_mutex_lock (&batch->lock);
      batch->failed++;
      batch_say ("%s", job->problem);
      g_mutex_unlock (&batch->lock);
      return;
    }
  if (! process_job (worker, job, &pages, &error))
    {
      fail_job (batch, job, error);
      return;
    }
  g_mutex_lock (&batch->lock);
  batch->done++;
  if (pages > 1)
    batch_say ("%s: has %d pages or frames; only the first was processed", job->input, pages);
  g_mutex_unlock (&batch->lock);
}

/* All files. */

static gpointer
work (gpointer data)
{
  Worker *worker = data;
  const GPtrArray *jobs = worker->batch->options->jobs;
  guint at;

  while ((at = (guint) g_atomic_int_add (&worker->batch->next, 1)) < jobs->len)
    do_job (worker, jobs->pdata[at]);
  gimp_free (worker->gimp);
  vips_thread_shutdown ();
  return NULL;
}

/* Continues with fewer threads if some cannot be started. */
static void
run_threads (Batch *batch)
{
  int asked = batch->options->workers;
  guint wanted = (guint) (asked > 0 ? asked : fx_threads_get_cores ());
  guint n = MAX (MIN (wanted, batch->options->jobs->len), 1);
  g_autofree Worker *workers = g_new0 (Worker, n);
  g_autofree GThread **threads = g_new0 (GThread *, n);

  for (guint i = 0; i < n; i++)
    {
      workers[i] = (Worker) { batch, gimp_new (batch->folder, (int) i + 1) };
      threads[i] = g_thread_try_new ("file", work, &workers[i], NULL);
      if (! threads[i])
        work (&workers[i]);
    }
  for (guint i = 0; i < n; i++)
    if (threads[i])
      g_thread_join (threads[i]);
}

/* Prints the line in one call, because another program may write to the same place. */
static void
print_summary (const Batch *batch)
{
  const Options *options = batch->options;
  g_autoptr (GString) line = g_string_new (NULL);
  double time = batch->milliseconds / MAX (batch->filtered, 1);
  g_autofree char *devices = NULL;

  g_ptr_array_add (batch->devices, NULL);
  devices = g_strjoinv (" and ", (char **) batch->devices->pdata);
  if (options->out_dir)
    g_string_printf (line, "%u of %u written to %s, %s", batch->done,
                     options->jobs->len - batch->skipped, options->out_dir, options->summary);
  else
    {
      g_autofree char *name = g_path_get_basename (((Job *) options->jobs->pdata[0])->shown);

      g_string_printf (line, "%s: %dx%d, %s", name, batch->width, batch->height, options->summary);
    }
  if (batch->filtered > 0)
    g_string_append_printf (line, time < 10 ? ", on %s, %.1f ms%s" : ", on %s, %.0f ms%s", devices,
                            time, options->out_dir ? " each" : "");
  else if (batch->done > 0)
    g_string_append (line, ", nothing to change");
  g_string_append_printf (line, "; %.1f s in all",
                          (double) (g_get_monotonic_time () - batch->started) / G_USEC_PER_SEC);
  if (batch->failed > 0)
    g_string_append_printf (line, "; %u failed", batch->failed);
  if (batch->skipped > 0)
    g_string_append_printf (line, "; %u skipped", batch->skipped);
  if (has_progress)
    fputs ("\r\033[K", stderr);
  if ((printf ("%s\n", line->str) < 0 || fflush (stdout) != 0) && errno == EPIPE)
    kill (getpid (), SIGPIPE);
}

static gboolean
make_folder (Batch *batch, GError **error)
{
  const Options *options = batch->options;
  g_autofree char *beside = options->out_dir
                              ? g_canonicalize_filename (options->out_dir, NULL)
                              : g_path_get_dirname (((Job *) options->jobs->pdata[0])->output);

  if (options->out_dir && g_mkdir_with_parents (beside, 0777) != 0)
    return fx_refuse (error, "%s: this folder cannot be made", options->out_dir);
  cleaner_sweep (beside);
  batch->folder = g_build_filename (beside, CLEANER_FOLDER, NULL);
  if (g_mkdtemp (batch->folder))
    {
      cleaner_guard (batch->folder);
      return TRUE;
    }
  g_clear_pointer (&batch->folder, g_free);
  return fx_refuse (error, "%s: this folder cannot be written to", beside);
}

Batch *
batch_new (const Options *options, GError **error)
{
  Batch *batch = g_new0 (Batch, 1);

  batch->started = g_get_monotonic_time ();
  batch->options = options;
  batch->engine = (StreamEngine) { .engine = fx_engine_new (), .settings = options->settings };
  fx_engine_set_lasting (batch->engine.engine);
  batch->memory = memory_new ();
  batch->devices = g_ptr_array_new_with_free_func (g_free);
  if (make_folder (batch, error))
    return batch;
  batch_free (batch);
  return NULL;
}

void
batch_free (Batch *batch)
{
  if (! batch)
    return;
  if (batch->folder)
    cleaner_remove (batch->folder);
  fx_engine_free (batch->engine.engine);
  g_rw_lock_clear (&batch->alone);
  memory_free (batch->memory);
  g_ptr_array_unref (batch->devices);
  g_free (batch->fallback);
  g_free (batch->folder);
  g_free (batch);
}

gboolean
batch_run (Batch *batch)
{
  const Options *options = batch->options;

  has_progress = options->out_dir && isatty (STDERR_FILENO) &&
                 g_strcmp0 (g_getenv ("TERM"), "dumb") != 0;
  run_threads (batch);
  if (batch->fallback && ! batch->on_gpu && fx_gpu_get_count () > 0)
    batch_say ("not on the GPU: %s", batch->fallback);
  if (options->out_dir || batch->done > 0)
    print_summary (batch);
  return batch->failed == 0 && (batch->done > 0 || options->jobs->len == 0);
}

/* Another thread may still write into the folder, so the removal is repeated. */
void
batch_end (Batch *batch, int status)
{
  gimp_kill_all ();
  if (has_progress)
    fputs ("\r\033[K", stderr);
  for (int tries = 0; tries < 100 && cleaner_remove (batch->folder) != 0 && errno != ENOENT;
       tries++)
    ;
  _exit (status);
}
