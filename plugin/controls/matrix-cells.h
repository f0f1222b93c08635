/* A matrix as cells, with the keys of a spreadsheet: arrows, Tab and Return move, typing replaces a
 * value, F2 or a second click edits it, Escape restores it, and several numbers can be pasted at
 * once. Each change takes effect at once. A matrix with more rows or columns than MATRIX_CELLS_MAX
 * gets a note in place of cells. For the main thread. */
#pragma once

#include "filter-matrix.h"

#include <gtk/gtk.h>

#define MATRIX_CELLS_MAX 15

typedef struct MatrixCells MatrixCells;

/* Called when the user has changed a value or the size. matrix belongs to the cells, and is valid
 * until the next change. */
typedef void (*MatrixCellsChangedFunc) (gpointer data, const FilterMatrix *matrix);

/* Creates cells, with a 1 x 1 matrix. largest limits the rows and the columns. Never returns
 * NULL. */
MatrixCells *matrix_cells_new (int largest, MatrixCellsChangedFunc changed, gpointer data);
void matrix_cells_free (MatrixCells *cells); /* free it after its widgets; NULL is legal */

/* Return the cells, and the controls for the number of rows and columns, which work for matrices of
 * any size. */
GtkWidget *matrix_cells_get_widget (const MatrixCells *cells);
GtkWidget *matrix_cells_get_size_widget (const MatrixCells *cells);

/* Moves the keyboard focus to the middle cell. Returns FALSE if no cells are visible. */
gboolean matrix_cells_grab_focus (MatrixCells *cells);

void matrix_cells_set (MatrixCells *cells, const FilterMatrix *matrix);
