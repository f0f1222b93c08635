/* Tells who ends a process that gets no memory, for test_limits.py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FRAMES_MAX 64
#define LITTLE     65536 /* bytes, which do not grow with the image or the matrix */

void give_up_watch (void);

static gsize missing; /* the bytes that GLib could not get */

static void
note_missing (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  const char *bytes = strstr (message, "failed to allocate ");

  if (bytes)
    sscanf (bytes, "failed to allocate %" G_GSIZE_FORMAT, &missing);
  dprintf (STDERR_FILENO, "%s\n", message);
}

/* The file of the code at address, without its folders. */
static const char *
get_file (gpointer address)
{
  Dl_info info;
  const char *slash;

  if (! dladdr (address, &info) || ! info.dli_fname)
    return "";
  slash = strrchr (info.dli_fname, '/');
  return slash ? slash + 1 : info.dli_fname;
}

/* Returns whether file is a library that aborts on behalf of its caller. */
static gboolean
is_below (const char *file)
{
  return g_str_has_prefix (file, "libc.") || g_str_has_prefix (file, "libglib-") ||
         g_str_has_prefix (file, "ld-") || g_str_has_prefix (file, "libm.");
}

static void
give_up (int signal_number)
{
  gpointer frames[FRAMES_MAX];
  const int n = backtrace (frames, FRAMES_MAX);
  const char *own = get_file ((gpointer) give_up), *file = "";
  const gboolean little = missing > 0 && missing <= LITTLE;
  int i = 0;

  while (i < n && strcmp (get_file (frames[i]), own) == 0)
    i++;
  while (i < n && is_below (file = get_file (frames[i])))
    i++;
  dprintf (STDERR_FILENO, "signal %d, by %s\n", signal_number, file);
  _exit (strstr (file, "cuda-blur") && ! little ? 1 : 0);
}

/* From now on a process that aborts or crashes exits: with 1 if the operations' module does so,
 * and not for want of a little memory, otherwise with 0. Warnings do not end it. */
void
give_up_watch (void)
{
  static const int signals[] = { SIGABRT, SIGTRAP, SIGSEGV, SIGBUS };
  gpointer frame;

  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_log_set_default_handler (note_missing, NULL);
  backtrace (&frame, 1); /* loads what it takes */
  for (gsize i = 0; i < G_N_ELEMENTS (signals); i++)
    signal (signals[i], give_up);
}
