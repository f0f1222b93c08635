#include "undo-freeze.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* A parasite of the image, with the process's ID and the time of its start, because an ID may be
 * taken again; it is neither saved nor an undo step. */
#define MARK "cuda-blur-frozen"

#define STATE 0  /* of the fields in /proc/ID/stat after the name: proc(5) */
#define START 19 /* in ticks since the machine started */

/* Returns when a process started; 0 if it is dead, a zombie too, or unknown. */
static guint64
get_start (gint64 process)
{
  g_autofree char *path = g_strdup_printf ("/proc/%" G_GINT64_FORMAT "/stat", process);
  g_autofree char *text = NULL;
  const char *name_end;
  g_auto (GStrv) fields = NULL;

  if (! g_file_get_contents (path, &text, NULL, NULL) || ! (name_end = strrchr (text, ')')))
    return 0;
  fields = g_strsplit (name_end + 1 + strspn (name_end + 1, " "), " ", START + 2);
  if (g_strv_length (fields) <= START || strchr ("ZX", *fields[STATE]))
    return 0;
  return g_ascii_strtoull (fields[START], NULL, 10);
}

/* Call this before freezing. If undo is off already, someone else froze it, and only they may thaw
 * it: then there is no mark. */
static void
undo_freeze_mark (UndoImage image)
{
  guint64 start = get_start (getpid ());
  g_autofree char *process = g_strdup_printf ("%d %" G_GUINT64_FORMAT, (int) getpid (), start);
  GimpParasite *parasite;

  if (! gimp_image_undo_is_enabled (image))
    return;
  parasite = gimp_parasite_new (MARK, 0, (guint32) strlen (process) + 1, process);
  gimp_image_attach_parasite (image, parasite);
  gimp_parasite_free (parasite);
}

void
undo_freeze (UndoImage image, gboolean *clean)
{
  *clean = *clean && ! gimp_image_is_dirty (image);
  undo_freeze_mark (image);
  gimp_image_undo_freeze (image);
}

static void
undo_freeze_end (UndoImage image)
{
  gimp_image_undo_thaw (image);
  gimp_image_detach_parasite (image, MARK);
}

/* GIMP counts a change without an undo step as an unsaved change all the same. If the user has
 * undone steps since saving, the count is negative, and it must not become 0 here; an undo group,
 * while frozen, only counts. */
void
undo_thaw (UndoImage image, gboolean clean)
{
  if (! clean && ! gimp_image_is_dirty (image))
    {
      gimp_image_undo_group_start (image);
      gimp_image_undo_group_end (image);
    }
  undo_freeze_end (image);
  if (clean)
    gimp_image_clean_all (image);
}

static const char *
undo_freeze_get_text (const GimpParasite *parasite, guint32 *size)
{
#if GIMP_MAJOR_VERSION >= 3
  return gimp_parasite_get_data (parasite, size);
#else
  *size = (guint32) gimp_parasite_data_size (parasite);
  return gimp_parasite_data (parasite);
#endif
}

static gboolean
is_dead (gint64 process, guint64 start)
{
  if (get_start (getpid ()) == 0) /* there is no /proc */
    return kill ((pid_t) process, 0) != 0 && errno == ESRCH;
  return start > 0 && get_start (process) != start;
}

/* Returns whether the process that left the mark is dead. A mark that cannot be read does not
 * count. */
static gboolean
is_left (const GimpParasite *parasite)
{
  guint32 size;
  const char *text = undo_freeze_get_text (parasite, &size);
  gint64 process;
  guint64 start;
  char *end;

  if (size == 0 || text[size - 1] != 0)
    return FALSE;
  process = g_ascii_strtoll (text, &end, 10);
  start = g_ascii_strtoull (end, NULL, 10);
  return process > 0 && process <= G_MAXINT && is_dead (process, start);
}

void
undo_repair (UndoImage image)
{
  GimpParasite *parasite;

  if (gimp_image_undo_is_enabled (image))
    return;
  parasite = gimp_image_get_parasite (image, MARK);
  if (parasite && is_left (parasite))
    undo_freeze_end (image);
  if (parasite)
    gimp_parasite_free (parasite);
}
