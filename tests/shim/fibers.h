/* A block of threads as fibers: each runs until it waits at the barrier or ends, then the next. */
#ifndef FIBERS_H
#define FIBERS_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct Fibers Fibers;

/* n: how many there are at the most. */
Fibers *fibers_new (int n);
void fibers_free (Fibers *fibers);

/* Runs body (data) as n fibers to their end; before each resumes, enter (data, i) says which it is.
 * All must come to the same barriers: that some wait where others have ended is fatal. The order in
 * which they run turns at every barrier, so that one that is missing shows. */
void fibers_run (Fibers *fibers, int n, void (*enter) (gpointer data, int i),
                 void (*body) (gpointer data), gpointer data);

/* The barrier, for the fiber that calls. */
void fibers_wait (void);

G_END_DECLS

#endif
