/* The clock, as the plug-in's code that is linked here sees it. */
#pragma once

#include <glib.h>

/* From now on this thread's every look at the clock finds it so many microseconds later than the
 * one before, however long it took: what is done from time to time is always done at the same
 * places. */
void clock_step (gint64 microseconds);

/* Sets whether this thread sees a count in place of the clock: the microseconds that any threads
 * have added. */
void clock_set_counting (gboolean counting);
void clock_add (gint64 microseconds);
