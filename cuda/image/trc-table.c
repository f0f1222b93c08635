#include "trc-table.h"

#include "error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

static gboolean
table_check (const float *entries, GError **error)
{
  gboolean rises = entries[0] < entries[FX_TRC_ENTRIES - 1];

  for (int i = 0; i < FX_TRC_ENTRIES && rises; i++)
    rises = fabsf (entries[i]) <= FX_TRC_LIGHT_MAX && (i == 0 || entries[i - 1] <= entries[i]);
  return rises || fx_refuse (error, _ ("A tone curve must rise, and must not fall anywhere"));
}

static FxTrcTable *
table_new (const float *entries, GError **error)
{
  FxTrcTable *table = g_try_new0 (FxTrcTable, 1);

  if (table)
    memcpy (table->entries, entries, sizeof table->entries);
  else
    fx_set_no_memory (error);
  return table;
}

static gboolean
table_has (const FxTrcTable *table, const float *entries)
{
  int i = 0;

  while (i < FX_TRC_ENTRIES && table->entries[i] == entries[i])
    i++;
  return i == FX_TRC_ENTRIES;
}

const FxTrcTable *
fx_trc_table_get (const float entries[FX_TRC_ENTRIES], GError **error)
{
  static GMutex mutex;
  static FxTrcTable *all;
  FxTrcTable *table;

  if (! table_check (entries, error))
    return NULL;
  g_mutex_lock (&mutex);
  table = all;
  while (table && ! table_has (table, entries))
    table = table->next;
  if (! table && (table = table_new (entries, error)))
    {
      table->next = all;
      all = table;
    }
  g_mutex_unlock (&mutex);
  return table;
}
