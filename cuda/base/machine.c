#include "machine.h"

#include <math.h>
#include <string.h>

/* Reading. */

/* Returns the number after key in the file, or the first one if key is empty; 0 if there is none.
 */
static double
read_number (const char *folder, const char *name, const char *key)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text = NULL;
  const char *at = g_file_get_contents (path, &text, NULL, NULL) ? strstr (text, key) : NULL;

  return at ? g_ascii_strtod (at + strlen (key), NULL) : 0.0;
}

/* Control groups. */

/* Returns the group of this process for controller, which is empty for version 2; "" if there is
 * none. Free it. */
static char *
get_group (const char *root, const char *controller)
{
  g_autofree char *path = g_build_filename (root, "proc/self/cgroup", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (! g_file_get_contents (path, &text, NULL, NULL))
    return g_strdup ("");
  lines = g_strsplit (text, "\n", -1);
  for (gsize i = 0; lines[i]; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], ":", 3); /* number, controllers, group */
      g_auto (GStrv) names = g_strsplit (g_strv_length (fields) == 3 ? fields[1] : "-", ",", -1);

      if (*controller ? g_strv_contains ((const char *const *) names, controller) : ! names[0])
        return g_strdup (fields[2]);
    }
  return g_strdup ("");
}

/* Returns the least of what read returns for the group of this process and for all that it is in. A
 * container may see its own group at the top, whatever the name of the group is: then the folders
 * below that do not exist. */
static double
get_least (const char *root, const char *controller, double (*read) (const char *folder))
{
  g_autofree char *group = get_group (root, controller);
  g_autofree char *top = g_build_filename (root, "sys/fs/cgroup", controller, NULL);
  g_autofree char *folder = g_build_filename (top, group, NULL);
  double least = read (folder);

  while (strlen (folder) > strlen (top))
    {
      *strrchr (folder, '/') = '\0';
      least = MIN (least, read (folder));
    }
  return least;
}

/* Cores. */

static double
read_cores (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "cpu.max", NULL);
  g_autofree char *text = NULL;
  double quota, period;
  char *end;

  if (! g_file_get_contents (path, &text, NULL, NULL))
    return INFINITY;
  quota = g_ascii_strtod (text, &end); /* or "max" */
  period = g_ascii_strtod (end, NULL);
  return quota > 0.0 && period > 0.0 ? quota / period : INFINITY;
}

static double
read_cores_1 (const char *folder)
{
  double quota = read_number (folder, "cpu.cfs_quota_us", ""); /* or -1 */
  double period = read_number (folder, "cpu.cfs_period_us", "");

  return quota > 0.0 && period > 0.0 ? quota / period : INFINITY;
}

double
fx_machine_get_cores (const char *root)
{
  return MIN (get_least (root, "", read_cores), get_least (root, "cpu", read_cores_1));
}

/* Memory. */

/* Returns what a limit leaves. Of what is used, the kernel takes back files that nobody has read
 * for long. */
static double
get_rest (double limit, double used, double unused_files)
{
  return limit > 0.0 ? MAX (limit - MAX (used - unused_files, 0.0), 1.0) : INFINITY;
}

static double
read_memory (const char *folder)
{
  double used = read_number (folder, "memory.current", "");
  double unused_files = read_number (folder, "memory.stat", "inactive_file ");

  return MIN (get_rest (read_number (folder, "memory.max", ""), used, unused_files),
              get_rest (read_number (folder, "memory.high", ""), used, unused_files));
}

static double
read_memory_1 (const char *folder)
{
  return get_rest (read_number (folder, "memory.limit_in_bytes", ""),
                   read_number (folder, "memory.usage_in_bytes", ""),
                   read_number (folder, "memory.stat", "total_inactive_file "));
}

guint64
fx_machine_get_memory (const char *root)
{
  double available = 1024.0 * read_number (root, "proc/meminfo", "MemAvailable:");
  double least = MIN (get_least (root, "", read_memory), get_least (root, "memory", read_memory_1));

  if (available > 0.0)
    least = MIN (least, available);
  return (guint64) MIN (least, G_MAXINT64);
}
