#include "gimp-watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *
watch_device (const char *log)
{
  static long seen;
  const char *device = "-";
  char line[512], name[256];
  FILE *file = fopen (log, "r");

  if (! file)
    return device;
  fseek (file, seen, SEEK_SET);
  while (fgets (line, sizeof line, file))
    if (sscanf (line, "cuda-blur: filter %*s ms %*s bytes %*s %*s %*s %255[^\n]", name) == 1)
      device = g_str_has_prefix (name, "CPU") ? "cpu" : "gpu";
  seen = ftell (file);
  fclose (file);
  return device;
}

static gboolean
is_process_of (const char *pid, const char *executable)
{
  g_autofree char *link = g_strdup_printf ("/proc/%s/exe", pid);
  g_autofree char *target = g_file_read_link (link, NULL);

  return g_strcmp0 (target, executable) == 0;
}

static long
get_resident_kib (const char *pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%s/status", pid);
  g_autofree char *status = NULL;
  const char *line = g_file_get_contents (path, &status, NULL, NULL) ? strstr (status, "\nVmRSS:")
                                                                     : NULL;

  return line ? atol (line + strlen ("\nVmRSS:")) : 0;
}

/* The first one is the oldest: the resident process, should that of a call not have ended yet. */
long
watch_host_memory (const char *executable)
{
  g_autoptr (GDir) processes = g_dir_open ("/proc", 0, NULL);
  const char *pid;

  while (processes && (pid = g_dir_read_name (processes)))
    if (g_ascii_isdigit (*pid) && is_process_of (pid, executable))
      return get_resident_kib (pid);
  return 0;
}

long
watch_gpu_memory (void)
{
  g_autofree char *text = NULL;

  if (! g_spawn_command_line_sync (
        "nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits", &text, NULL, NULL,
        NULL) ||
      ! g_ascii_isdigit (*text))
    return -1;
  return atol (text);
}
