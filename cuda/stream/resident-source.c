#include "resident-source.h"

#include <string.h>

struct FxResidentSource {
  int height;
  guint8 *rows; /* for each row, whether it is resident */
};

FxResidentSource *
fx_resident_source_new (int height)
{
  FxResidentSource *resident = g_new (FxResidentSource, 1);

  resident->height = height;
  resident->rows = g_try_new0 (guint8, height);
  if (! resident->rows)
    g_clear_pointer (&resident, g_free);
  return resident;
}

void
fx_resident_source_free (FxResidentSource *resident)
{
  if (! resident)
    return;
  g_free (resident->rows);
  g_free (resident);
}

void
fx_resident_source_change (FxResidentSource *resident, int y, int rows)
{
  int first = CLAMP (y, 0, resident->height);
  int end = (int) CLAMP ((gint64) y + rows, first, resident->height);

  memset (resident->rows + first, FALSE, end - first);
}

gboolean
fx_resident_source_has (const FxResidentSource *resident, int y, int rows)
{
  return memchr (resident->rows + y, FALSE, rows) == NULL;
}

void
fx_resident_source_add (FxResidentSource *resident, int y, int rows)
{
  memset (resident->rows + y, TRUE, rows);
}
