/* What a contract test's results are, to the bit: two builds that give the same pixels
 * print the same fingerprint, of the same tests with the same seed. The order of the
 * results does not matter. */
#ifndef FINGERPRINT_H
#define FINGERPRINT_H

#include <glib.h>

G_BEGIN_DECLS

/* Adds one result. On any thread. */
void fingerprint_add (gconstpointer pixels, gsize size);

/* Prints that of all results so far, as a comment of TAP. */
void fingerprint_print (void);

G_END_DECLS

#endif
