/* Runs the threads of a block as fibers: each runs until it waits at the barrier or ends, then the
 * next one runs. */
#pragma once

#include <glib.h>

typedef struct Fibers Fibers;

/* Creates n fibers, the most that one run may use. Never returns NULL; free them with
 * fibers_free. */
Fibers *fibers_new (int n);
void fibers_free (Fibers *fibers);

/* Runs body (data) in n fibers until all have ended. Calls enter (data, i) before fiber i resumes.
 * All fibers must reach the same barriers; if some have ended while others wait, the program
 * aborts. The order of the fibers reverses at every barrier, so that a missing barrier shows. */
void fibers_run (Fibers *fibers, int n, void (*enter) (gpointer data, int i),
                 void (*body) (gpointer data), gpointer data);

/* Waits at the barrier. Call it from a fiber. */
void fibers_wait (void);
