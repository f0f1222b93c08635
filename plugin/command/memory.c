#include "memory.h"

#include "machine.h"

struct Memory {
  guint64 size;
  GMutex lock; /* of all that follows */
  GCond given; /* signals that memory was given back */
  guint64 left;
};

Memory *
memory_new (void)
{
  Memory *memory = g_new0 (Memory, 1);

  memory->size = memory->left = fx_machine_get_memory ("/") / 4 * 3;
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
