/* What the person is told, for an operation has no error to return. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <glib.h>

G_BEGIN_DECLS

/* Says text, unless it was the last one said: GIMP shows it as its own message where this is the
 * thread of its windows; else it goes to standard error. Never ends the process. */
void message_tell_once (const char *text);

G_END_DECLS

#endif
