/* Matrices as text: what a person types or pastes, and what files keep.
 *
 * A row to a line; empty lines count for nothing. Between numbers stand blanks, or one comma or
 * semicolon with or without blanks. A comma between digits is a decimal one where the text has no
 * point and something else separates its numbers. One line alone of n x n numbers, n odd and more
 * than 1, is a square matrix, any other line a single row. "ROWSxCOLUMNS:" before the first number
 * says the size, by which one line alone is cut. No locale matters, and nothing is evaluated. */
#ifndef MATRIX_TEXT_H
#define MATRIX_TEXT_H

#include "filter-matrix.h"

G_BEGIN_DECLS

#define MATRIX_TEXT_MAX (1 << 20) /* bytes */

/* text: length bytes, or -1 where it ends with 0. largest: of rows and of columns, which are odd
 * numbers. NULL with FX_ERROR_ARGUMENT, one sentence, where it is no such matrix; free it with
 * filter_matrix_free. */
FilterMatrix *matrix_text_parse (const char *text, gssize length, int largest, GError **error);

/* The same of a block of numbers, which need not be odd in rows and columns; one line is one row.
 */
FilterMatrix *matrix_text_parse_block (const char *text, gssize length, int largest,
                                       GError **error);

/* matrix: as it is read. All are read back to the bit; free them. A row to a line, the last one
 * without a line break; all in one line, with the size; or a row to a line, with commas between
 * numbers, and a line break behind each. */
char *matrix_text_print (const FilterMatrix *matrix);
char *matrix_text_print_line (const FilterMatrix *matrix);
char *matrix_text_print_csv (const FilterMatrix *matrix);

G_END_DECLS

#endif
