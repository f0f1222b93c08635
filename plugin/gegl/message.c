#include "message.h"

static GMutex lock;
static char *last;

/* Returns whether text differs from the last one. */
static gboolean
is_new (const char *text)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  if (g_strcmp0 (last, text) == 0)
    return FALSE;
  g_free (last);
  last = g_strdup (text);
  return TRUE;
}

void
message_show (const char *text)
{
  is_new (text);
  if (g_main_context_is_owner (NULL))
    g_log ("GEGL", G_LOG_LEVEL_MESSAGE, "%s", text); /* GIMP shows this domain's messages */
  else
    g_printerr ("cuda-blur: %s\n", text);
}

void
message_show_once (const char *text)
{
  if (is_new (text))
    message_show (text);
}
