/* The common parts of the benchmarks: figures and lists of numbers. */
#pragma once

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The subject of a figure. */
typedef struct {
  const char *what;
  int width, height;
  const char *format;
  const char *size; /* the parameter of the filter: sigma, the side of a matrix, a radius */
  const char *device;
} BenchCase;

/* Prints a figure on standard output, without a line end: what, width, height, format, size,
 * device, then the median, the minimum and the maximum of n milliseconds, and n; separated by tabs.
 * n: 1 or more; milliseconds are sorted after. */
void bench_print (const BenchCase *about, double *milliseconds, int n);

/* Returns the median of n values, 1 or more; sorts them. */
double bench_get_median (double *values, int n);

/* Returns the n numbers of a list such as "0.5,2,10"; free them with g_free. NULL with error if it
 * is not such a list. */
double *bench_parse_numbers (const char *list, int *n, GError **error);

/* Sets width and height from a text such as "3840x2160". */
gboolean bench_parse_size (const char *text, int *width, int *height, GError **error);

/* Returns the milliseconds since start, which is of g_get_monotonic_time. */
double bench_get_milliseconds (gint64 start);
