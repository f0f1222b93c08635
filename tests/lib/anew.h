/* This program, run once more within a test. */
#ifndef ANEW_H
#define ANEW_H

#include <glib.h>

G_BEGIN_DECLS

/* What it prints when it is run with that argument and that variable, NAME=VALUE, and no other.
 * privileged: as a program that another user owns, with that user's rights. NULL where it fails, or
 * cannot be made such a program here. Free it. */
char *anew_run (gboolean privileged, const char *argument, const char *variable);

/* In what is run: whether it is privileged. */
gboolean anew_is_privileged (void);

G_END_DECLS

#endif
