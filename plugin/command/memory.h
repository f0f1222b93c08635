/* The memory that the files being processed may take together. Any thread may call these
 * functions. */
#ifndef MEMORY_H
#define MEMORY_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct Memory Memory;

/* Three quarters of what is free now, of the machine or as a container may have it. */
Memory *memory_new (void);
void memory_free (Memory *memory);

/* Returns all of it in bytes. */
guint64 memory_get_size (const Memory *memory);

/* Waits until so many bytes are left, and takes them, but never more than the size. Returns the
 * bytes taken, for memory_give_back. A thread that holds some must not take more: two might wait
 * for each other. */
guint64 memory_take (Memory *memory, guint64 bytes);
void memory_give_back (Memory *memory, guint64 bytes);

G_END_DECLS

#endif
