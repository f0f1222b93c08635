/* A few threads that share work out among them. Between two runs they wait awake for some
 * microseconds, for the next may follow at once, and then sleep: other threads and other processes
 * get the cores. A team is its owner's; there is nothing that two of them share. */
#ifndef FX_TEAM_H
#define FX_TEAM_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct FxTeam FxTeam;

/* Does items first to end - 1. thread: this one's number, 0 to threads - 1. */
typedef void (*FxTeamFunc) (gpointer data, int first, int end, int thread);

/* threads: how many work, 1 or more; that which calls fx_team_run is one of them, the others are
 * started here. Where the system refuses to start them all, there are fewer. Never NULL. */
FxTeam *fx_team_new (int threads);
void fx_team_free (FxTeam *team); /* NULL is legal; not during a run */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FxTeam, fx_team_free)

/* Has func do items 0 to n - 1, n being 0 or more, each of them once, up to chunk at a time: the
 * next ones go to the thread that is free first. Returns when all are done. On any thread, but one
 * run of a team at a time; func may run other teams. */
void fx_team_run (FxTeam *team, int n, int chunk, FxTeamFunc func, gpointer data);

G_END_DECLS

#endif
