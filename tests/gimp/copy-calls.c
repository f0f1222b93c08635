#include "copy-calls.h"

#include "drawable-copy.h"

static RenderTarget target;
static DrawableCopy *copy;
static char *rows; /* as copy_calls_tell returns them */

/* The linker puts this in place of the call. */

static gboolean memory_is_full;

gpointer __wrap_g_try_malloc0_n (gsize n, gsize size);
gpointer __real_g_try_malloc0_n (gsize n, gsize size);

gpointer
__wrap_g_try_malloc0_n (gsize n, gsize size)
{
  return memory_is_full ? NULL : __real_g_try_malloc0_n (n, size);
}

static void
note_rows (gpointer data, int y, int n)
{
  memset (rows + y, '+', n);
}

void
copy_calls_open (gint32 drawable)
{
  render_target_init (&target, drawable, NULL);
  copy = drawable_copy_new (&target, NULL);
  copy_calls_begin (FALSE);
  copy_calls_read (TRUE);
  rows = g_strnfill (target.height, '-');
  drawable_copy_set_changed (copy, note_rows, NULL);
}

void
copy_calls_close (void)
{
  g_clear_pointer (&copy, drawable_copy_free);
  g_clear_pointer (&rows, g_free);
}

gboolean
copy_calls_begin (gboolean no_memory)
{
  g_autoptr (GError) error = NULL;
  gboolean begun;

  memory_is_full = no_memory;
  begun = drawable_copy_begin (copy, &error);
  memory_is_full = FALSE;
  g_assert (begun == (error == NULL));
  return begun;
}

gboolean
copy_calls_read (gboolean all)
{
  const FxRect first = { 0, 0, target.width, target.height };
  gboolean more;

  do
    more = drawable_copy_read (copy, &first, 0);
  while (all && more);
  return more;
}

const char *
copy_calls_tell (void)
{
  const char *told = g_intern_string (rows);

  memset (rows, '-', target.height);
  return told;
}

gboolean
copy_calls_has_mask (void)
{
  return drawable_copy_get_mask (copy) != NULL;
}
