/* Memory that several threads share: who needs some waits until the others have given enough back.
 */
#ifndef BUDGET_H
#define BUDGET_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct Budget Budget;

/* bytes: of all that is taken at a time. */
Budget *budget_new (gsize bytes);
void budget_free (Budget *budget); /* NULL is legal */

/* Takes bytes, once it can. FALSE where that is more than all. Who holds some is not to take more:
 * two might wait for each other. bytes: of 64 bits, as a file may say anything. */
gboolean budget_take (Budget *budget, guint64 bytes);
void budget_give_back (Budget *budget, gsize bytes);

G_END_DECLS

#endif
