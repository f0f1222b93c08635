#include "problems.h"

#include <glib/gi18n-lib.h>

gboolean
problems_check (const Operation *operation, GError **error)
{
  if (! operation->unreadable)
    return filter_settings_check (operation->settings, error);
  if (error)
    *error = g_error_copy (operation->unreadable);
  return FALSE;
}

/* Returns whether there is another problem than the one that was reported last, or none any more.
 */
static gboolean
has_changed (Operation *operation)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&operation->lock);
  g_autoptr (GError) error = NULL;
  const char *problem;

  problems_check (operation, &error);
  problem = error ? error->message : "";
  if (g_strcmp0 (problem, operation->reported) == 0)
    return FALSE;
  g_free (operation->reported);
  operation->reported = g_strdup (problem);
  return TRUE;
}

void
problems_notify (Operation *operation)
{
  if (! g_object_class_find_property (G_OBJECT_GET_CLASS (operation), "problem") ||
      ! has_changed (operation))
    return;
  g_object_notify (G_OBJECT (operation), "problem");
  g_object_notify (G_OBJECT (operation), "invalid");
}

char *
problems_take (Operation *operation)
{
  if (! operation->problem || operation->shown)
    return NULL;
  operation->shown = TRUE;
  return g_strdup_printf (_ ("%s: the pixels stay as they are"), operation->problem->message);
}
