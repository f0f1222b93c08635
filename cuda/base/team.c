#include "team.h"

#define SPIN   30 /* microseconds that a thread spins; measured */
#define PAUSES 32 /* between two readings of the clock, which costs as much as a few pauses */

/* The current run. */
typedef struct {
  FxTeamFunc func;
  gpointer data;
  int n, chunk;
  guint parts;
  guint next; /* the next part to process; atomic */
} Job;

/* A place where threads wait for an event. */
typedef struct {
  GMutex lock;
  GCond changed;
  int sleepers; /* atomic */
} Place;

typedef struct {
  FxTeam *team;
  int number;
  GThread *thread;
} Worker;

struct FxTeam {
  Worker *workers;
  int n_workers;
  Place start, finish; /* workers wait for the start of a run, its caller for the finish */

  /* Atomic. A worker accesses job only while it is counted in inside. The caller resets job, and
   * then waits until inside is 0. */
  Job *job;   /* NULL between runs */
  int inside; /* workers that may access job */
  int round;  /* incremented for each run, and at the end */
  gboolean quit;
};

/* Waiting. */

/* Returns whether the event has happened: for the start, whether round differs from seen; for the
 * finish, whether no worker is inside. */
typedef gboolean (*Event) (FxTeam *team, int seen);

static gboolean
round_started (FxTeam *team, int seen)
{
  return g_atomic_int_get (&team->round) != seen;
}

static gboolean
team_is_empty (FxTeam *team, int seen)
{
  return g_atomic_int_get (&team->inside) == 0;
}

static inline void
pause_processor (void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause ();
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}

static gboolean
spin (FxTeam *team, Event happened, int seen)
{
  gint64 end = g_get_monotonic_time () + SPIN;

  do
    for (int i = 0; i < PAUSES; i++)
      {
        if (happened (team, seen))
          return TRUE;
        pause_processor ();
      }
  while (g_get_monotonic_time () < end);
  return FALSE;
}

static void
team_wait_for (FxTeam *team, Place *place, Event happened, int seen)
{
  if (spin (team, happened, seen))
    return;
  g_mutex_lock (&place->lock);
  g_atomic_int_inc (&place->sleepers);
  while (! happened (team, seen))
    g_cond_wait (&place->changed, &place->lock);
  g_atomic_int_add (&place->sleepers, -1);
  g_mutex_unlock (&place->lock);
}

/* Wakes n of the sleeping threads after an event. A thread that counts itself among the sleepers
 * only now sees the event or is woken, because it holds the lock until it sleeps. */
static void
wake (Place *place, int n)
{
  n = MIN (n, g_atomic_int_get (&place->sleepers));
  if (n == 0)
    return;
  g_mutex_lock (&place->lock);
  g_mutex_unlock (&place->lock);
  while (n-- > 0)
    g_cond_signal (&place->changed);
}

static void
place_init (Place *place)
{
  g_mutex_init (&place->lock);
  g_cond_init (&place->changed);
}

static void
place_clear (Place *place)
{
  g_mutex_clear (&place->lock);
  g_cond_clear (&place->changed);
}

/* Work. */

static void
share (Job *job, int thread)
{
  guint part;

  while ((part = g_atomic_int_add (&job->next, 1)) < job->parts)
    {
      int first = (int) part * job->chunk;

      job->func (job->data, first, first + MIN (job->chunk, job->n - first), thread);
    }
}

/* By now the run may be over, or another one may have begun. */
static void
take_part (FxTeam *team, int thread)
{
  Job *job;

  g_atomic_int_inc (&team->inside);
  job = g_atomic_pointer_get (&team->job);
  if (job)
    share (job, thread);
  if (g_atomic_int_dec_and_test (&team->inside))
    wake (&team->finish, 1);
}

static gpointer
team_work (gpointer data)
{
  const Worker *worker = data;
  FxTeam *team = worker->team;
  int seen = 0;

  for (;;)
    {
      team_wait_for (team, &team->start, round_started, seen);
      seen = g_atomic_int_get (&team->round);
      if (g_atomic_int_get (&team->quit))
        return NULL;
      take_part (team, worker->number);
    }
}

FxTeam *
fx_team_new (int threads)
{
  FxTeam *team = g_new0 (FxTeam, 1);

  place_init (&team->start);
  place_init (&team->finish);
  team->workers = g_new0 (Worker, threads);
  for (; team->n_workers < threads - 1; team->n_workers++)
    {
      Worker *worker = &team->workers[team->n_workers];

      *worker = (Worker) { team, team->n_workers + 1 };
      worker->thread = g_thread_try_new ("cuda-blur-team", team_work, worker, NULL);
      if (! worker->thread)
        break;
    }
  return team;
}

static void
start_round (FxTeam *team, int workers)
{
  g_atomic_int_inc (&team->round);
  wake (&team->start, workers);
}

void
fx_team_free (FxTeam *team)
{
  if (! team)
    return;
  g_atomic_int_set (&team->quit, TRUE);
  start_round (team, team->n_workers);
  for (int i = 0; i < team->n_workers; i++)
    g_thread_join (team->workers[i].thread);
  place_clear (&team->start);
  place_clear (&team->finish);
  g_free (team->workers);
  g_free (team);
}

void
fx_team_run (FxTeam *team, int n, int chunk, FxTeamFunc func, gpointer data)
{
  Job job = { func, data, n, chunk, (guint) (n / chunk + (n % chunk > 0)) };
  gboolean shared = job.parts > 1 && team->n_workers > 0;

  if (shared)
    {
      g_atomic_pointer_set (&team->job, &job);
      start_round (team, (int) MIN (job.parts - 1, (guint) team->n_workers));
    }
  share (&job, 0);
  if (shared)
    {
      g_atomic_pointer_set (&team->job, NULL);
      team_wait_for (team, &team->finish, team_is_empty, 0);
    }
}
