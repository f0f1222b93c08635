#include "bench.h"

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

double
bench_get_median (double *values, int n)
{
  qsort (values, n, sizeof *values, compare_doubles);
  return (values[(n - 1) / 2] + values[n / 2]) / 2.0;
}

void
bench_print (const BenchCase *about, double *milliseconds, int n)
{
  const double median = bench_get_median (milliseconds, n);

  printf ("%s\t%d\t%d\t%s\t%s\t%s\t%.6g\t%.6g\t%.6g\t%d", about->what, about->width, about->height,
          about->format, about->size, about->device, median, milliseconds[0], milliseconds[n - 1],
          n);
}

double *
bench_parse_numbers (const char *list, int *n, GError **error)
{
  g_auto (GStrv) items = g_strsplit (list, ",", -1);
  g_autofree double *numbers = NULL;

  *n = (int) g_strv_length (items);
  numbers = g_new (double, *n + 1);
  for (int i = 0; i < *n; i++)
    {
      char *end;

      numbers[i] = g_ascii_strtod (items[i], &end);
      if (end == items[i] || *end || ! (numbers[i] > 0.0))
        {
          g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                       "\"%s\" must be numbers above 0, like 0.5,2,10", list);
          return NULL;
        }
    }
  return g_steal_pointer (&numbers);
}

gboolean
bench_parse_size (const char *text, int *width, int *height, GError **error)
{
  char rest;

  if (sscanf (text, "%dx%d%c", width, height, &rest) == 2 && *width > 0 && *height > 0)
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "\"%s\" must be a size, like 3840x2160", text);
  return FALSE;
}

double
bench_get_milliseconds (gint64 start)
{
  return (g_get_monotonic_time () - start) / 1000.0;
}
