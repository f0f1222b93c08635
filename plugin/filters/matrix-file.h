/* Files of matrices: comma-separated values, or any text that matrix-text.h reads. */
#ifndef MATRIX_FILE_H
#define MATRIX_FILE_H

#include "filter-matrix.h"

G_BEGIN_DECLS

/* largest: as of matrix_text_parse. NULL with G_FILE_ERROR where the file cannot be read, and with
 * FX_ERROR_ARGUMENT where it is none of a matrix: a file larger than MATRIX_TEXT_MAX, and what is
 * no file, is not even opened. Each is one sentence. Free it with filter_matrix_free. */
FilterMatrix *matrix_file_load (const char *path, int largest, GError **error);

/* FALSE with G_FILE_ERROR; the file that was there then stays. */
gboolean matrix_file_save (const char *path, const FilterMatrix *matrix, GError **error);

G_END_DECLS

#endif
