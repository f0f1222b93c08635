/* Tools that make a matrix: a list of ready matrices, a menu of operations, and files. For the main
 * thread. */
#pragma once

#include "filter-matrix.h"

#include <gtk/gtk.h>

typedef struct MatrixTools MatrixTools;

/* Returns the current matrix, which belongs to the caller of matrix_tools_new. */
typedef const FilterMatrix *(*MatrixToolsGetFunc) (gpointer data);

/* Called when the user has chosen another matrix, which is valid during the call only. */
typedef void (*MatrixToolsSetFunc) (gpointer data, const FilterMatrix *matrix);

/* Creates the tools. label is the list's, translated, with a mnemonic. largest limits the rows and
 * the columns of a matrix from a file. Never returns NULL. */
MatrixTools *matrix_tools_new (const char *label, int largest, MatrixToolsGetFunc get,
                               MatrixToolsSetFunc set, gpointer data);
void matrix_tools_free (MatrixTools *tools); /* free it after its widget; NULL is legal */

GtkWidget *matrix_tools_get_widget (const MatrixTools *tools);

/* Selects the ready matrix in the list that equals matrix, if any. */
void matrix_tools_show (MatrixTools *tools, const FilterMatrix *matrix);
