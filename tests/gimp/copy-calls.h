/* The dialog's copy of a drawable in this process, for Python. */
#pragma once

#include <glib.h>

/* Copies all of drawable. What changes is told from then on. */
void copy_calls_open (gint32 drawable);
void copy_calls_close (void);

/* Begin to read again, and read a tile or all; without memory for the selection, if there is to be
 * none. Return whether it was begun, and whether there is more. */
gboolean copy_calls_begin (gboolean no_memory);
gboolean copy_calls_read (gboolean all);

/* Returns a text with "+" for each row that was told as changed since the last call, and "-" for
 * others. */
const char *copy_calls_tell (void);

gboolean copy_calls_has_mask (void);
