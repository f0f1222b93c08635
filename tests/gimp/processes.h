/* Other processes, as /proc shows them. Does not use GIMP. */
#pragma once

#include <glib.h>
#include <sys/types.h>

/* A child of parent whose executable has that name, other than the process except; 0 if there is
 * none. */
pid_t process_find (pid_t parent, const char *name, pid_t except);

/* Returns whether it lives; one that is dead but not yet waited for does not. */
gboolean process_lives (pid_t pid);

/* Waits until it has ended. FALSE if it has not within that time. */
gboolean process_wait_end (pid_t pid, double seconds);

/* The resources of a process. */
typedef struct {
  int memory; /* kB, resident */
  int threads;
  int files; /* open ones */
} ProcessUse;

ProcessUse process_get_use (pid_t pid);

/* Nanoseconds that its first thread has run. */
guint64 process_get_time (pid_t pid);

/* The first file mapped into it whose path holds part, or NULL; free it. */
char *process_find_file (pid_t pid, const char *part);

/* A word of the command that it was started with, from 0; NULL: there are fewer. Free it. */
char *process_get_word (pid_t pid, guint n);

/* A process other than pid and friend that has what is pid's open file of that number, or 0. */
pid_t process_find_sharer (pid_t pid, int file, pid_t friend);

/* A thread that kills a process with SIGKILL while the caller waits for something else. */
typedef struct Killer Killer;

/* Kills pid after that many seconds. */
Killer *killer_new (pid_t pid, double seconds);

/* Waits for a child of parent of that name, other than except, and kills it after that many
 * seconds. */
Killer *killer_new_for_child (pid_t parent, const char *name, pid_t except, double seconds);

gboolean killer_done (Killer *killer);

/* Waits until it is done and returns the process that it killed, or 0: it had ended before. */
pid_t killer_end (Killer *killer);
