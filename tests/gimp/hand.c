/* A blur with another hand in it, for test_hand.py. */
#include "clock.h"
#include "probe.h"
#include "remote.h"
#include "render.h"
#include "render-target.h"
#include "subject.h"
#include "wire.h"

#include <signal.h>
#include <sys/resource.h>

/* Microseconds: a blur that asks how things are every 20 ms then does so at each tile. */
#define STEP 25000

static void
change (gpointer unused)
{
  remote_run ("hand");
}

/* No file of this process gets larger than a few pixels. */
static void
limit_files (void)
{
  const struct rlimit limit = { 4096, 4096 };

  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &limit);
}

int
hand_run (gint32 drawable, gboolean kills, int message, gboolean grow, GimpParam *values)
{
  static char *words;
  g_autoptr (FilterSettings) settings = subject_settings (2.0, 2.0, grow);
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (GError) error = NULL;

  clock_step (STEP);
  wire_forget ();
  if (message < 0)
    limit_files ();
  else if (kills)
    wire_kill_at (message);
  else
    wire_call_between (message, change, NULL);
  render_apply (engine, drawable, settings, 0, &error);
  words = g_strdup (error ? error->message : "");
  values[1] = (GimpParam) { GIMP_PDB_STRING, { .d_string = words } };
  return 2;
}
