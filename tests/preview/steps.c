#include "steps.h"

gboolean
steps_count (gpointer data, double fraction)
{
  Steps *steps = data;

  g_assert_true (fraction >= 0.0 && fraction <= 1.0);
  return ++steps->steps != steps->cancel;
}
