/* The common parts of the benchmarks: figures, lists of numbers, the remaining time. */
#pragma once

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The subject of a figure. */
typedef struct {
  const char *what; /* the program that did it or, if it is no blur, the work */
  int width, height;
  const char *format; /* u8 and float: RGBA; rgb-u8: RGB; or what else the figure is for */
  double sigma;       /* 0: none */
  const char *device; /* gpu, cpu */
} BenchCase;

/* Prints a figure: what, width, height, format, sigma, device, then the median, the minimum and the
 * maximum of values and how many they are; tab-separated, on standard output. values: n of them, in
 * milliseconds unless what says otherwise; sorted after. n may be 0: nothing was measured, and
 * nothing is printed. */
void bench_print (const BenchCase *about, double *values, int n);

/* Like bench_print, for one value without a spread. */
void bench_print_value (const BenchCase *about, double value);

/* The median of n values, 1 or more; sorts them. */
double bench_get_median (double *values, int n);

/* The numbers of a list such as "0.5,2,10": n of them; free them with g_free. NULL with error if
 * it is not such a list. */
double *bench_parse_numbers (const char *list, int *n, GError **error);

/* Sets width and height from a text such as "3840x2160". */
gboolean bench_parse_size (const char *text, int *width, int *height, GError **error);

/* From now on; 0: no limit. */
void bench_set_seconds (int seconds);

/* Returns whether they have passed; nothing new must begin then. */
gboolean bench_is_late (void);

/* Milliseconds since start, which is of g_get_monotonic_time. */
double bench_get_milliseconds (gint64 start);
