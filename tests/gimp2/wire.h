/* Watches the messages from this process to GIMP: replaces the functions of libgimpbase that
 * libgimp sends them with. */
#pragma once

#include <glib.h>

/* Forgets what has been sent. */
void wire_forget (void);

/* How many calls of that procedure have been sent since. */
int wire_count (const char *procedure);

/* How many tiles of that drawable have been, to it or to its shadow; of any drawable's: -1. */
int wire_count_tiles (gint32 drawable);

/* Calls back once, before the n-th call of that procedure from now on is sent. */
void wire_call_before (const char *procedure, int n, void (*callback) (void));

/* Calls back once, before the n-th message from now on that is not within an exchange of
   messages. */
void wire_call_between (int n, void (*callback) (void));

/* Kills this process instead of sending the message of that number, counted from 1 since
 * wire_forget. */
void wire_kill_at (int message);
