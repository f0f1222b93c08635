/* One cell of a table of numbers, with the keys of a spreadsheet: what is typed replaces, F2 or a
 * second click edits, Escape takes back; arrows, Tab and Return lead to other cells. For the main
 * thread. */
#ifndef MATRIX_CELL_H
#define MATRIX_CELL_H

#include "filter-matrix.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct MatrixCell MatrixCell;

/* The table that it lies in; row and column count from 0. A cell outside of it, which is hidden,
 * has the value 0 and cannot be set. */
typedef struct {
  double (*get) (gpointer data, int row, int column);
  void (*set) (gpointer data, int row, int column, double value);

  /* To the cell nearest to this one, which need not be one of the table. */
  void (*move_to) (gpointer data, int row, int column);

  /* By so many cells, row after row. FALSE beyond the first and the last one. */
  gboolean (*move_by) (gpointer data, int row, int column, int step);

  /* Several numbers at once, the first one for this cell. */
  void (*paste) (gpointer data, int row, int column, const FilterMatrix *block);
} MatrixCellTable;

/* name: translated, for who cannot see it. */
MatrixCell *matrix_cell_new (const MatrixCellTable *table, gpointer data, int row, int column,
                             const char *name);
void matrix_cell_free (MatrixCell *cell); /* after its widget; NULL is legal */

GtkWidget *matrix_cell_get_widget (const MatrixCell *cell);

/* Leads the keyboard to it. Where it is there already, what was typed counts. */
void matrix_cell_grab_focus (MatrixCell *cell);

/* Shows the table's value. */
void matrix_cell_show (MatrixCell *cell);

/* What was typed and is not read yet does not count. */
void matrix_cell_stop_reading (MatrixCell *cell);

G_END_DECLS

#endif
