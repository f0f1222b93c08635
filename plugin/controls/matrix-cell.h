/* One cell of a table of numbers, with the keys of a spreadsheet: typing replaces the value, F2 or
 * a second click edits it, and Escape restores it; arrows, Tab and Return move to other cells. For
 * the main thread. */
#pragma once

#include "filter-matrix.h"

#include <gtk/gtk.h>

typedef struct MatrixCell MatrixCell;

/* The table of the cell, whose rows and columns count from 0. A cell outside of the table is
 * hidden; its value is 0 and cannot be set. */
typedef struct {
  double (*get) (gpointer data, int row, int column);
  void (*set) (gpointer data, int row, int column, double value);

  /* Moves to the cell nearest to row and column, which may lie outside of the table. */
  void (*move_to) (gpointer data, int row, int column);

  /* Moves by step cells, row after row. Returns FALSE if that leads out of the table. */
  gboolean (*move_by) (gpointer data, int row, int column, int step);

  /* Called with several numbers at once, the first one for this cell. */
  void (*paste) (gpointer data, int row, int column, const FilterMatrix *block);
} MatrixCellTable;

/* Creates a cell. table and data must outlive it. name is translated, for assistive technology.
 * Never returns NULL. */
MatrixCell *matrix_cell_new (const MatrixCellTable *table, gpointer data, int row, int column,
                             const char *name);
void matrix_cell_free (MatrixCell *cell); /* free it after its widget; NULL is legal */

GtkWidget *matrix_cell_get_widget (const MatrixCell *cell);

/* Moves the keyboard focus to the cell. If the cell has it already, accepts what was typed. */
void matrix_cell_grab_focus (MatrixCell *cell);

/* Shows the table's value. */
void matrix_cell_show (MatrixCell *cell);

/* Drops text that was typed but not yet read. */
void matrix_cell_stop_reading (MatrixCell *cell);
