/* Runs the test program again, as a child process. */
#pragma once

#include <glib.h>

/* Runs this program with one argument and, as its whole environment, one variable, NAME=VALUE. If
 * privileged is TRUE, runs it as a set-user-ID program of another user. Returns its standard
 * output; free it with g_free. Returns NULL if the program fails, or if it cannot be made such a
 * program here. */
char *rerun_self (gboolean privileged, const char *argument, const char *variable);

/* Returns whether this process is such a privileged program. */
gboolean rerun_is_privileged (void);
