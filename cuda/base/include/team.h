/* A team of threads that share work. Between two runs the threads spin for some microseconds,
 * because the next run may follow at once, and then sleep, so that other threads and processes get
 * the cores. Teams share no state. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct FxTeam FxTeam;

/* Processes items first to end - 1. thread, 0 to threads - 1, is the number of the calling
 * thread. */
typedef void (*FxTeamFunc) (gpointer data, int first, int end, int thread);

/* Creates a team of 1 or more threads. The thread that calls fx_team_run is one of them; the others
 * are started here. If the system refuses to start them all, the team is smaller. Never returns
 * NULL; free it with fx_team_free. */
FxTeam *fx_team_new (int threads);
void fx_team_free (FxTeam *team); /* NULL is legal; not during a run */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxTeam, fx_team_free)

/* Calls func for items 0 to n - 1, each exactly once, in parts of up to chunk items that go to the
 * next free thread. Returns when all are done. n may be 0. May be called from any thread, but a
 * team executes one run at a time. func may use other teams. */
void fx_team_run (FxTeam *team, int n, int chunk, FxTeamFunc func, gpointer data);

G_END_DECLS
