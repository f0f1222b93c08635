/* A matrix as cells, with the keys of a spreadsheet: arrows, Tab and Return move, what is typed
 * replaces, F2 or a second click edits, Escape takes back, and several numbers are pasted at once.
 * Each change counts at once. A matrix with more rows or columns than MATRIX_CELLS_MAX is only told
 * of. For the main thread. */
#ifndef MATRIX_CELLS_H
#define MATRIX_CELLS_H

#include "filter-matrix.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define MATRIX_CELLS_MAX 15

typedef struct MatrixCells MatrixCells;

/* Called when a cell or the size was changed by the user's hand. The matrix is the cells'. */
typedef void (*MatrixCellsChangedFunc) (gpointer data, const FilterMatrix *matrix);

/* largest: of rows and of columns. */
MatrixCells *matrix_cells_new (int largest, MatrixCellsChangedFunc changed, gpointer data);
void matrix_cells_free (MatrixCells *cells); /* after its widgets; NULL is legal */

/* The cells, and the numbers of rows and columns: of any matrix, whether it has cells or not. */
GtkWidget *matrix_cells_get_widget (const MatrixCells *cells);
GtkWidget *matrix_cells_get_size_widget (const MatrixCells *cells);

/* Leads to the cell in the middle. FALSE: there are none to be seen. */
gboolean matrix_cells_grab_focus (MatrixCells *cells);

void matrix_cells_set (MatrixCells *cells, const FilterMatrix *matrix);

G_END_DECLS

#endif
