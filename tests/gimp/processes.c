#include "processes.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAUSE 500 /* microseconds between two looks */

/* Sets text to a file of /proc/PID, or to NULL. */
static void
read_file (pid_t pid, const char *name, char **text)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/%s", (int) pid, name);

  *text = NULL;
  g_file_get_contents (path, text, NULL, NULL);
}

/* The number after a word of /proc/PID/status. */
static int
read_status (pid_t pid, const char *word)
{
  g_autofree char *text = NULL;
  const char *line;

  read_file (pid, "status", &text);
  line = text ? strstr (text, word) : NULL;
  return line ? atoi (line + strlen (word)) : 0;
}

static gboolean
has_name (pid_t pid, const char *name)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/exe", (int) pid);
  g_autofree char *file = g_file_read_link (path, NULL);
  g_autofree char *base = file ? g_path_get_basename (file) : NULL;

  return g_strcmp0 (base, name) == 0;
}

pid_t
process_find (pid_t parent, const char *name, pid_t except)
{
  g_autoptr (GDir) folder = g_dir_open ("/proc", 0, NULL);
  const char *entry;

  while (folder && (entry = g_dir_read_name (folder)))
    {
      pid_t pid = atoi (entry);

      if (pid > 0 && pid != except && read_status (pid, "\nPPid:") == parent &&
          has_name (pid, name) && process_lives (pid))
        return pid;
    }
  return 0;
}

gboolean
process_lives (pid_t pid)
{
  g_autofree char *text = NULL;
  const char *state;

  read_file (pid, "stat", &text);
  state = text ? strrchr (text, ')') : NULL; /* ") S" */
  return state && state[2] != 'Z' && state[2] != 'X';
}

gboolean
process_wait_end (pid_t pid, double seconds)
{
  gint64 deadline = g_get_monotonic_time () + (gint64) (seconds * 1e6);

  while (process_lives (pid))
    {
      if (g_get_monotonic_time () > deadline)
        return FALSE;
      g_usleep (PAUSE);
    }
  return TRUE;
}

static int
count_files (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/fd", (int) pid);
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  int n = 0;

  while (folder && g_dir_read_name (folder))
    n++;
  return n;
}

char *
process_get_word (pid_t pid, guint n)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/cmdline", (int) pid), *text = NULL;
  const char *word;
  gsize length = 0;

  g_file_get_contents (path, &text, &length, NULL);
  for (word = text; word && n > 0; n--)
    word += strlen (word) + 1;
  return word && word < text + length ? g_strdup (word) : NULL;
}

/* Returns /proc's name of the file, which is the same for both ends of a pipe. */
static gboolean
has_file (pid_t pid, const char *name)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/fd", (int) pid);
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  gboolean found = FALSE;
  const char *entry;

  while (! found && folder && (entry = g_dir_read_name (folder)))
    {
      g_autofree char *link = g_build_filename (path, entry, NULL);
      g_autofree char *other = g_file_read_link (link, NULL);

      found = g_strcmp0 (other, name) == 0;
    }
  return found;
}

pid_t
process_find_sharer (pid_t pid, int file, pid_t friend)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/fd/%d", (int) pid, file);
  g_autofree char *name = g_file_read_link (path, NULL);
  g_autoptr (GDir) folder = g_dir_open ("/proc", 0, NULL);
  const char *entry;

  while (name && folder && (entry = g_dir_read_name (folder)))
    {
      pid_t other = atoi (entry);

      if (other > 0 && other != pid && other != friend && has_file (other, name))
        return other;
    }
  return 0;
}

ProcessUse
process_get_use (pid_t pid)
{
  return (ProcessUse) { read_status (pid, "\nVmRSS:"), read_status (pid, "\nThreads:"),
                        count_files (pid) };
}

guint64
process_get_time (pid_t pid)
{
  g_autofree char *text = NULL;

  read_file (pid, "schedstat", &text);
  return text ? g_ascii_strtoull (text, NULL, 10) : 0;
}

char *
process_find_file (pid_t pid, const char *part)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  read_file (pid, "maps", &text);
  lines = g_strsplit (text ? text : "", "\n", -1);
  for (int i = 0; lines[i]; i++)
    {
      const char *path = strchr (lines[i], '/');

      if (path && strstr (path, part))
        return g_strdup (path);
    }
  return NULL;
}

/* Killing */

struct Killer {
  GThread *thread;
  pid_t pid; /* 0: to be found */
  pid_t parent, except;
  const char *name;
  double seconds;
  gint stop, done; /* atomic: it need not wait for the child any more; it is done */
};

static gpointer
kill_later (gpointer data)
{
  Killer *killer = data;

  while (! killer->pid && ! g_atomic_int_get (&killer->stop))
    {
      killer->pid = process_find (killer->parent, killer->name, killer->except);
      g_usleep (PAUSE);
    }
  if (! killer->pid)
    return NULL;
  g_usleep ((gulong) (killer->seconds * 1e6));
  if (! process_lives (killer->pid) || kill (killer->pid, SIGKILL))
    killer->pid = 0;
  g_atomic_int_set (&killer->done, TRUE);
  return NULL;
}

gboolean
killer_done (Killer *killer)
{
  return g_atomic_int_get (&killer->done);
}

static Killer *
start (Killer killer)
{
  Killer *started = g_memdup2 (&killer, sizeof killer);

  started->thread = g_thread_new ("killer", kill_later, started);
  return started;
}

Killer *
killer_new (pid_t pid, double seconds)
{
  return start ((Killer) { .pid = pid, .seconds = seconds });
}

Killer *
killer_new_for_child (pid_t parent, const char *name, pid_t except, double seconds)
{
  return start ((Killer) { .parent = parent, .name = name, .except = except, .seconds = seconds });
}

pid_t
killer_end (Killer *killer)
{
  pid_t pid;

  g_atomic_int_set (&killer->stop, TRUE);
  g_thread_join (killer->thread);
  pid = killer->pid;
  g_free (killer);
  return pid;
}
