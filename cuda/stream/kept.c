#include "kept.h"

#include <string.h>

struct FxKept {
  int height;
  guint8 *there; /* per row: it is resident */
};

FxKept *
fx_kept_new (int height)
{
  FxKept *kept = g_new (FxKept, 1);

  kept->height = height;
  kept->there = g_new0 (guint8, height);
  return kept;
}

void
fx_kept_free (FxKept *kept)
{
  if (! kept)
    return;
  g_free (kept->there);
  g_free (kept);
}

void
fx_kept_change (FxKept *kept, int y, int rows)
{
  int first = CLAMP (y, 0, kept->height);
  int end = (int) CLAMP ((gint64) y + rows, first, kept->height);

  memset (kept->there + first, FALSE, end - first);
}

gboolean
fx_kept_has (const FxKept *kept, int y, int rows)
{
  return memchr (kept->there + y, FALSE, rows) == NULL;
}

void
fx_kept_add (FxKept *kept, int y, int rows)
{
  memset (kept->there + y, TRUE, rows);
}
