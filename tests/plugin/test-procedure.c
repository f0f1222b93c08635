/* The last values of a procedure, while another process replaces them, and without memory. The
 * functions below stand in for GIMP's store of data. */
#include "procedure.h"

#include "error.h"
#include "filter-words.h"
#include "filters.h"
#include "test.h"

#include <libgimp/gimp.h>

static GByteArray *stored;
static char *next; /* what another process stores when data was asked for; or NULL */
static gsize next_length;

static void
store (gconstpointer data, gsize size)
{
  g_byte_array_set_size (stored, 0);
  g_byte_array_append (stored, data, size);
}

static void
replace (void)
{
  if (next)
    store (next, next_length);
}

gboolean
gimp_set_data (const gchar *identifier, gconstpointer data, guint32 size)
{
  store (data, size);
  return TRUE;
}

GimpParam *
gimp_run_procedure (const gchar *name, gint *n, ...)
{
  GimpParam *values = g_new0 (GimpParam, 3);

  g_assert_cmpstr (name, ==, "gimp-procedural-db-get-data");
  values[0].type = GIMP_PDB_STATUS;
  values[0].data.d_status = stored->len > 0 ? GIMP_PDB_SUCCESS : GIMP_PDB_EXECUTION_ERROR;
  *n = 1;
  if (stored->len == 0)
    return values;
  values[1].type = GIMP_PDB_INT32;
  values[1].data.d_int32 = (gint32) stored->len;
  values[2].type = GIMP_PDB_INT8ARRAY;
  values[2].data.d_int8array = g_memdup2 (stored->data, stored->len);
  *n = 3;
  replace ();
  return values;
}

/* Calls for memory, which the linker puts in place of GLib's. */

static guint until_failure; /* calls until the one that fails; 0: none does */

static gboolean
is_due (void)
{
  return until_failure > 0 && --until_failure == 0;
}

#define WRAP(name, parameters, arguments)              \
  gpointer __wrap_##name parameters;                   \
  gpointer __real_##name parameters;                   \
  gpointer __wrap_##name parameters                    \
  {                                                    \
    return is_due () ? NULL : __real_##name arguments; \
  }

WRAP (g_try_malloc, (gsize size), (size))
WRAP (g_try_malloc0, (gsize size), (size))
WRAP (g_try_malloc_n, (gsize n, gsize size), (n, size))
WRAP (g_try_realloc, (gpointer data, gsize size), (data, size))

/* The tests. */

static const FilterDescription *
find_convolution (void)
{
  for (int i = 0; filters[i]; i++)
    if (strstr (filters[i]->procedure, "convolve"))
      return filters[i];
  g_assert_not_reached ();
}

static FilterSettings *
make_settings (int side)
{
  const FilterDescription *filter = find_convolution ();
  FilterSettings *settings = filter_settings_new (filter);
  double *values;
  g_autoptr (FilterMatrix) matrix = filter_matrix_new_zero (side, side, &values);

  for (int i = 0; i < side * side; i++)
    values[i] = i;
  filter_settings_set_matrix (settings, filter_find_property (filter, "values"), matrix);
  return settings;
}

static FilterSettings *
call_with_last_values (GError **error)
{
  const GimpParam params[] = { { GIMP_PDB_INT32, { .d_int32 = GIMP_RUN_WITH_LAST_VALS } },
                               { GIMP_PDB_IMAGE, { .d_image = 1 } },
                               { GIMP_PDB_DRAWABLE, { .d_drawable = 2 } } };
  gint32 drawable, map;

  return procedure_parse (find_convolution (), G_N_ELEMENTS (params), params, &drawable, &map,
                          error);
}

static void
check_last_values (const FilterSettings *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FilterSettings) got = call_with_last_values (&error);

  g_assert_no_error (error);
  g_assert_true (filter_settings_equal (got, expected));
}

/* The values that were stored last, or longer ones that another call has stored since. */
TEST (test_last_values, "/procedure/last-values")
{
  const FilterDescription *filter = find_convolution ();
  g_autoptr (FilterSettings) defaults = filter_settings_new (filter);
  g_autoptr (FilterSettings) small = make_settings (3);
  g_autoptr (FilterSettings) large = make_settings (31);

  stored = g_byte_array_new ();
  check_last_values (defaults);
  procedure_keep (small, -1);
  check_last_values (small);
  next = filter_settings_to_bytes (large, &next_length);
  check_last_values (small);
  check_last_values (large);
  g_clear_pointer (&next, g_free);
  g_clear_pointer (&stored, g_byte_array_unref);
}

/* Without memory for their matrix, last values are not stored, and are not replaced by others. */
TEST (test_no_memory, "/procedure/no-memory")
{
  g_autoptr (FilterSettings) settings = make_settings (31);
  gboolean failed = TRUE;

  stored = g_byte_array_new ();
  for (guint n = 1; failed; n++)
    {
      g_byte_array_set_size (stored, 0);
      until_failure = n;
      procedure_keep (settings, -1);
      failed = until_failure == 0;
      until_failure = 0;
      g_assert_true (failed == (stored->len == 0));
    }
  failed = TRUE;
  for (guint n = 1; failed; n++)
    {
      g_autoptr (FilterSettings) got = NULL;
      g_autoptr (GError) error = NULL;

      until_failure = n;
      got = call_with_last_values (&error);
      failed = until_failure == 0;
      until_failure = 0;
      g_assert_true (failed ? g_error_matches (error, FX_ERROR, FX_ERROR_MEMORY)
                            : filter_settings_equal (got, settings));
    }
  g_clear_pointer (&stored, g_byte_array_unref);
}
