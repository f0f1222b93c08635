/* Messages for the user, because an operation cannot return an error. */
#pragma once

#include <glib.h>

/* Show text, the second one unless it was the last that was shown. On the thread of GIMP's windows,
 * GIMP shows it as its own message; on other threads it goes to standard error. Never end the
 * process. May be called on any thread. */
void message_show (const char *text);
void message_show_once (const char *text);
