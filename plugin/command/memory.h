/* The memory that the files being processed may take together. Any thread may call these
 * functions. */
#pragma once

#include <glib.h>

typedef struct Memory Memory;

/* Creates the memory: three quarters of what this process can take now (machine.h). Never returns
 * NULL; free it with memory_free. */
Memory *memory_new (void);
void memory_free (Memory *memory);

/* Returns the bytes of the whole memory, taken or not. */
guint64 memory_get_size (const Memory *memory);

/* Waits until bytes bytes are left, and takes them; if that is more than the size, takes all of it.
 * Returns the bytes taken, for memory_give_back. A thread that holds some must not take more,
 * because two such threads might wait for each other. */
guint64 memory_take (Memory *memory, guint64 bytes);
void memory_give_back (Memory *memory, guint64 bytes);
