/* cuda-blur: filters image files, one or many. */
#include "batch.h"
#include "image-file.h"
#include "metadata.h"
#include "trial.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* The signals that end the program. All threads except one block them. */
static void
get_signals (sigset_t *signals)
{
  sigemptyset (signals);
  sigaddset (signals, SIGHUP);
  sigaddset (signals, SIGINT);
  sigaddset (signals, SIGPIPE);
  sigaddset (signals, SIGTERM);
}

/* Locked for good by the thread that ends the batch: the main one, or the one for signals. */
static GMutex end_lock;

static gpointer
wait_for_signal (gpointer batch)
{
  sigset_t signals;
  int number;

  get_signals (&signals);
  while (sigwait (&signals, &number) != 0)
    ;
  g_mutex_lock (&end_lock);
  batch_end (batch, 128 + number);
  return NULL;
}

static int
run (const Options *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Batch) batch = batch_new (options, &error);
  GThread *thread = batch ? g_thread_try_new ("signals", wait_for_signal, batch, &error) : NULL;
  gboolean done;

  if (! thread)
    {
      batch_say ("%s", error->message);
      return EXIT_FAILURE;
    }
  g_thread_unref (thread);
  done = batch_run (batch);
  g_mutex_lock (&end_lock);
  return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void
ignore (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
}

/* Sets up libvips: ignores its warnings, which it also reports as errors; memory returns to the
 * system with the image that it was for, instead of staying with a thread; results are not cached;
 * and each file is processed by one thread. */
static gboolean
set_up_vips (const char *program)
{
  g_log_set_handler ("VIPS", G_LOG_LEVEL_WARNING, ignore, NULL);
  mallopt (M_MMAP_THRESHOLD, 1 << 20);
  if (VIPS_INIT (program) != 0)
    return FALSE;
  vips_cache_set_max (0);
  vips_concurrency_set (1);
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autoptr (GError) error = NULL;
  const char *caller = g_getenv ("CUDA_BLUR_CALLER");
  sigset_t signals;

  g_set_prgname (caller ? caller : "cuda-blur");
  if (! options_read (&options, argc, argv, &error) ||
      (options.settings && ! jobs_find (&options, &error)))
    {
      gboolean misused = error->domain == G_OPTION_ERROR;

      batch_say (misused ? "%s; --help shows the options" : "%s", error->message);
      return misused ? 2 : EXIT_FAILURE;
    }
  if (options.version)
    printf ("cuda-blur %s\n", VERSION);
  if (options.devices)
    trial_print_devices ();
  if (! options.settings)
    return EXIT_SUCCESS;
  if (options.verbose)
    g_setenv ("CUDA_BLUR_TRACE", "1", FALSE);
  get_signals (&signals);
  pthread_sigmask (SIG_BLOCK, &signals, NULL);
  if (! set_up_vips (argv[0]))
    {
      batch_say ("%s", vips_error_buffer ());
      return EXIT_FAILURE;
    }
  metadata_init ();
  return run (&options);
}
