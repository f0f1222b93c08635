#include "batch.h"

#include "colour.h"
#include "duration.h"
#include "gpu.h"
#include "image-error.h"
#include "image-file.h"
#include "machine.h"
#include "map.h"
#include "metadata.h"
#include "stream.h"
#include "threads.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct Batch {
  const Options *options;
  StreamEngine engine;
  char *folder; /* temporary, beside the outputs, so that these can be renamed */
  gint64 started;
  guint64 memory; /* bytes that the files being processed may take together */
  gint next;      /* atomic: the job to take next */
  GRWLock alone;  /* locked for writing by a job that must be the only one to use libvips */

  GMutex lock; /* of all that follows */
  GCond given; /* signals that memory was given back */
  guint64 left;
  guint begun, done, failed, skipped, filtered;
  GPtrArray *devices;  /* names */
  double milliseconds; /* the filter's, for all files */
  int width, height;   /* of the last file */
  gboolean on_gpu;
  char *fallback;
};

static gboolean has_progress; /* whether a line on the terminal shows the current file */

/* Returns a text in which nothing tells a terminal what to do; free it. */
static char *
make_harmless (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *harmless = g_string_new (NULL);

  for (const char *c = valid; *c; c = g_utf8_next_char (c))
    g_string_append_unichar (harmless,
                             g_unichar_iscntrl (g_utf8_get_char (c)) ? '?' : g_utf8_get_char (c));
  return g_string_free (harmless, FALSE);
}

void
batch_say (const char *format, ...)
{
  g_autofree char *raw = NULL, *text = NULL;
  va_list args;

  va_start (args, format);
  raw = g_strdup_vprintf (format, args);
  va_end (args);
  text = make_harmless (raw);
  /* main blocks SIGPIPE. Once it is sent again, the thread that waits for signals ends the
   * process. */
  if (fprintf (stderr, "%s%s: %s\n", has_progress ? "\r\033[K" : "", g_get_prgname (), text) < 0 &&
      errno == EPIPE)
    kill (getpid (), SIGPIPE);
}

/* One file. */

static gboolean
save (const Job *job, VipsImage *image, const FxFormat *format, const ImageKind *kind,
      const char *path, GError **error)
{
  g_autoptr (GExiv2Metadata) metadata = metadata_read (job->input, image);
  gboolean taken = metadata && image_kind_takes_metadata (kind, image);
  g_autofree char *left_out = NULL;
  gboolean done = image_save (image, format, kind, path, taken ? NULL : metadata, error) &&
                  (! taken || metadata_write (metadata, job->input, path, &left_out, error));

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

/* Waits until bytes are left. Who has some takes no more: two such threads would wait for each
 * other. */
static void
take_memory (Batch *batch, guint64 bytes)
{
  g_mutex_lock (&batch->lock);
  while (batch->left < bytes)
    g_cond_wait (&batch->given, &batch->lock);
  batch->left -= bytes;
  g_mutex_unlock (&batch->lock);
}

static void
give_memory_back (Batch *batch, guint64 bytes)
{
  g_mutex_lock (&batch->lock);
  batch->left += bytes;
  g_cond_broadcast (&batch->given);
  g_mutex_unlock (&batch->lock);
}

static gboolean
filter_image (Batch *batch, const Job *job, VipsImage *image, const FxFormat *format,
              const ImageKind *kind, const char *path, GError **error)
{
  g_autoptr (Stream) stream = stream_new (&batch->engine, image, format);
  guint64 need = stream_get_need (stream) + image_kind_get_need (kind, image);
  VipsImage *result;
  gboolean done;

  if (need > batch->memory)
    return image_set_no_memory (error);
  take_memory (batch, need);
  result = stream_start (stream, error);
  done = result && save (job, result, format, kind, path, error);
  if (! done)
    stream_replace_error (stream, error);
  give_memory_back (batch, need);
  if (done)
    note_report (batch, image, stream_get_report (stream));
  return done;
}

/* A file gets its name only when it is on the disk. */
static gboolean
put_in_place (const Batch *batch, const Job *job, const char *path, GError **error)
{
  GStatBuf input, old;
  int file;
  gboolean done;

  if (batch->options->keep_date && g_stat (job->input, &input) == 0)
    utimensat (AT_FDCWD, path, (struct timespec[]) { input.st_atim, input.st_mtim }, 0);
  if (g_stat (job->output, &old) == 0)
    g_chmod (path, old.st_mode & 07777);
  file = g_open (path, O_RDONLY | O_CLOEXEC);
  done = file >= 0 && fsync (file) == 0;
  if (file >= 0)
    close (file);
  return (done && g_rename (path, job->output) == 0) ||
         image_fail (error, IMAGE_ERROR_UNWRITTEN, "%s", g_strerror (errno));
}

static gboolean
process_image (Batch *batch, const Job *job, const ImageKind *kind, const char *path,
               GError **error)
{
  FxFormat format;
  VipsImage *image = image_open (job->input, batch->memory, &format, error);
  gboolean done;

  if (! image)
    return FALSE;
  if (! colour_set_curve (image, &format))
    batch_say ("%s: its colour profile has no tone curve that all channels share, so linear light "
               "is that of sRGB's curve",
               job->input);
  done = filter_image (batch, job, image, &format, kind, path, error);
  g_object_unref (image);
  return done;
}

static gboolean
process (Batch *batch, const Job *job, GError **error)
{
  /* A link may be named otherwise than the file it leads to. */
  const char *named = image_kind_find (job->shown) ? job->shown : job->output;
  const ImageKind *kind = image_kind_find (named);
  g_autofree char *name = NULL, *path = NULL;
  guint number = 0;

  if (! kind)
    return image_fail (error, job->given ? IMAGE_ERROR_UNWRITTEN : IMAGE_ERROR_FORMAT,
                       "its extension is not that of a " IMAGE_FORMATS);
  g_ptr_array_find (batch->options->jobs, job, &number);
  name = g_strdup_printf ("%u%s", number + 1, strrchr (named, '.'));
  path = g_build_filename (batch->folder, name, NULL);
  return process_image (batch, job, kind, path, error) && put_in_place (batch, job, path, error);
}

/* libvips has one error buffer for all threads. So a file that fails is tried again alone, to get
 * its own message. */
static gboolean
process_job (Batch *batch, const Job *job, GError **error)
{
  gboolean done;

  g_rw_lock_reader_lock (&batch->alone);
  done = process (batch, job, error);
  g_rw_lock_reader_unlock (&batch->alone);
  if (done || (*error)->domain != IMAGE_ERROR || (*error)->code < IMAGE_ERROR_KIND ||
      (*error)->code > IMAGE_ERROR_UNWRITTEN)
    return done;
  g_clear_error (error);
  g_rw_lock_writer_lock (&batch->alone);
  vips_error_clear ();
  done = process (batch, job, error);
  g_rw_lock_writer_unlock (&batch->alone);
  return done;
}

static void
begin_job (Batch *batch, const Job *job)
{
  g_autofree char *raw = g_path_get_basename (job->input), *name = make_harmless (raw);

  g_mutex_lock (&batch->lock);
  batch->begun++;
  if (has_progress) /* the terminal cuts the line instead of wrapping it */
    fprintf (stderr, "\r\033[?7l%u of %u: %s\033[K\033[?7h", batch->begun,
             batch->options->jobs->len, name);
  g_mutex_unlock (&batch->lock);
}

/* error: NULL if the job has a problem. */
static void
fail_job (Batch *batch, const Job *job, const GError *error)
{
  if (! error)
    {
      batch->failed++;
      batch_say ("%s", job->problem);
    }
  else if (! job->given && g_error_matches (error, IMAGE_ERROR, IMAGE_ERROR_FORMAT))
    {
      batch->skipped++;
      batch_say ("%s: skipped: %s", job->input, error->message);
    }
  else
    {
      batch->failed++;
      if (g_error_matches (error, IMAGE_ERROR, IMAGE_ERROR_UNWRITTEN))
        batch_say ("%s: cannot be written: %s", job->shown, error->message);
      else if (g_error_matches (error, IMAGE_ERROR, IMAGE_ERROR_DAMAGED))
        batch_say ("%s: the file is damaged: %s", job->input, error->message);
      else if (g_error_matches (error, IMAGE_ERROR, IMAGE_ERROR_KIND))
        batch_say ("%s: cannot be loaded: %s", job->input, error->message);
      else
        batch_say ("%s: %s", job->input, error->message);
    }
}

static void
do_job (Batch *batch, const Job *job)
{
  g_autoptr (GError) error = NULL;
  gboolean done;

  begin_job (batch, job);
  done = ! job->problem && process_job (batch, job, &error);
  g_mutex_lock (&batch->lock);
  if (done)
    batch->done++;
  else
    fail_job (batch, job, error);
  g_mutex_unlock (&batch->lock);
}

/* All files. */

static gpointer
work (gpointer data)
{
  Batch *batch = data;
  const GPtrArray *jobs = batch->options->jobs;
  guint at;

  while ((at = (guint) g_atomic_int_add (&batch->next, 1)) < jobs->len)
    do_job (batch, jobs->pdata[at]);
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
  g_autofree GThread **threads = g_new0 (GThread *, n);

  for (guint i = 0; i < n; i++)
    {
      threads[i] = g_thread_try_new ("file", work, batch, NULL);
      if (! threads[i])
        work (batch);
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
  g_autofree char *time = fx_print_duration (batch->milliseconds / MAX (batch->filtered, 1));
  g_autofree char *devices = NULL;

  g_ptr_array_add (batch->devices, NULL);
  devices = g_strjoinv (" and ", (char **) batch->devices->pdata);
  if (options->out_dir)
    g_string_printf (line, "%u of %u written to %s, %s", batch->done,
                     options->jobs->len - batch->skipped, options->out_dir, options->summary);
  else
    {
      g_autofree char *raw = g_path_get_basename (((Job *) options->jobs->pdata[0])->shown);
      g_autofree char *name = make_harmless (raw);

      g_string_printf (line, "%s: %dx%d, %s", name, batch->width, batch->height, options->summary);
    }
  if (batch->filtered > 0)
    g_string_append_printf (line, ", on %s, %s%s", devices, time, options->out_dir ? " each" : "");
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

static int
remove_entry (const char *path, const struct stat *status, int type, struct FTW *place)
{
  return remove (path);
}

static int
remove_folder (const Batch *batch)
{
  return nftw (batch->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static gboolean
make_folders (Batch *batch, GError **error)
{
  const Options *options = batch->options;
  g_autofree char *beside = options->out_dir
                              ? g_canonicalize_filename (options->out_dir, NULL)
                              : g_path_get_dirname (((Job *) options->jobs->pdata[0])->output);

  if (options->out_dir && g_mkdir_with_parents (beside, 0777) != 0)
    return fx_refuse (error, "%s: this folder cannot be made", options->out_dir);
  batch->folder = g_build_filename (beside, ".cuda-blur.XXXXXX", NULL);
  if (g_mkdtemp (batch->folder))
    return TRUE;
  g_clear_pointer (&batch->folder, g_free);
  return fx_refuse (error, "%s: this folder cannot be written to", beside);
}

/* The map takes its share of the memory for as long as the batch. */
static gboolean
load_map (Batch *batch, GError **error)
{
  FilterSettings *settings = batch->options->settings;
  guint64 bytes;

  if (! batch->options->map)
    return TRUE;
  if (! map_load (settings, batch->options->map, batch->memory, error))
    return FALSE;
  bytes = g_bytes_get_size (filter_settings_get_map (settings)->values);
  batch->memory = batch->left = batch->memory - MIN (bytes, batch->memory);
  return TRUE;
}

Batch *
batch_new (const Options *options, GError **error)
{
  Batch *batch = g_new0 (Batch, 1);

  batch->started = g_get_monotonic_time ();
  batch->options = options;
  batch->engine = (StreamEngine) { .engine = fx_engine_new (), .settings = options->settings };
  fx_engine_enable_warm_up (batch->engine.engine);
  batch->memory = batch->left = fx_machine_get_memory ("/") / 4 * 3;
  batch->devices = g_ptr_array_new_with_free_func (g_free);
  if (load_map (batch, error) && make_folders (batch, error))
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
    remove_folder (batch);
  fx_engine_free (batch->engine.engine);
  g_rw_lock_clear (&batch->alone);
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
  if (has_progress)
    fputs ("\r\033[K", stderr);
  for (int tries = 0; tries < 100 && remove_folder (batch) != 0 && errno != ENOENT; tries++)
    ;
  _exit (status);
}
