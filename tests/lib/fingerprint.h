/* A fingerprint of a contract test's results. Two builds that give exactly the same pixels print
 * the same fingerprint for the same tests with the same seed. The order of the results does not
 * matter. */
#pragma once

#include <glib.h>

/* Adds one result. May be called on any thread. */
void fingerprint_add (gconstpointer pixels, gsize size);

/* Prints the fingerprint of all results so far, as a TAP comment. */
void fingerprint_print (void);
