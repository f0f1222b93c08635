/* A soak test: calls of all kinds, for as long as is asked, with faults among them. */
#include "cases.h"

#include <stdio.h>

#include "processes.h"
#include "soak-fallback.h"
#include "soak-fault.h"
#include "soak-memory.h"
#include "soak-node.h"
#include "watch.h"

#define WARM             100  /* calls without a fault before memory is looked at */
#define COMPARED         50   /* one call in so many is compared with the reference */
#define FAULTY           8    /* about one in so many has a fault */
#define WITHOUT_MAX      5    /* calls without a resident process, once it was killed */
#define PROBLEMS_MAX     20   /* that are printed */
#define NOTED            1000 /* calls after which memory is told again */
#define SETTLE_SECONDS   10   /* that an orphaned call may go on */
#define SECONDS_USUAL    60
#define IDLE_SECONDS_MAX 20.0

typedef struct {
  int calls, faulty, compared, wrong;
  int asked; /* for the GPU */
  int faults[N_SOAK_FAULTS];
  SoakFallbacks *fallbacks;
  pid_t weak;  /* the resident process that had no memory: its GPU may still fail for it */
  int without; /* calls that are still to be made without a resident process */
  FILE *journal;
} Soak;

/* Before a call that may not return, and after it. */
static void
write_journal (Soak *soak, const char *text)
{
  if (! soak->journal)
    return;
  fprintf (soak->journal, "%s\n", text);
  fflush (soak->journal);
}

static void
tell_wrong (Soak *soak, guint number, const char *about, const char *problem)
{
  soak->wrong++;
  if (soak->wrong <= PROBLEMS_MAX)
    note ("WRONG: call %u, %s: %s", number, about, problem);
}

/* One call */

static char *
node_problem (const SoakScene *scene)
{
  g_autoptr (Raster) after = soak_node_run (scene->call, scene->subject, scene->before);

  return soak_scene_node_problem (scene, after);
}

/* The resident process goes on with a call whose process was killed: the layer may be enlarged and
 * not yet blurred. */
static char *
settled_problem (const SoakScene *scene, const char *message)
{
  gint64 deadline = g_get_monotonic_time () + SETTLE_SECONDS * G_USEC_PER_SEC;
  char *problem;

  while ((problem = soak_scene_broken_problem (scene, message)) &&
         g_get_monotonic_time () < deadline)
    {
      g_free (problem);
      g_usleep (20000);
    }
  return problem;
}

static char *
get_problem (const SoakScene *scene, SoakFault fault, const char *message)
{
  if (fault == SOAK_KILL_CALLED)
    return settled_problem (scene, message);
  if (soak_fault_breaks (fault))
    return soak_scene_broken_problem (scene, message);
  return soak_scene_problem (scene, message);
}

/* GIMP itself has to say it for a called process that was killed, and for no other. */
static char *
procedure_problem (SoakScene *scene, SoakFault fault, GRand *rand)
{
  g_autofree char *message = NULL;
  GimpPDBStatusType status;
  SoakTrouble *trouble;
  char *problem = NULL;

  scene->refused = scene->refused || fault == SOAK_BAD_ARGUMENT || fault == SOAK_LOCKED;
  trouble = soak_fault_begin (fault, scene, rand);
  soak_call_run (scene->call, scene->subject, &status, &message);
  if (message && fault != SOAK_KILL_CALLED)
    problem = failure_problem (status, message);
  problem = problem ?: get_problem (scene, fault, message);
  soak_fault_end (trouble);
  return problem;
}

/* Which of them a call can have. */
static SoakFault
draw_fault (const SoakCall *call, gboolean kills, GRand *rand)
{
  SoakFault fault = g_rand_int_range (rand, 1, N_SOAK_FAULTS);
  gboolean cache = fault >= SOAK_CACHE_DAMAGED && fault <= SOAK_CACHE_CLOSED;

  if ((soak_call_is_operation (call) && ! cache) || (soak_fault_strikes (fault) && ! kills))
    return SOAK_NO_FAULT;
  return fault;
}

/* Returns whether the call's fault, or one before it, is a reason for a device to fail. */
static gboolean
may_fail (Soak *soak, SoakFault fault)
{
  if (fault == SOAK_MEMORY)
    soak->weak = find_resident ();
  else if (soak->weak && ! process_lives (soak->weak))
    soak->weak = 0;
  return fault == SOAK_MEMORY || soak->weak;
}

/* Returns whether the call has had the resident process use its GPU. */
static gboolean
has_used_gpu (const SoakScene *scene, SoakFault fault)
{
  return fault == SOAK_NO_FAULT && soak_call_get_device (scene->call) == FX_DEVICE_GPU &&
         ! soak_call_is_operation (scene->call) && ! scene->refused && ! scene->identity;
}

/* Call number: all about it comes from that and the seed. kills: whether processes may be. */
static void
make_call (Soak *soak, guint number, SoakJudge judge, gboolean faulty, gboolean kills)
{
  g_autofree char *name = g_strdup_printf ("soak %u", number);
  g_autoptr (GRand) rand = case_rand (name);
  g_autoptr (SoakCall) call = soak_call_draw (rand, judge);
  SoakFault fault = faulty ? draw_fault (call, kills, rand) : SOAK_NO_FAULT;
  g_autofree char *what = NULL, *about = NULL, *problem = NULL, *fallback = NULL;
  SoakScene scene;

  if (fault == SOAK_BAD_ARGUMENT)
    soak_fault_spoil (call, rand);
  what = soak_call_describe (call);
  about = g_strdup_printf ("%s, %s", soak_fault_names[fault], what);
  write_journal (soak, about);
  scene = soak_scene_make (call, judge, rand);
  if (fault == SOAK_LOCKED && scene.identity)
    fault = SOAK_NO_FAULT; /* whether that is refused does not matter */
  problem = soak_call_is_node (call) ? node_problem (&scene)
                                     : procedure_problem (&scene, fault, rand);
  fallback = soak_fallbacks_take (soak->fallbacks, may_fail (soak, fault));
  problem = problem ?: g_steal_pointer (&fallback);
  if (! problem && has_used_gpu (&scene, fault))
    soak->weak = 0;
  soak_scene_clear (&scene);
  soak->calls++;
  soak->asked += soak_call_get_device (call) == FX_DEVICE_GPU;
  soak->compared += judge == SOAK_REFERENCE;
  soak->faulty += fault != SOAK_NO_FAULT;
  soak->faults[fault]++;
  if (soak_fault_kills (fault))
    soak->without = g_rand_int_range (rand, 0, WITHOUT_MAX + 1);
  if (problem)
    tell_wrong (soak, number, about, problem);
}

/* A call some way into the test. */
static void
make_next_call (Soak *soak, guint number, gboolean kills)
{
  g_autofree char *name = g_strdup_printf ("soak fault %u", number);
  g_autoptr (GRand) rand = case_rand (name);
  gboolean compared = number % COMPARED == 0;
  gboolean faulty = ! compared && g_rand_int_range (rand, 0, FAULTY) == 0;

  if (soak->without > 0)
    soak->without--;
  else
    need_resident ();
  make_call (soak, number,
             compared ? SOAK_REFERENCE
             : faulty ? SOAK_ENGINE
                      : SOAK_ANY,
             faulty, kills);
}

/* Memory */

/* An engine keeps what its largest image has taken, until the resident process has been idle for
 * some seconds (CUDA_BLUR_IDLE_SECONDS). Memory that it holds after that is leaked. */
static SoakMemory
note_memory (Soak *soak)
{
  SoakMemory memory;
  g_autofree char *text = NULL;
  char *problem;

  need_resident ();
  problem = right_problem ("soak", &plain);
  if (! problem && ! wait_for_idle (IDLE_SECONDS_MAX))
    problem = g_strdup ("the resident process does not become idle");
  if (problem)
    tell_wrong (soak, 0, "before memory is looked at", problem);
  g_free (problem);
  memory = soak_memory_get ();
  text = soak_memory_describe (&memory);
  note ("after %d calls: %s", soak->calls, text);
  return memory;
}

/* The same calls each time, so that memory can be compared. */
static SoakMemory
warm_up (Soak *soak)
{
  need_resident ();
  for (guint i = 1; i <= WARM; i++)
    make_call (soak, G_MAXINT32 + i, SOAK_ANY, FALSE, FALSE);
  return note_memory (soak);
}

/* The whole */

static double
get_seconds (void)
{
  const char *text = g_getenv ("CUDA_BLUR_TEST_SECONDS");

  return text ? g_ascii_strtod (text, NULL) : SECONDS_USUAL;
}

/* No process is killed in the last third, so that one is there for long. */
static void
make_calls (Soak *soak, gint64 start, double seconds)
{
  guint number = 0;
  double passed;

  while ((passed = (g_get_monotonic_time () - start) / 1e6) < seconds)
    {
      make_next_call (soak, ++number, passed < seconds * 2.0 / 3.0);
      if (number % NOTED == 0)
        note_memory (soak);
    }
}

static void
report_all (Soak *soak, const SoakMemory *start, const SoakMemory *end, double seconds)
{
  g_autofree char *first = soak_memory_describe (start), *last = soak_memory_describe (end);

  for (int i = 1; i < N_SOAK_FAULTS; i++)
    note ("%s: %d", soak_fault_names[i], soak->faults[i]);
  report (soak->wrong ? g_strdup_printf ("%d of %d are", soak->wrong, soak->calls) : NULL,
          "soak: no call is wrong");
  report (soak_memory_problem (start, end, soak->calls), "soak: memory stays within bounds");
  soak_fallbacks_note (soak->fallbacks);
  note ("soak: %d calls, %d of them for the GPU%s, %d with faults, %d compared, %d wrong; %.0f s; "
        "memory at the start: %s; at the end: %s",
        soak->calls, soak->asked, subject_on_gpu (FX_DEVICE_GPU) ? "" : ", which is not there",
        soak->faulty, soak->compared, soak->wrong, seconds, first, last);
}

void
cases_soak (void)
{
  g_autofree char *path = g_build_filename (get_folder (), "calls", NULL);
  Soak soak = { .journal = fopen (path, "w"), .fallbacks = soak_fallbacks_new () };
  gint64 begin = g_get_monotonic_time ();
  SoakMemory start, end;

  report (soak_node_works () ? NULL : g_strdup ("GEGL does not have them"),
          "soak: the operations are there");
  start = warm_up (&soak);
  make_calls (&soak, begin, get_seconds ());
  end = warm_up (&soak);
  report_all (&soak, &start, &end, (g_get_monotonic_time () - begin) / 1e6);
  soak_fallbacks_free (soak.fallbacks);
  if (soak.journal)
    fclose (soak.journal);
}
