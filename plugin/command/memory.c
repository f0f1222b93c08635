#include "memory.h"

#include <string.h>

struct Memory {
  guint64 size;
  GMutex lock; /* of all that follows */
  GCond given; /* signals that memory was given back */
  guint64 left;
};

/* Returns the number after the key in the file, or a large one if there is none. */
static guint64
read_number (const char *path, const char *key)
{
  g_autofree char *text = NULL;
  const char *at = g_file_get_contents (path, &text, NULL, NULL) ? strstr (text, key) : NULL;
  guint64 number = at ? g_ascii_strtoull (at + strlen (key), NULL, 10) : 0;

  return number ? number : G_MAXUINT64 >> 10;
}

Memory *
memory_new (void)
{
  Memory *memory = g_new0 (Memory, 1);
  guint64 machine = read_number ("/proc/meminfo", "MemAvailable:") << 10;
  guint64 container = read_number ("/sys/fs/cgroup/memory.max", "");

  memory->size = memory->left = MIN (machine, container) / 4 * 3;
  return memory;
}

void
memory_free (Memory *memory)
{
  g_free (memory);
}

guint64
memory_get_size (const Memory *memory)
{
  return memory->size;
}

guint64
memory_take (Memory *memory, guint64 bytes)
{
  bytes = MIN (bytes, memory->size);
  g_mutex_lock (&memory->lock);
  while (memory->left < bytes)
    g_cond_wait (&memory->given, &memory->lock);
  memory->left -= bytes;
  g_mutex_unlock (&memory->lock);
  return bytes;
}

void
memory_give_back (Memory *memory, guint64 bytes)
{
  g_mutex_lock (&memory->lock);
  memory->left += bytes;
  g_cond_broadcast (&memory->given);
  g_mutex_unlock (&memory->lock);
}
