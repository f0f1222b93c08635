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

/* Whether that is no more than all. bytes: of 64 bits, since a file may say anything. */
gboolean budget_has (const Budget *budget, guint64 bytes);

/* Takes what it has, once it can. A thread that holds some must not take more: two might wait for
 * each other. */
void budget_take (Budget *budget, gsize bytes);
void budget_give_back (Budget *budget, gsize bytes);

G_END_DECLS

#endif
