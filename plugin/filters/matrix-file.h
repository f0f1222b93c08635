/* Files that hold a matrix: comma-separated values, or any text that matrix-text.h can read. */
#pragma once

#include "filter-matrix.h"

/* Reads a matrix of at most largest rows and columns, which is odd; free it with
 * filter_matrix_free. Returns NULL with G_FILE_ERROR if the file cannot be read, and with
 * FX_ERROR_ARGUMENT, one sentence, if it does not hold a matrix, or with FX_ERROR_MEMORY. Does not
 * open a file larger than MATRIX_TEXT_MAX, or anything that is not a regular file. */
FilterMatrix *matrix_file_load (const char *path, int largest, GError **error);

/* Writes comma-separated values. Returns FALSE with G_FILE_ERROR, or with FX_ERROR_MEMORY, on
 * failure; an existing file is then unchanged. */
gboolean matrix_file_save (const char *path, const FilterMatrix *matrix, GError **error);
