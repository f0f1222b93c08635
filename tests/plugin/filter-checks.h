/* Checks of a filter's description, for its cases. */
#pragma once

#include "filters.h"
#include "test.h"

/* Returns the largest value, which may be the number of a choice. */
double filter_get_largest (const FilterProperty *property);

/* Returns whether settings with that value pass; if not, the error must name the property. */
gboolean filter_passes (const FilterDescription *filter, guint property, double value);

/* Returns whether length bytes of text are last values. */
gboolean filter_reads (const FilterDescription *filter, const char *text, gsize length);

/* Checks that text is last values, and none if it is cut off or changed anywhere. */
void filter_check_damaged (const FilterDescription *filter, const char *text);

/* Runs test, a function without arguments, in a locale with decimal commas, if there is one. */
void filter_test_commas (gconstpointer test);
