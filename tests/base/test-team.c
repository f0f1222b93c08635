/* A team by itself: every item once, numbers of threads, sleep, and threads that do not start. */
#define _GNU_SOURCE /* RTLD_NEXT */

#include "team.h"
#include "test.h"

#include <dlfcn.h>
#include <pthread.h>
#include <time.h>

#define THREADS_MAX 9

/* How many threads may start; -1: all. In place of GLib's, for the team too. */
static int starts = -1;

GThread *
g_thread_try_new (const char *name, GThreadFunc func, gpointer data, GError **error)
{
  GThread *(*start) (const char *, GThreadFunc, gpointer, GError **) = NULL;

  if (starts == 0)
    {
      g_set_error (error, G_THREAD_ERROR, G_THREAD_ERROR_AGAIN, "as the test wants");
      return NULL;
    }
  if (starts > 0)
    starts--;
  *(gpointer *) &start = dlsym (RTLD_NEXT, "g_thread_try_new");
  return start (name, func, data, error);
}

/* A run's items, and the faults that were found. */
typedef struct {
  int threads, n, chunk;
  int *items;            /* how often each was done */
  int busy[THREADS_MAX]; /* threads that have this number now; atomic */
  int wrong;             /* atomic */
} Check;

static void
check_items (gpointer data, int first, int end, int thread)
{
  Check *check = data;

  if (thread < 0 || thread >= check->threads || first < 0 || end <= first || end > check->n ||
      end - first > check->chunk)
    {
      g_atomic_int_inc (&check->wrong);
      return;
    }
  if (g_atomic_int_add (&check->busy[thread], 1) != 0)
    g_atomic_int_inc (&check->wrong);
  for (int i = first; i < end; i++)
    check->items[i]++;
  g_atomic_int_add (&check->busy[thread], -1);
}

static void
check_run (FxTeam *team, int threads, int n, int chunk)
{
  Check check = { threads, n, chunk, g_new0 (int, n + 1) };

  fx_team_run (team, n, chunk, check_items, &check);
  g_assert_cmpint (check.wrong, ==, 0);
  for (int i = 0; i < n; i++)
    g_assert_cmpint (check.items[i], ==, 1);
  g_free (check.items);
}

TEST (test_once, "/team/once")
{
  static const int sizes[] = { 0, 1, 2, 3, 7, 8, 9, 64, 1000, 20011 };
  static const int chunks[] = { 1, 2, 8, 63, 1000, G_MAXINT };

  for (int threads = 1; threads <= THREADS_MAX; threads++)
    {
      g_autoptr (FxTeam) team = fx_team_new (threads);

      for (guint n = 0; n < G_N_ELEMENTS (sizes); n++)
        for (guint chunk = 0; chunk < G_N_ELEMENTS (chunks); chunk++)
          check_run (team, threads, sizes[n], chunks[chunk]);
    }
}

static void
count_items (gpointer data, int first, int end, int thread)
{
  gint64 *sums = data;

  sums[thread] += end - first;
}

TEST (test_many_items, "/team/many-items")
{
  g_autoptr (FxTeam) team = fx_team_new (3);
  gint64 sums[3] = { 0 };

  fx_team_run (team, G_MAXINT, 1000, count_items, sums);
  g_assert_cmpint (sums[0] + sums[1] + sums[2], ==, G_MAXINT);
}

/* Runs follow each other, with threads awake, about to sleep and asleep. */
TEST (test_many_runs, "/team/many-runs")
{
  g_autoptr (FxTeam) team = fx_team_new (4);

  for (int i = 0; i < 10000; i++)
    {
      check_run (team, 4, i % 6, 1);
      if (i % 100 == 0)
        g_usleep (i % 300); /* about as long as a thread waits awake */
    }
}

/* Teams that begin and end, with and without a run. */
TEST (test_many_teams, "/team/many-teams")
{
  for (int i = 0; i < 1000; i++)
    {
      g_autoptr (FxTeam) team = fx_team_new (1 + i % 5);

      if (i % 2)
        check_run (team, 5, i % 7, 1);
    }
}

static void
run_nested (gpointer data, int first, int end, int thread)
{
  g_autoptr (FxTeam) own = fx_team_new (3);

  for (int i = first; i < end; i++)
    check_run (own, 3, 50 + i, 7);
  check_items (data, first, end, thread);
}

TEST (test_nested, "/team/nested")
{
  g_autoptr (FxTeam) team = fx_team_new (3);
  Check check = { 3, 40, 1, g_new0 (int, 40) };

  fx_team_run (team, 40, 1, run_nested, &check);
  g_assert_cmpint (check.wrong, ==, 0);
  for (int i = 0; i < 40; i++)
    g_assert_cmpint (check.items[i], ==, 1);
  g_free (check.items);
}

static gpointer
run_elsewhere (gpointer team)
{
  for (int n = 0; n < 100; n++)
    check_run (team, 3, n, 2);
  return NULL;
}

/* One after the other, each on another thread than made the team. */
TEST (test_other_threads, "/team/other-threads")
{
  g_autoptr (FxTeam) team = fx_team_new (3);

  for (int i = 0; i < 3; i++)
    g_thread_join (g_thread_new ("elsewhere", run_elsewhere, team));
  check_run (team, 3, 100, 1);
}

static gpointer
run_own (gpointer data)
{
  g_autoptr (FxTeam) team = fx_team_new (3);

  return run_elsewhere (team);
}

TEST (test_beside_others, "/team/beside-others")
{
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("own", run_own, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

/* All threads of a team, which meet before the run can end. */
typedef struct {
  GMutex lock;
  GCond changed;
  int here, awaited;
  clockid_t clocks[THREADS_MAX]; /* that run while the thread does */
} Meeting;

static void
meet (gpointer data, int first, int end, int thread)
{
  Meeting *meeting = data;

  g_assert_cmpint (pthread_getcpuclockid (pthread_self (), &meeting->clocks[thread]), ==, 0);
  g_mutex_lock (&meeting->lock);
  meeting->here++;
  g_cond_broadcast (&meeting->changed);
  while (meeting->here < meeting->awaited)
    g_cond_wait (&meeting->changed, &meeting->lock);
  g_mutex_unlock (&meeting->lock);
}

/* All of the team's threads work at the same time, although they have slept. */
TEST (test_all_work, "/team/all-work")
{
  g_autoptr (FxTeam) team = fx_team_new (THREADS_MAX);

  for (int threads = 2; threads <= THREADS_MAX; threads++)
    {
      Meeting meeting = { .awaited = threads };

      fx_team_run (team, threads, 1, meet, &meeting);
      g_assert_cmpint (meeting.here, ==, threads);
      g_usleep (1000);
    }
}

static gint64
get_microseconds (clockid_t clock)
{
  struct timespec time;

  g_assert_cmpint (clock_gettime (clock, &time), ==, 0);
  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static gint64
get_sum (const Meeting *meeting)
{
  gint64 sum = 0;

  for (int i = 1; i < meeting->awaited; i++)
    sum += get_microseconds (meeting->clocks[i]);
  return sum;
}

/* After a run the workers use hardly any processor time, and none while this thread works for 20
 * milliseconds. */
TEST (test_rest, "/team/rest")
{
  enum { THREADS = 4, WORK = 20000, REST = 2000 };
  g_autoptr (FxTeam) team = fx_team_new (THREADS);
  Meeting meeting = { .awaited = THREADS };
  gint64 run, before, after;

  fx_team_run (team, THREADS, 1, meet, &meeting);
  run = after = get_sum (&meeting);
  do
    {
      const gint64 end = get_microseconds (CLOCK_THREAD_CPUTIME_ID) + WORK;

      before = after;
      while (get_microseconds (CLOCK_THREAD_CPUTIME_ID) < end)
        ;
      after = get_sum (&meeting);
    }
  while (after != before);
  g_test_message ("%d threads took %d microseconds after the run", THREADS - 1,
                  (int) (after - run));
  g_assert_cmpint (after - run, <, REST * (THREADS - 1));
}

TEST (test_refused, "/team/refused")
{
  for (int i = 0; i < 4; i++)
    {
      g_autoptr (FxTeam) team = NULL;

      starts = i;
      team = fx_team_new (6);
      starts = -1;
      for (int n = 0; n < 100; n++)
        check_run (team, 1 + i, n, 1);
    }
}
