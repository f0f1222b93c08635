#include "budget.h"

struct Budget {
  GMutex lock;
  GCond given;
  gsize all, left;
};

Budget *
budget_new (gsize bytes)
{
  Budget *budget = g_new0 (Budget, 1);

  g_mutex_init (&budget->lock);
  g_cond_init (&budget->given);
  budget->all = budget->left = bytes;
  return budget;
}

void
budget_free (Budget *budget)
{
  if (! budget)
    return;
  g_cond_clear (&budget->given);
  g_mutex_clear (&budget->lock);
  g_free (budget);
}

gboolean
budget_has (const Budget *budget, guint64 bytes)
{
  return bytes <= budget->all;
}

void
budget_take (Budget *budget, gsize bytes)
{
  g_mutex_lock (&budget->lock);
  while (budget->left < bytes)
    g_cond_wait (&budget->given, &budget->lock);
  budget->left -= bytes;
  g_mutex_unlock (&budget->lock);
}

void
budget_give_back (Budget *budget, gsize bytes)
{
  g_mutex_lock (&budget->lock);
  budget->left += bytes;
  g_cond_broadcast (&budget->given);
  g_mutex_unlock (&budget->lock);
}
