#include "message.h"

static GMutex lock;
static char *last;

/* Returns whether text differs from the last one. */
static gboolean
is_new (const char *text)
{
  gboolean other;

  g_mutex_lock (&lock);
  other = g_strcmp0 (last, text) != 0;
  if (other)
    {
      g_free (last);
      last = g_strdup (text);
    }
  g_mutex_unlock (&lock);
  return other;
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
