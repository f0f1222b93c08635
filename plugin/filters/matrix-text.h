/* Matrices as text: typed or pasted by a person, and stored in files.
 *
 * Each line is a row; empty lines are ignored. Numbers are separated by blanks, or by one comma or
 * semicolon with or without blanks. A comma between digits is a decimal comma if the text has no
 * decimal point and either something else separates its numbers or no line has more than one comma:
 * "0,5" is one number, "0.5,1" and "0, 5" are two. (A matrix never has two columns.) A single line
 * of n x n numbers, with n odd and more than 1, is a square matrix; any other single line is one
 * row. "ROWSxCOLUMNS:" before the first number gives the size, by which a single line is divided
 * into rows. The locale does not matter, and expressions are not evaluated. */
#pragma once

#include "filter-matrix.h"

#define MATRIX_TEXT_MAX (1 << 25) /* bytes: 32 for each of 1023 x 1023 values */

/* Reads a matrix with an odd number of rows and of columns, at most largest each. length is in
 * bytes; -1 means that text ends with 0. Free the matrix with filter_matrix_free. Returns NULL with
 * FX_ERROR_ARGUMENT, one sentence, if text is not such a matrix, and with FX_ERROR_MEMORY if memory
 * runs out. */
FilterMatrix *matrix_text_parse (const char *text, gssize length, int largest, GError **error);

/* Like matrix_text_parse, for a block of numbers whose rows and columns need not be odd; a single
 * line is one row. */
FilterMatrix *matrix_text_parse_block (const char *text, gssize length, int largest,
                                       GError **error);

/* Return matrix, which must be valid for matrix_text_parse, as text from which the parser restores
 * it exactly; free it. matrix_text_print writes a line for each row, without a line break at the
 * end; matrix_text_print_line writes the size and one line; matrix_text_print_csv writes a line for
 * each row, with commas between numbers and a line break at the end. They return NULL if memory
 * runs out. */
char *matrix_text_print (const FilterMatrix *matrix);
char *matrix_text_print_line (const FilterMatrix *matrix);
char *matrix_text_print_csv (const FilterMatrix *matrix);
