/* The resident process and GIMP's log, as the cases watch them. */
#pragma once

#include <sys/types.h>

#include "cases.h"

#define PLUGIN       "cuda-blur" /* the executable */
#define CALL_SECONDS 60          /* no call takes as long, unless it hangs */

/* Long, for an explicit kernel is computed as it is. */
static const Args lengthy = { 100.0, 100.0, 301, FX_ABYSS_CLAMP, FX_LIGHT_LINEAR, 0, 0 };

/* CUDA_BLUR_TEST_FOLDER, with GIMP's log and the lines to and from the helpers. */
const char *get_folder (void);

/* The resident process, while no call is under way; 0: there is none. */
pid_t find_resident (void);

/* Sees to it that there is one, for a case that makes no sense without. */
pid_t need_resident (void);

/* Returns whether GIMP has one, or has none, within some seconds. */
gboolean wait_for_resident (gboolean there);

/* Kills it and waits until GIMP knows. */
void kill_resident (void);

/* Returns the output of GIMP and its plug-ins since the last call of this function; free it. */
char *read_log (void);

/* How often text holds word. */
int count (const char *text, const char *word);

/* Since the last look the log must hold that many forwarded calls, and that many that a called
 * process did itself for the reason that is given; of all else, nothing. */
char *log_problem (int forwarded, int here, const char *reason);

/* The same of a text that was in the log. */
char *log_text_problem (const char *text, int forwarded, int here, const char *reason);

/* It must tell of that many dead plug-ins, and of no other trouble than what goes with them. */
char *crash_problem (int crashes);

/* Waits so long for the line in the log that says that the resident process has given its engine
 * back. */
gboolean wait_for_idle (double seconds);

/* A call, as subject_blur makes it, that must not hang: if it does, this process ends, which the
 * runner reports. */
gboolean blur_in_time (Subject subject, GimpRunMode mode, const Args *args,
                       GimpPDBStatusType *status, char **message);

/* A blur of a small layer, compared with the engine's. */
char *right_problem (const char *name, const Args *args);

/* Returns whether a process of the plug-in is at work on it. */
gboolean is_being_blurred (gint32 drawable);

/* Has another process make a call that takes long, and returns when the layer is being blurred, or
 * has been. The answer comes to HELPER_CALLER "-answer". */
void begin_long (Subject subject);

/* Does something during another call. late is TRUE at first, and stays so if that call was over too
 * early, as may happen on a busy machine. */
typedef char *(*Try) (pid_t resident, gboolean *late);

/* Tries until it is not late, which one of fifty tries should be. */
char *try_in_time (Try try, pid_t resident);
