#include "progress.h"

#include <libgimp/gimp.h>

static Progress progress;
static const gchar *command;

static void
show_start (const gchar *message, gboolean cancelable, gpointer data)
{
  progress.texts += message && *message;
}

static void
show_end (gpointer data)
{
}

static void
show_text (const gchar *message, gpointer data)
{
  progress.texts += message && *message;
}

static void
show_value (gdouble fraction, gpointer data)
{
  progress.values += fraction > 0.0 && fraction < 1.0;
}

void
progress_begin (void)
{
  GimpProgressVtable vtable = {
    .start = show_start,
    .end = show_end,
    .set_text = show_text,
    .set_value = show_value,
  };

  progress = (Progress) { 0, 0 };
  command = gimp_progress_install_vtable (&vtable, NULL);
}

Progress
progress_end (void)
{
  gimp_progress_uninstall (command);
  return progress;
}
