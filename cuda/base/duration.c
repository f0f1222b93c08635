#include "duration.h"

#include <glib/gi18n-lib.h>

/* From here on a number is rounded to 1000, and to 10. */
#define SECONDS_FROM 999.5
#define WHOLE_FROM   9.95

char *
fx_print_duration (double milliseconds)
{
  gboolean long_time = milliseconds >= SECONDS_FROM;
  double number = long_time ? milliseconds / 1000.0 : milliseconds;

  return g_strdup_printf (long_time ? _ ("%.*f s") : _ ("%.*f ms"), number < WHOLE_FROM, number);
}
