#include "matrix-file.h"

#include "error.h"
#include "matrix-text.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

/* If the file cannot be examined, opening it reports the error. */
static gboolean
matrix_file_check (const char *path, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);
  GStatBuf status;

  if (g_stat (path, &status) != 0)
    return TRUE;
  if (! S_ISREG (status.st_mode))
    return fx_refuse (error, _ ("'%s' is not a file"), shown);
  return status.st_size <= MATRIX_TEXT_MAX ||
         fx_refuse (error, _ ("'%s' has more than %d bytes, which no matrix needs"), shown,
                    MATRIX_TEXT_MAX);
}

FilterMatrix *
matrix_file_load (const char *path, int largest, GError **error)
{
  g_autofree char *text = NULL;
  gsize length;

  if (! matrix_file_check (path, error) || ! g_file_get_contents (path, &text, &length, error))
    return NULL;
  return matrix_text_parse (text, (gssize) length, largest, error);
}

gboolean
matrix_file_save (const char *path, const FilterMatrix *matrix, GError **error)
{
  g_autofree char *text = matrix_text_print_csv (matrix);

  return text ? g_file_set_contents (path, text, -1, error) : fx_set_no_memory (error);
}
